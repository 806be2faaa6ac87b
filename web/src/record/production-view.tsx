import { Check, CircleDashed, CircleHelp, CircleMinus, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'

import type { Entity, Readiness } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { HtmlText } from '../parts/html-text.tsx'
import { useLocale } from '../i18n/locale.tsx'
import './production.css'

const stages: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: string }>> = {
  complete: { icon: Check, tone: 'good' },
  partially: { icon: CircleDashed, tone: 'middling' },
  follows_later: { icon: Clock, tone: 'waiting' },
  not_applicable: { icon: CircleMinus, tone: 'none' },
  status_to_be_determined: { icon: CircleHelp, tone: 'open' }
}

/** The readiness of a production: declared status, number of files, and whether the two agree. */
export function ReadinessStages({ readiness }: { readonly readiness: Readiness }) {
  const { words, valueName, number } = useLocale()
  const wanted = readiness.categories.filter(({ declared }) => declared !== 'not_applicable')
  const ready = wanted.filter(({ done, agrees }) => done && agrees).length
  const contradictions = readiness.categories.filter(({ agrees }) => !agrees)
  return (
    <section>
      <h2 className="section-title">
        {words.readiness} <span className="count">{words.readinessOf(ready, wanted.length)}</span>
      </h2>
      <meter
        className="readiness-meter"
        min={0}
        max={Math.max(1, wanted.length)}
        value={ready}
        aria-label={words.readiness}
      >
        {words.readinessOf(ready, wanted.length)}
      </meter>
      <ul className="readiness">
        {readiness.categories.map(({ category, declared, files, agrees }) => {
          const { icon: Icon, tone } = stages[declared] ?? { icon: CircleHelp, tone: 'open' }
          return (
            <li key={category} className={`stage stage-${agrees ? tone : 'bad'}`}>
              {agrees ? <Icon size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
              <span className="stage-name">{valueName(category)}</span>
              <span className="stage-value">
                {valueName(declared)} · {words.files(files, number(files))}
              </span>
            </li>
          )
        })}
      </ul>
      {contradictions.length > 0 && (
        <div className="note note-warn readiness-note">
          <p>{words.readinessDisagrees}</p>
          <ul>
            {contradictions.map(({ category, declared, files }) => (
              <li key={category}>
                <strong>{valueName(category)}</strong>:{' '}
                {files === 0
                  ? words.declaredButNoFile(valueName(declared))
                  : words.declaredButFiles(valueName(declared), files, number(files))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** The texts of a production. */
export function Texts({ entity, keys }: { readonly entity: Entity; readonly keys: readonly string[] }) {
  const { fieldName, language } = useLocale()
  return keys.flatMap(key => {
    const [value] = valuesOf(entity, key, language)
    if (value === undefined) return []
    return [
      <section key={key} className="prose">
        <h2 className="section-title">{fieldName(key)}</h2>
        <HtmlText html={textOf(value)} />
      </section>
    ]
  })
}
