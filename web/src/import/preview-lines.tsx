import type { Import, PreviewLine } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useReasonText } from './reason-text.ts'
import { usePreviewLines } from './use-imports.ts'
import { NextButton } from '../parts/show-more.tsx'

/** The outcome of each record, and the work it would belong to. */
export function PreviewLines({ job }: { readonly job: Import }) {
  const { words } = useLocale()
  const preview = usePreviewLines(job.id, job.state === 'done')
  const lines = preview.data?.pages.flat() ?? []
  if (lines.length === 0) return null
  return (
    <section>
      <h2 className="section-title">{words.previewLines}</h2>
      <ol className="preview-lines">
        {lines.map(line => (
          <PreviewedRecord key={line.number} line={line} />
        ))}
      </ol>
      <NextButton pages={preview} />
    </section>
  )
}

function PreviewedRecord({ line }: { readonly line: PreviewLine }) {
  const { words, number } = useLocale()
  const reasonText = useReasonText()
  const outcomes: Readonly<Record<string, string>> = words.previewOutcomes
  return (
    <li>
      <p className="preview-record">
        <span className="result-name">{line.title || line.record}</span>
        <span className="soft">
          {words.inFile(number(line.number))} · <span className="code">{line.record}</span>
        </span>
        <span className={`tag outcome-${line.outcome}`}>{outcomes[line.outcome] ?? line.outcome}</span>
      </p>
      {line.records && <PreviewedRow records={line.records} />}
      <ul className="preview-works" hidden={line.works.length === 0}>
        {line.works.map(({ title, is_new: isNew, explanation, reason, confidence }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the works of a record have no other name than their place
          <li key={at}>
            <strong>
              {isNew ? (explanation === null ? words.newWorkMade : words.newWorkShared) : words.foundWork}
            </strong>
            : {title}
            {explanation !== null && <span className="soft"> — {reasonText(explanation, reason)}</span>}
            {confidence !== null && (
              <span className="soft"> ({words.howSure(Math.round(Number(confidence) * 100))})</span>
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The records that a row becomes, with their values. */
function PreviewedRow({ records }: { readonly records: NonNullable<PreviewLine['records']> }) {
  const { words, typeName, fieldName, relationName } = useLocale()
  const outcomes: Readonly<Record<string, string>> = words.previewOutcomes
  return (
    <ul className="preview-works">
      {records.map(({ type, outcome, metadata, relations }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the records of a row have no other name than their place
        <li key={at}>
          <strong>{typeName(type)}</strong> <span className={`tag outcome-${outcome}`}>{outcomes[outcome]}</span>{' '}
          {[
            ...metadata.map(({ key, value }) => `${fieldName(key)}: ${shorten(value)}`),
            ...relations.map(each => `${relationName(each.type)}: ${each.name}`)
          ].join(' · ')}
        </li>
      ))}
    </ul>
  )
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
