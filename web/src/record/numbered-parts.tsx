import { TableHead } from '../parts/table-head.tsx'
import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { usePages } from '../data/use-pages.ts'
import { recordKey, useReferenceCounts } from '../data/use-record.ts'
import { SectionNote } from '../parts/section-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { levelLine } from './level-card.tsx'
import { firstText, targetNames } from './work-tree.tsx'

const pageLength = 50

/** The parts of a record in the order of their numbers: the volumes of a series. */
export function NumberedParts({ entity }: { readonly entity: Entity }) {
  const { client, model } = useSession()
  const { words, number, reverseName, fieldName } = useLocale()
  // The list of referring records reports an error of the same answer.
  const counts = useReferenceCounts(entity.id).data ?? {}
  const relations = model.partRelations(model.familyOf(entity.type)).filter(each => (counts[each] ?? 0) > 0)
  const title = reverseName(relations[0] ?? '') ?? words.referredBy
  const pages = usePages({
    queryKey: [...recordKey(entity.id), 'parts'],
    enabled: relations.length > 0,
    first: signal => client.entities.parts(entity.id, { limit: pageLength, signal })
  })
  if (relations.length === 0) return null
  if (!pages.data) return <SectionNote queries={[pages]} label={title} />
  const found = pages.data.pages.flatMap(page => page.results)
  const count = pages.data.pages[0]?.count ?? 0
  if (count === 0) return null
  return (
    <section className="holdings">
      <h2 className="section-title">
        {title} <span className="count">{number(count)}</span>
      </h2>
      <div className="wide-table">
        <table>
          <TableHead names={[fieldName('number'), fieldName('title')]} />
          <tbody>
            {found.map(part => (
              <tr key={part.id}>
                <td>{part.number}</td>
                <th scope="row" dir="auto">
                  <Link to={`/record/${encodeURIComponent(part.id)}`}>
                    {firstText(part, model.find(part.type)?.name_field ?? '') ?? part.id}
                  </Link>{' '}
                  <span className="soft">
                    {levelLine(
                      [textOf(part.metadata.year_of_publication?.value ?? '')],
                      targetNames(part, 'refAuthors')
                    )}
                  </span>
                </th>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore pages={pages} shown={found.length} count={count} label={title} />
    </section>
  )
}
