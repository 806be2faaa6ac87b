import { useQuery } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import type { Entity, RecordTypeRow } from '../../../client/index.ts'
import { isEmpty, textOf } from '../data/record-model.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { useSession } from '../session/session.tsx'
import type { FormContent } from './form-content.ts'
import { RecordName } from '../parts/record-name.tsx'

/** The relation to a record that somebody said is different. */
export const differentRelation = 'refDifferentFrom'

/** Maximum number of possible duplicates that are shown. */
const maxShown = 5

interface DuplicatesProps {
  readonly row: RecordTypeRow
  readonly form: FormContent
  /** The record that is being changed; its own values are not looked up. */
  readonly entity?: Entity
}

/** The records of the same kind that have the name or the ISBN that is being typed. */
export function Duplicates({ row, form, entity }: DuplicatesProps) {
  const { client, model } = useSession()
  const { words, typeName } = useLocale()
  const types = (model.families.get(model.familyOf(row.type)) ?? [row]).map(({ type }) => type)
  const telling = row.fields.filter(({ key, kind }) => kind === 'isbn' || (key === row.name_field && kind === 'text'))
  const typed = telling.flatMap(({ key }) =>
    form.entries
      .filter(({ entry }) => entry.key === key && !isEmpty(entry.value))
      .map(({ entry }) => [key, textOf(entry.value).trim()] as const)
      .filter(([, value]) => !entity?.metadata.some(each => each.key === key && textOf(each.value) === value))
  )
  /** The record itself, and those that somebody said are different from it. */
  const known = new Set(
    entity && [entity.id, ...entity.relations.filter(({ type }) => type === differentRelation).map(({ key }) => key)]
  )
  const settled = useDebounced(JSON.stringify(typed), 400)
  const { data = [] } = useQuery({
    queryKey: ['duplicates', types, settled, entity?.id],
    enabled: settled !== '[]',
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const wanted = JSON.parse(settled) as [string, string][]
      const pages = await Promise.all(
        wanted.map(([key, value]) =>
          client.entities.find(
            [
              { type: 'type', value: types },
              { type: 'text', key: `properties.${key}.value`, value, match_exact: true }
            ],
            { limit: maxShown, signal }
          )
        )
      )
      const found = new Map(pages.flatMap(page => page.results).map(entity => [entity.id, entity]))
      return [...found.values()].filter(({ id }) => !known.has(id)).slice(0, maxShown)
    }
  })
  if (data.length === 0) return null
  return (
    <div className="note note-warn duplicates" role="status">
      <p>{words.duplicates}</p>
      <ul>
        {data.map(entity => (
          <li key={entity.id}>
            <Link to={`/record/${encodeURIComponent(entity.id)}`} target="_blank" rel="noopener">
              <RecordName record={entity} />
            </Link>{' '}
            <span className="soft">
              {typeName(entity.type)} {entity.id}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
