import { useMutation, useQuery } from '@tanstack/react-query'
import { CalendarSync, Check, Copy, Download, FolderArchive, Table } from 'lucide-react'
import { useState } from 'react'

import type { Entity } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { saveFile } from '../export/save-file.ts'
import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'

/** The files of a programme: path, ending, and whether it may be long. */
const files = {
  calendar: { path: 'calendar.ics', ending: 'ics', isLarge: false, icon: Download },
  table: { path: 'programme.csv', ending: 'csv', isLarge: false, icon: Table },
  pressKit: { path: 'press-kit.zip', ending: 'zip', isLarge: true, icon: FolderArchive }
} as const

/** Subscribing to a programme, and downloading it. */
export function ProgrammeActions({ entity }: { readonly entity: Entity }) {
  const { client, model } = useSession()
  const { words, problemText } = useLocale()
  const nameOf = useNameOf()
  const { say } = useToasts()
  const [isSubscribing, setSubscribing] = useState(false)
  const download = useMutation({
    mutationFn: ({ path, ending, isLarge }: (typeof files)[keyof typeof files]) =>
      saveFile(
        `${nameOf(entity).replace(/[\\/:*?"<>|]+/g, '-')}.${ending}`,
        isLarge,
        () => client.open(`/entities/${encodeURIComponent(entity.id)}/${path}`, {}),
        () => {}
      ),
    onError: error => say(problemText(error))
  })
  const offered = (Object.keys(files) as (keyof typeof files)[]).filter(
    each => each !== 'pressKit' || entity.type === model.stage.production?.type
  )
  return (
    <div className="programme-actions">
      <button type="button" className="button" onClick={() => setSubscribing(true)}>
        <CalendarSync size={16} aria-hidden="true" /> {words.subscribe}
      </button>
      {offered.map(each => {
        const { icon: Icon } = files[each]
        return (
          <button
            key={each}
            type="button"
            className="button"
            disabled={download.isPending}
            onClick={() => download.mutate(files[each])}
          >
            <Icon size={16} aria-hidden="true" /> {words.programmeFiles[each]}
          </button>
        )
      })}
      {isSubscribing && <Subscribe entity={entity} onClose={() => setSubscribing(false)} />}
    </div>
  )
}

interface SubscribeProps {
  readonly entity: Entity
  readonly onClose: () => void
}

/** The address of a calendar, which a calendar program fetches again and again. */
function Subscribe({ entity, onClose }: SubscribeProps) {
  const { client } = useSession()
  const { words } = useLocale()
  const nameOf = useNameOf()
  const [isCopied, setCopied] = useState(false)
  const ticket = useQuery({
    queryKey: ['calendar ticket', entity.id],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await client.send('POST /tickets', { body: { entity_id: entity.id }, signal })).data
  })
  const path = `${basePath}/entities/${encodeURIComponent(entity.id)}/calendar.ics`
  const address = ticket.data && `${location.origin}${path}?ticket=${encodeURIComponent(ticket.data)}`
  const copy = async () => {
    await navigator.clipboard.writeText(address ?? '')
    setCopied(true)
  }
  return (
    <Dialog title={words.subscribeTo(nameOf(entity))} onClose={onClose}>
      <p>{words.subscribeHint}</p>
      {address === undefined ? (
        <QueryNote query={ticket} />
      ) : (
        <>
          <output className="secret code">{address}</output>
          <div className="dialog-actions">
            <a className="button" href={address.replace(/^https?:/, 'webcal:')}>
              <CalendarSync size={16} aria-hidden="true" /> {words.openInCalendar}
            </a>
            <button type="button" className="button primary" onClick={copy}>
              {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
              {isCopied ? words.copied : words.copy}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
