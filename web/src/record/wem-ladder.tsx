import { Link } from '../parts/router.tsx'

import { type Entity, isProblem, type WemLevel } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecord, useWem } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Facts } from './facts.tsx'
import { titleIn, WorkTree } from './work-tree.tsx'
import { resolvedTarget } from './readable-relation.ts'
import { Targets } from './targets.tsx'

/** A publication with its expression and its work, one level above the other. */
export function WemLadder({ entity }: { readonly entity: Entity }) {
  const { words } = useLocale()
  const title = useNameOf()(entity)
  const wem = useWem(entity.id)
  const expressionId = entity.relations.find(({ type }) => type === 'refExpressions')?.key
  const workId = useWorkOf(expressionId)
  if (!wem.data) {
    if (isProblem(wem.error, 'incomplete_wem')) return <p className="note note-warn">{words.incompleteLevels}</p>
    return <QueryNote query={wem} />
  }
  return (
    <>
      <div className="ladder">
        <Rung name="manifestation" label={words.manifestation} level={wem.data.manifestation} known={title} />
        <Rung name="expression" label={words.expression} level={wem.data.expression} known={title} id={expressionId} />
        <Rung name="work" label={words.work} level={wem.data.work} known={title} id={workId} />
      </div>
      {workId !== undefined && (
        <>
          <h2 className="section-title">{words.expressionsAndEditions}</h2>
          <WorkTree workId={workId} current={entity.id} known={title} />
        </>
      )}
    </>
  )
}

interface RungProps {
  readonly name: string
  readonly label: string
  readonly level: WemLevel
  /** The title in the heading of the page, which is not repeated. */
  readonly known: string
  readonly id?: string | undefined
}

function Rung({ name, label, level, known, id }: RungProps) {
  const { language } = useLocale()
  const { title, lang } = titleIn(level, language)
  const address = `/record/${encodeURIComponent(id ?? '')}`
  const metadata = Object.entries(level.metadata).flatMap(([key, { value, values, lang, langs }]) =>
    (values ?? [value]).map((each, index) => {
      const spoken = langs?.[index] ?? lang
      return { key, value: each, ...(spoken ? { lang: spoken } : {}) }
    })
  )
  const targets = Object.entries(level.relations).map(([key, relation]) => resolvedTarget(key, relation))
  return (
    <section className={`rung level-${name}`}>
      <h2>
        <span className="level-label">{id === undefined ? label : <Link to={address}>{label}</Link>}</span>
        {title !== known && <bdi lang={lang}>{id === undefined ? title : <Link to={address}>{title}</Link>}</bdi>}
      </h2>
      <div className="rung-body">
        <Facts entity={{ type: level.type, metadata }} without={['title', ...(id === undefined ? ['subtitle'] : [])]} />
        <Targets targets={targets} />
      </div>
    </section>
  )
}

function useWorkOf(expressionId: string | undefined): string | undefined {
  const { data } = useRecord(expressionId ?? '')
  return data?.relations.find(({ type }) => type === 'refWork')?.key
}
