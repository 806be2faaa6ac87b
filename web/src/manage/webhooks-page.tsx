import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'

import type { Delivery, Webhook, WebhookWithSecret } from '../../../client/index.ts'
import { usePages } from '../data/use-pages.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { dropDraft, formDraftName } from '../change/drafts.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { KindChoice, MakeDialog } from './make-dialog.tsx'
import { type MakeProps, ManagedList } from './managed-list.tsx'

export default function WebhooksPage() {
  const { client } = useSession()
  const { words } = useLocale()
  const webhooks = useQuery({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) => (await client.send('GET /webhooks', { signal })).data
  })
  return (
    <ManagedList
      title={words.webhooks}
      intro={words.webhooksIntro}
      add={words.newWebhook}
      none={words.noWebhooks}
      noneHint={words.noWebhooksHint}
      query={webhooks}
      make={MakeWebhook}
      secretOf={({ url, secret }) => ({ title: url, hint: words.secretShownOnce, secret })}
    >
      {all => (
        <ul className="webhooks">
          {all.map(webhook => (
            <li key={webhook.id} id={webhook.id}>
              <WebhookCard webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
    </ManagedList>
  )
}

function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const { client } = useSession()
  const { words, familyName, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const path = { id: webhook.id }
  const [isDeleting, setDeleting] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const act = useMutation({
    mutationFn: async (action: 'pause' | 'resume' | 'delete' | 'test') => {
      if (action === 'pause') await client.send('PATCH /webhooks/{id}', { path, body: { state: 'paused' } })
      if (action === 'resume') await client.send('POST /webhooks/{id}/resume', { path })
      if (action === 'delete') await client.send('DELETE /webhooks/{id}', { path })
      if (action === 'test') tellOf((await client.send('POST /webhooks/{id}/test', { path })).data)
    },
    onSettled: refresh,
    onError: error => say(problemText(error))
  })
  const tellOf = ({ delivered, status, error }: Delivery) =>
    say(delivered ? words.testSent : words.testFailed(error ?? String(status)))
  const isActive = webhook.state === 'active'
  return (
    <article className="webhook">
      <header>
        <h2 className="code">{webhook.url}</h2>
        <span className={`tag webhook-${webhook.state}`}>{words.states[webhook.state]}</span>
      </header>
      {webhook.description !== '' && <p>{webhook.description}</p>}
      <p className="soft">
        {webhook.event_types.length === 0 ? words.allEvents : webhook.event_types.join(', ')} ·{' '}
        {webhook.entity_types.length === 0 ? words.allTypes : webhook.entity_types.map(familyName).join(', ')}
      </p>
      <div className="record-actions">
        <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate('test')}>
          {words.sendTest}
        </button>
        <button
          type="button"
          className="button"
          disabled={act.isPending}
          onClick={() => act.mutate(isActive ? 'pause' : 'resume')}
        >
          {isActive ? words.pause : words.resume}
        </button>
        <button type="button" className="button danger" disabled={act.isPending} onClick={() => setDeleting(true)}>
          {words.delete}
        </button>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={words.confirmDelete(webhook.url)}
          does={words.delete}
          isDisabled={act.isPending}
          onConfirm={() => act.mutate('delete')}
          onClose={() => setDeleting(false)}
        >
          <p>{words.confirmDeleteWebhook}</p>
        </ConfirmDialog>
      )}
      <Deliveries webhook={webhook} />
    </article>
  )
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { client } = useSession()
  const { words, moment, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const pages = usePages({
    queryKey: ['webhooks', webhook.id, 'deliveries'],
    enabled: isOpen,
    first: async signal =>
      (await client.send('GET /webhooks/{id}/deliveries', { path: { id: webhook.id }, query: { limit: 20 }, signal }))
        .data
  })
  const deliveries = pages.data?.pages.flatMap(page => page.deliveries)
  const replay = useMutation({
    mutationFn: (id: string) =>
      client.send('POST /webhooks/{id}/deliveries/{delivery_id}/replay', { path: { id: webhook.id, delivery_id: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
    onError: error => say(problemText(error))
  })
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{words.deliveries}</summary>
      {deliveries?.length === 0 && <p className="soft">{words.noDeliveries}</p>}
      <ul className="deliveries">
        {deliveries?.map(delivery => (
          <li key={delivery.id}>
            <span className={delivery.delivered ? 'tag status-published' : 'tag status-cancelled'}>
              {delivery.delivered ? words.delivered : words.failed}
            </span>
            <span>
              {delivery.event_type} <span className="code">{delivery.subject}</span>
            </span>
            <span className="soft">
              {moment(delivery.at)} · {words.attempt(delivery.attempt)} · {delivery.error ?? delivery.status}
            </span>
            <button
              type="button"
              className="button"
              disabled={replay.isPending}
              onClick={() => replay.mutate(delivery.id)}
            >
              {words.replay}
            </button>
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} shown={deliveries?.length ?? 0} />
    </details>
  )
}

/** The name under which an unsaved webhook is stored. */
const draft = 'new webhook'

function MakeWebhook({ onClose, onMade }: MakeProps<WebhookWithSecret>) {
  const { client } = useSession()
  const { words } = useLocale()
  const queries = useQueryClient()
  const id = useId()
  const make = useMutation({
    mutationFn: async (form: FormData) => {
      const type = String(form.get('type') ?? '')
      const { data } = await client.send('POST /webhooks', {
        body: {
          url: String(form.get('url') ?? '').trim(),
          description: String(form.get('description') ?? '').trim(),
          entity_types: type === '' ? [] : [type]
        }
      })
      return data
    },
    onSuccess: async webhook => {
      dropDraft(formDraftName(draft))
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
      onMade(webhook)
    }
  })
  return (
    <MakeDialog title={words.newWebhook} makes={words.makeWebhook} draft={draft} making={make} onClose={onClose}>
      <label htmlFor={`${id}-url`}>{words.address}</label>
      <input id={`${id}-url`} name="url" type="url" required placeholder="https://" />
      <label htmlFor={`${id}-description`}>{words.description}</label>
      <input id={`${id}-description`} name="description" maxLength={200} />
      <KindChoice />
    </MakeDialog>
  )
}
