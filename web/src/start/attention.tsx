import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Check, FileQuestion, type LucideIcon, PencilLine, TriangleAlert, Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../parts/router.tsx'

import type { Client } from '../../../client/index.ts'
import { type DraftName, listDrafts, performances, publication } from '../change/drafts.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { SectionNote } from '../parts/section-note.tsx'
import { contradictory, questioned } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

const namedOfEach = 3
/** Maximum number of imports with open questions that are named, the latest. */
const importsNamed = 10

export const contradictionsQuestion = (client: Client) =>
  queryOptions({
    queryKey: ['attention', 'readiness'],
    queryFn: ({ signal }) => client.entities.find(contradictory.filters, { ...contradictory.options, signal })
  })

export const openReviewsQuestion = (client: Client) =>
  queryOptions({
    queryKey: ['attention', 'imports'],
    queryFn: async ({ signal }) => (await client.send('GET /imports', { ...questioned, signal })).data
  })

export const webhooksQuestion = (client: Client) =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) => (await client.send('GET /webhooks', { signal })).data
  })

/** Things that need attention: those that the token may see and that can be acted on. */
export function Attention() {
  const { words } = useLocale()
  const waiting = [useDrafts(), useContradictions(), useOpenReviews(), useFailingWebhooks()]
  const items = waiting.flatMap(each => each ?? [])
  // "Nothing" is shown when all have answered.
  const isLoading = waiting.includes(undefined)
  if (items.length === 0 && !isLoading)
    return (
      <p className="all-well soft">
        <Check size={18} aria-hidden="true" /> {words.nothingToAttend}
      </p>
    )
  return (
    <>
      {items.length > 0 && <ul className="attention">{items}</ul>}
      {isLoading && (
        <p className="soft late" role="status">
          {words.loading}
        </p>
      )}
    </>
  )
}

interface ItemProps {
  readonly icon: LucideIcon
  readonly title: ReactNode
  readonly children?: ReactNode
}

function Item({ icon: Icon, title, children }: ItemProps) {
  return (
    <li>
      <Icon size={18} aria-hidden="true" />
      <div>
        <p className="attention-title">{title}</p>
        {children}
      </div>
    </li>
  )
}

interface LinksProps {
  readonly links: readonly { readonly to: string; readonly name: string }[]
  readonly more?: { readonly to: string; readonly count: number }
}

function Links({ links, more }: LinksProps) {
  const { words, number } = useLocale()
  return (
    <p className="attention-links">
      {links.map(({ to, name }) => (
        <Link key={to} to={to}>
          {name}
        </Link>
      ))}
      {more && more.count > 0 && <Link to={more.to}>{words.andMore(number(more.count))}</Link>}
    </p>
  )
}

/** Says that it is unknown whether something of a kind needs attention. */
const failure = (key: string, query: UseQueryResult, label: string) => (
  <li key={key} className="attention-failed">
    <SectionNote queries={[query]} label={label} />
  </li>
)

/** Items of one kind, or undefined while they are unknown. */
type Waiting = readonly ReactNode[] | undefined

/** Productions whose media do not match their declared status. */
function useContradictions(): Waiting {
  const { client, model } = useSession()
  const { words, number } = useLocale()
  const nameOf = useNameOf()
  const { production } = model.stage
  const contradictions = useQuery({
    ...contradictionsQuestion(client),
    enabled: production?.may.includes('read') === true
  })
  const { data } = contradictions
  if (contradictions.error) return [failure('readiness', contradictions, words.readiness)]
  if (contradictions.isLoading) return undefined
  if (!data || data.count === 0 || !production) return []
  const links = data.results.map(each => ({ to: `/record/${encodeURIComponent(each.id)}`, name: nameOf(each) }))
  const more = {
    to: findAddress({ types: [production.type], readiness: 'contradictory' }),
    count: data.count - links.length
  }
  return [
    <Item key="readiness" icon={TriangleAlert} title={words.attentionReadiness(data.count, number(data.count))}>
      <Links links={links} more={more} />
    </Item>
  ]
}

/** The type of a draft of a new record, without the content that its form started with. */
const typeOf = ({ type }: DraftName & { readonly kind: 'new' }) => type.split('?')[0] ?? ''

/** Whether a form makes several records at once, and so is named by no type. */
const isFormOfSeveral = (type: string) => type === publication || type === performances

/** Unsaved drafts in this browser. */
function useDrafts(): Waiting {
  const { model } = useSession()
  const { words, typeName, number } = useLocale()
  const nameOf = useNameOf()
  const names = listDrafts().filter(
    each => each.kind === 'change' || isFormOfSeveral(typeOf(each)) || model.may('write', typeOf(each))
  )
  const records = useRecords(names.flatMap(each => (each.kind === 'change' ? [each.id] : [])))
  const linkOf = (draft: DraftName) => {
    if (draft.kind === 'new') {
      const type = typeOf(draft)
      const names = { [publication]: words.addBook, [performances]: words.addPerformances }
      const name = isFormOfSeveral(type) ? names[type] : words.newOf(typeName(type))
      return [{ to: `/new/${draft.type}`, name }]
    }
    const record = records.get(draft.id)
    // A draft of a record that is deleted or unreadable is left out.
    return record && model.may('write', record.type)
      ? [{ to: `/record/${encodeURIComponent(draft.id)}/edit`, name: nameOf(record) }]
      : []
  }
  const links = names.flatMap(linkOf)
  if (links.length === 0) return []
  return [
    <Item key="drafts" icon={PencilLine} title={words.attentionDrafts(links.length, number(links.length))}>
      <Links links={links} />
    </Item>
  ]
}

/** Imports with open review questions. */
function useOpenReviews(): Waiting {
  const { client, me } = useSession()
  const { words } = useLocale()
  const imports = useQuery({ ...openReviewsQuestion(client), enabled: me.is_admin })
  if (imports.error) return [failure('imports', imports, words.imports)]
  if (!imports.data) return imports.isLoading ? undefined : []
  return imports.data
    .filter(each => each.state === 'done' && !each.is_preview)
    .slice(-importsNamed)
    .toReversed()
    .map(({ id, name }) => (
      <Item key={id} icon={FileQuestion} title={words.attentionReview(name)}>
        <Links links={[{ to: `/manage/imports/${encodeURIComponent(id)}`, name: words.toReviewQuestions }]} />
      </Item>
    ))
}

/** Webhooks that fail. */
function useFailingWebhooks(): Waiting {
  const { client, me } = useSession()
  const { words, number } = useLocale()
  const webhooks = useQuery({ ...webhooksQuestion(client), enabled: me.is_admin })
  if (webhooks.error) return [failure('webhooks', webhooks, words.webhooks)]
  if (!webhooks.data) return webhooks.isLoading ? undefined : []
  const failing = webhooks.data.filter(
    ({ state, failing_since }) => state === 'parked' || state === 'disabled' || failing_since !== null
  )
  if (failing.length === 0) return []
  return [
    <Item key="webhooks" icon={WebhookIcon} title={words.attentionWebhooks(failing.length, number(failing.length))}>
      <Links
        links={failing
          .slice(0, namedOfEach)
          .map(({ id, url }) => ({ to: `/manage/webhooks#${id}`, name: hostOf(url) }))}
      />
    </Item>
  ]
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
