import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '../parts/router.tsx'

import type { Entity, WrittenEntity } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

const addressOf = (id: string) => `/record/${encodeURIComponent(id)}`
const isShown = (id: string) => location.pathname === basePath + addressOf(id)

/** Milliseconds that a message waits until lists and pages show a change; some may be late. */
const maxRefresh = 2_000
const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

type Named = Pick<WrittenEntity, 'id' | 'type' | 'metadata' | 'warnings'>

/** Actions after a write: refresh the page, and show a message with Undo. */
export function useChanges() {
  const { client } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const nameOf = useNameOf()
  const { words, problemText, fieldName, relationName, typeName } = useLocale()
  const { say } = useToasts()

  const refresh = () => Promise.race([queries.invalidateQueries(), pause(maxRefresh)])
  /** Shows a message with Undo. */
  const tell = (text: string, takeBack: () => Promise<unknown>, then?: () => unknown) =>
    say(text, {
      name: words.undo,
      run: () =>
        takeBack()
          .then(refresh)
          .then(() => {
            say(words.undone)
            then?.()
          })
          .catch((error: Error) => say(problemText(error)))
    })

  /** Shows the warnings of the service about a record that was saved. */
  const warn = ({ warnings = [] }: Named) => {
    const texts: Readonly<Record<string, (name: string, value: string) => string>> = words.warningTexts
    const said = warnings.map(({ code = '', key = '', value = '', message }) => {
      const name = key.startsWith('ref') ? relationName(key) : fieldName(key)
      return texts[code]?.(name, value) ?? message
    })
    if (said.length > 0) say(`${words.warnings}: ${said.join(' · ')}`)
  }

  /** Names the record, and the kinds of all records that were created with it. */
  const createdText = (entities: readonly Named[], shown: Named) => {
    const kinds = Map.groupBy(entities, ({ type }) => typeName(type))
    const named = [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${length} × ${kind}`))
    return words.created(nameOf(shown)) + (entities.length === 1 ? '' : ` (${named.join(', ')})`)
  }

  return {
    refresh,
    tell,
    /** `made` are the records that were created with it, and are deleted by Undo. */
    async saved(before: number, entity: WrittenEntity, made: readonly Pick<Entity, 'id'>[] = []) {
      await refresh()
      warn(entity)
      if (entity.version === before) say(words.nothingChanged)
      else
        tell(words.saved(nameOf(entity)), async () => {
          await client.entities.revert(entity.id, before, { ifMatch: entity.version })
          for (const { id } of made) await client.entities.delete(id)
        })
    },
    /** Records that were created together are undone together, the last first. */
    async created(entities: readonly Named[], shown: Named, text = createdText(entities, shown)) {
      await refresh()
      for (const entity of entities) warn(entity)
      tell(
        text,
        async () => {
          for (const { id } of entities.toReversed()) await client.entities.delete(id)
        },
        // Leaves the page of a deleted record, but not another page that the user went to
        // meanwhile.
        () => isShown(shown.id) && navigate('/')
      )
    },
    async deleted(entity: Entity) {
      await refresh()
      tell(
        words.deleted(nameOf(entity)),
        () => client.entities.revert(entity.id, entity.version),
        () => navigate(addressOf(entity.id))
      )
    }
  }
}
