import type { Import } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useRemarks } from './use-imports.ts'
import { NextButton } from '../parts/show-more.tsx'

/** The remarks: the record in the file, its position, and the problem. */
export function Remarks({ job }: { readonly job: Import }) {
  const { words, number } = useLocale()
  const remarks = useRemarks(job.id, job.remarks > 0)
  const lines = remarks.data?.pages.flat() ?? []
  if (job.remarks === 0) return null
  return (
    <section>
      <h2 className="section-title">
        {words.remarks} <span className="count">{number(job.remarks)}</span>
      </h2>
      <p className="soft">{words.remarksIntro}</p>
      <ol className="remarks">
        {lines.map(({ number: at, offset, control_number: name, outcome, remarks: texts }) => (
          <li key={`${at} ${offset}`}>
            <p className="remark-place">
              {words.remarkPlace(number(at), number(offset))}
              {name !== undefined && <span className="code">{name}</span>}
              <span className={outcome === 'unreadable' ? 'tag import-failed' : 'tag'}>
                {words.remarkOutcomes[outcome]}
              </span>
            </p>
            <ul>
              {[...new Set(texts)].map(text => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <NextButton pages={remarks} />
    </section>
  )
}
