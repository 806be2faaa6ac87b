import { useQuery } from '@tanstack/react-query'
import { TableHead } from '../parts/table-head.tsx'
import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { recordKey } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'

/** The relation of items to their publication, which this section shows. */
export const itemRelation = 'refManifestation'

const columns = ['location', 'shelf_mark', 'volume', 'barcode', 'status', 'link', 'licence', 'note']

/** The copies that libraries hold of an edition; nothing if there are none. */
export function Holdings({ entity }: { readonly entity: Entity }) {
  const { client } = useSession()
  const { words, fieldName, relationName, reverseName, number } = useLocale()
  const items = useQuery({
    queryKey: [...recordKey(entity.id), 'items'],
    queryFn: async ({ signal }) => (await client.entities.wem(entity.id, { items: true, signal })).items ?? []
  })
  const { data } = items
  // The levels above report an error of the same answer.
  if (items.isLoading) return <SectionNote queries={[items]} label={reverseName(itemRelation) ?? words.loading} />
  if (data === undefined || data.length === 0) return null
  const shown = columns.filter(key => data.some(({ metadata }) => metadata[key] !== undefined))
  return (
    <section className="holdings">
      <h2 className="section-title">
        {reverseName(itemRelation)} <span className="count">{number(data.length)}</span>
      </h2>
      <div className="wide-table">
        <table>
          <TableHead names={[relationName('refLibrary'), ...shown.map(key => fieldName(key))]} />
          <tbody>
            {data.map(({ id, metadata, relations }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to={`/record/${encodeURIComponent(id)}`}>
                    {Object.values(relations)
                      .map(each => String(each.value ?? ''))
                      .join(', ') || id}
                  </Link>
                </th>
                {shown.map(key => (
                  <td key={key}>
                    {[metadata[key]?.values ?? metadata[key]?.value ?? ''].flat().map(String).join('; ')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
