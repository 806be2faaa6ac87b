import { useMutation } from '@tanstack/react-query'
import { Check, CircleDashed, CircleHelp, CircleMinus, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'

import type { Entity, Readiness } from '../../../client/index.ts'
import { useChanges } from '../change/use-changes.ts'
import { readinessFields, ruleName } from '../data/readiness-fields.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { HtmlText } from '../parts/html-text.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Options } from '../parts/options.tsx'
import './production.css'

const stages: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: string }>> = {
  complete: { icon: Check, tone: 'good' },
  partially: { icon: CircleDashed, tone: 'middling' },
  follows_later: { icon: Clock, tone: 'waiting' },
  not_applicable: { icon: CircleMinus, tone: 'none' },
  status_to_be_determined: { icon: CircleHelp, tone: 'open' }
}

interface ReadinessStagesProps {
  readonly readiness: Readiness
  readonly entity: Entity
}

/** The readiness of a production: declared status, number of files, and whether the two agree. */
export function ReadinessStages({ readiness, entity }: ReadinessStagesProps) {
  const { client, model } = useSession()
  const { words, valueName, number, date, problemText } = useLocale()
  const { saved } = useChanges()
  const { say } = useToasts()
  const declare = useMutation({
    mutationFn: ({ key, value }: { readonly key: string; readonly value: string }) =>
      client.entities.patch(entity.id, { metadata: [{ key, value }] }),
    onSuccess: written => saved(written.version - 1, written),
    onError: error => say(problemText(error))
  })
  const fields = readinessFields(model.find(entity.type)?.fields ?? [])
  const fieldOf = (category: string) => fields.find(({ key }) => key === `${category}_status`)
  const mayDeclare = model.may('write', entity.type)
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
          const field = fieldOf(category)
          const { icon: Icon, tone } = stages[declared] ?? { icon: CircleHelp, tone: 'open' }
          return (
            <li key={category} className={`stage stage-${agrees ? tone : 'bad'}`}>
              {agrees ? <Icon size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
              <span className="stage-name">{valueName(category)}</span>
              <span className="stage-value">
                {mayDeclare && field ? (
                  <select
                    aria-label={words.declared(valueName(category))}
                    value={declared}
                    disabled={declare.isPending}
                    onChange={event => declare.mutate({ key: field.key, value: event.target.value })}
                  >
                    <Options of={field.of ?? []} name={valueName} />
                  </select>
                ) : (
                  valueName(declared)
                )}{' '}
                · {words.files(files, number(files))}
              </span>
            </li>
          )
        })}
      </ul>
      <Rules rules={readiness.rules} />
      {readiness.published && readiness.published.changes.length > 0 && (
        <p className="soft">
          {words.changedSincePublished(readiness.published.changes.length, date(readiness.published.at))}
        </p>
      )}
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

/** The rules of the house for publication, each with the day at which it is due. */
function Rules({ rules }: { readonly rules: Readiness['rules'] }) {
  const { words, language, date } = useLocale()
  if (rules.length === 0) return null
  return (
    <>
      <h3>{words.beforePublication}</h3>
      <ul className="readiness">
        {rules.map(rule => {
          const { name, met, due } = rule
          const Icon = met ? Check : CircleDashed
          return (
            <li key={name} className={`stage stage-${met ? 'good' : 'middling'}`}>
              <Icon size={18} aria-hidden="true" />
              <span className="stage-name">{ruleName(rule, language)}</span>
              <span className="stage-value">
                {met ? words.ruleMet : due === undefined ? words.ruleUnmet : words.ruleDue(date(due))}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The texts of a production. */
export function Texts({ entity, keys }: { readonly entity: Entity; readonly keys: readonly string[] }) {
  const { fieldName, language } = useLocale()
  return keys.flatMap(key => {
    const [value] = valuesOf(entity, key, language)
    if (value === undefined) return []
    const lang = entity.metadata.find(entry => entry.key === key && entry.value === value)?.lang
    return [
      <section key={key} className="prose">
        <h2 className="section-title">{fieldName(key)}</h2>
        <div lang={lang} dir="auto">
          <HtmlText html={textOf(value)} />
        </div>
      </section>
    ]
  })
}
