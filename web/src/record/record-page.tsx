import { Copy, Download, History, Merge, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from '../parts/router.tsx'

import { type Entity, isProblem } from '../../../client/index.ts'
import { Hierarchy } from '../browse/hierarchy.tsx'
import { DeleteRecord } from '../change/delete-record.tsx'
import { likeParameter, newAddress } from '../change/prefill.ts'
import { readinessFields } from '../data/readiness-fields.ts'
import { SeasonReadiness } from '../charts/season-readiness.tsx'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { coverShapes } from '../../../src/domain/find/cover-shapes.ts'
import { altOf, pictureRelations, useCovers } from '../data/use-covers.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useVenueZone } from '../data/use-zone.ts'
import { useRecord } from '../data/use-record.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Cover } from '../parts/picture.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { coverWidth } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { ExportDialog } from '../export/export-dialog.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { AddHere } from './add-here.tsx'
import { DeletedRecord } from './deleted-record.tsx'
import { Facts } from './facts.tsx'
import { Holdings, itemRelation } from './holdings.tsx'
import { WorkTree } from './work-tree.tsx'
import { Makers } from './makers.tsx'
import { MediaBoard, Pictures } from './media-board.tsx'
import { MediaPreview } from './media-preview.tsx'
import { NumberedParts } from './numbered-parts.tsx'
import { Texts } from './production-view.tsx'
import { Publish } from './publish.tsx'
import { Programme } from './programme.tsx'
import { RecordSource } from './record-source.tsx'
import { resolvedTarget } from './readable-relation.ts'
import { Referring } from './referring.tsx'
import { SeasonBoard } from './season-board.tsx'
import { Targets } from './targets.tsx'
import { WemLadder } from './wem-ladder.tsx'
import './record.css'

export default function RecordPage() {
  const { id = '' } = useParams()
  const record = useRecord(id)
  const nameOf = useNameOf()
  useTitle(record.data && nameOf(record.data))
  if (isProblem(record.error, 'not_found')) return <DeletedRecord id={id} query={record} />
  if (!record.data) return <QueryNote isWhole query={record} />
  // Another record starts with fresh state.
  return <RecordView key={record.data.id} entity={record.data} />
}

function RecordView({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const Body = bodies[model.familyOf(entity.type)] ?? PlainBody
  return (
    <article className="record">
      <RecordHead entity={entity} />
      <Body entity={entity} />
      <RecordSource entity={entity} />
      <RecordFoot entity={entity} />
    </article>
  )
}

function RecordHead({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const { words, typeName, language, valueName, fieldName } = useLocale()
  const nameOf = useNameOf()
  const [subtitle] = valuesOf(entity, 'subtitle', language)
  const [status] = valuesOf(entity, 'status', language)
  const langOf = useLangOf()
  const langOfSubtitle = entity.metadata.find(({ key, value }) => key === 'subtitle' && value === subtitle)?.lang
  const cover = useCovers([entity]).get(entity.id)
  const shape = coverShapes[model.familyOf(entity.type)]
  // A portrait is not made up, a cover is.
  const hasCover = cover !== undefined || shape === 'book'
  const [isDeleting, setDeleting] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const address = `/record/${encodeURIComponent(entity.id)}`
  return (
    <header className={hasCover ? 'record-head with-cover' : 'record-head'}>
      {hasCover && (
        <Cover
          fileId={cover?.id}
          title={nameOf(entity)}
          shape={shape ?? 'book'}
          width={coverWidth}
          alt={cover ? altOf(cover, language) : ''}
        />
      )}
      <p className="record-type">
        <FamilyIcon family={model.familyOf(entity.type)} size={16} /> {typeName(entity.type)}
        {!isEmpty(status) && (
          <span className={`tag status-${textOf(status)}`} title={fieldName('status')}>
            {valueName(textOf(status))}
          </span>
        )}
      </p>
      <h1 dir="auto" lang={langOf(entity)}>
        <Heading entity={entity} />
      </h1>
      {!isEmpty(subtitle) && (
        <p className="record-subtitle" dir="auto" lang={langOfSubtitle}>
          {textOf(subtitle)}
        </p>
      )}
      <Makers entity={entity} />
      <div className="record-actions">
        {model.may('write', entity.type) && (
          <Link className="button primary" to={`${address}/edit`}>
            <Pencil size={16} aria-hidden="true" /> {words.edit}
          </Link>
        )}
        <AddHere entity={entity} />
        <Publish entity={entity} />
        <Link className="button" to={`${address}/history`}>
          <History size={16} aria-hidden="true" /> {words.history}
        </Link>
        <Menu label={words.more}>
          {model.may('write', entity.type) && (
            <Link className="button" to={newAddress(entity.type, { [likeParameter]: entity.id })}>
              <Copy size={16} aria-hidden="true" /> {words.duplicate}
            </Link>
          )}
          <button type="button" className="button" onClick={() => setExporting(true)}>
            <Download size={16} aria-hidden="true" /> {words.export}
          </button>
          {model.may('write', entity.type) && model.may('delete', entity.type) && (
            <Link className="button" to={`${address}/merge`}>
              <Merge size={16} aria-hidden="true" /> {words.merge}
            </Link>
          )}
          {model.may('delete', entity.type) && (
            <button type="button" className="button" onClick={() => setDeleting(true)}>
              <Trash2 size={16} aria-hidden="true" /> {words.delete}
            </button>
          )}
        </Menu>
        {isExporting && (
          <ExportDialog
            title={words.exportRecord(nameOf(entity))}
            filters={[{ type: 'id', value: entity.id }]}
            count={1}
            name={entity.id}
            onClose={() => setExporting(false)}
          />
        )}
        {isDeleting && <DeleteRecord entity={entity} onClose={() => setDeleting(false)} />}
      </div>
    </header>
  )
}

interface BodyProps {
  readonly entity: Entity
}

/** The name of a record. That of a performance is its production and its time at the venue. */
function Heading({ entity }: BodyProps) {
  const { model } = useSession()
  const { moment } = useLocale()
  const nameOf = useNameOf()
  const { performance, production } = model.stage
  const zone = useVenueZone(entity.relations)
  const isPerformance = entity.type === performance?.type
  const toProduction = performance?.relations.find(({ to }) => production && to.includes(production.type))?.type
  const shownId = isPerformance ? entity.relations.find(({ type }) => type === toProduction)?.key : undefined
  const shown = useRecords(shownId === undefined ? [] : [shownId]).get(shownId ?? '')
  const start = textOf(valuesOf(entity, performance?.name_field ?? '')[0] ?? '')
  if (!isPerformance || start === '') return nameOf(entity)
  return shown ? `${nameOf(shown)} · ${moment(start, zone)}` : moment(start, zone)
}

/** The layout of a kind of record, where it is not the default one. */
const bodies: Readonly<Record<string, (props: BodyProps) => ReactNode>> = {
  work: WorkBody,
  expression: ExpressionBody,
  manifestation: ManifestationBody,
  production: ProductionBody,
  venue: StageBody,
  company: StageBody,
  booking_agency: StageBody,
  hall: StageBody,
  subscription: StageBody,
  tour: StageBody,
  season: SeasonBody
}

function PlainBody({ entity }: BodyProps) {
  const { model } = useSession()
  const { words } = useLocale()
  const climbsBy = model.find(entity.type)?.climbs_by
  return (
    <Columns side={<Side entity={entity} />}>
      <MediaPreview entity={entity} />
      {climbsBy !== undefined && (
        <section>
          <h2 className="section-title">{words.hierarchy}</h2>
          <Hierarchy type={entity.type} entity={entity} climbsBy={climbsBy} />
        </section>
      )}
      <NumberedParts entity={entity} />
      <Referring
        entity={entity}
        without={[...(climbsBy === undefined ? [] : [climbsBy]), ...model.partRelations(model.familyOf(entity.type))]}
      />
      <PicturesOf entity={entity} />
    </Columns>
  )
}

function WorkBody({ entity }: BodyProps) {
  const title = useNameOf()(entity)
  return (
    <Columns side={<Side entity={entity} />}>
      <WorkTree workId={entity.id} current={entity.id} known={title} />
      <Referring entity={entity} without={['refWork']} />
      <PicturesOf entity={entity} />
    </Columns>
  )
}

function ExpressionBody({ entity }: BodyProps) {
  const title = useNameOf()(entity)
  const workId = entity.relations.find(({ type }) => type === 'refWork')?.key
  return (
    <Columns side={<Side entity={entity} />}>
      {workId !== undefined && <WorkTree workId={workId} current={entity.id} known={title} />}
      <Referring entity={entity} without={['refExpressions']} />
    </Columns>
  )
}

function ManifestationBody({ entity }: BodyProps) {
  const { model } = useSession()
  return (
    <>
      <WemLadder entity={entity} />
      <Holdings entity={entity} />
      <NumberedParts entity={entity} />
      <Referring entity={entity} without={[itemRelation, ...model.partRelations(model.familyOf(entity.type))]} />
      <PicturesOf entity={entity} />
    </>
  )
}

function ProductionBody({ entity }: BodyProps) {
  const { model } = useSession()
  const row = model.find(entity.type)
  const texts = row?.fields.filter(({ kind }) => kind === 'html').map(({ key }) => key) ?? []
  const readiness = readinessFields(row?.fields ?? []).map(({ key }) => key)
  // The short text opens the page; the long one follows.
  const order = [...texts].sort((one, other) => Number(other.endsWith('_short')) - Number(one.endsWith('_short')))
  return (
    <Columns side={<Side entity={entity} without={[...texts, ...readiness, 'status']} />}>
      <MediaBoard entity={entity} />
      <Texts entity={entity} keys={order} />
      <Programme entity={entity} />
      <Referring entity={entity} without={['refProduction', 'refProductions']} />
    </Columns>
  )
}

/** Companies, booking agencies and venues: the programme comes first. */
function StageBody({ entity }: BodyProps) {
  return (
    <Columns side={<Side entity={entity} />}>
      <Programme entity={entity} />
      <Referring entity={entity} withoutFamilies={['performance']} />
      <PicturesOf entity={entity} />
    </Columns>
  )
}

function SeasonBody({ entity }: BodyProps) {
  const { model } = useSession()
  const { words } = useLocale()
  const boarded = model.stage.season?.relation
  return (
    <Columns side={<Side entity={entity} />}>
      <SeasonBoard entity={entity} />
      <section>
        <h2 className="section-title">{words.readiness}</h2>
        <SeasonReadiness seasonId={entity.id} />
      </section>
      <Programme entity={entity} />
      <Referring entity={entity} without={boarded === undefined ? [] : [boarded]} />
    </Columns>
  )
}

/** The pictures of a record of a kind that is shown with one. */
function PicturesOf({ entity }: BodyProps) {
  const { model } = useSession()
  const hasPictures = entity.relations.some(({ type }) => pictureRelations.includes(type))
  if (coverShapes[model.familyOf(entity.type)] === undefined && !hasPictures) return null
  return <Pictures entity={entity} />
}

function Columns({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="record-columns">
      <div className="record-main">{children}</div>
      <aside className="record-side">{side}</aside>
    </div>
  )
}

/** The fields and relations of the record. */
function Side({ entity, without = [] }: BodyProps & { readonly without?: readonly string[] }) {
  const { words } = useLocale()
  const { model } = useSession()
  const nameField = model.find(entity.type)?.name_field ?? ''
  const names = entity.metadata.filter(({ key }) => key === nameField)
  // The name is in the heading already, unless there are several.
  const hidden = [...without, 'subtitle', ...(names.length === 1 ? [nameField] : [])]
  const targets = entity.relations
    .filter(({ type }) => !pictureRelations.includes(type))
    .map(relation => resolvedTarget(relation.key, relation))
  return (
    <>
      <h2 className="visually-hidden">{words.about}</h2>
      <Facts entity={entity} without={hidden} zone={useVenueZone(entity.relations)} />
      <Targets targets={targets} />
    </>
  )
}

function RecordFoot({ entity }: BodyProps) {
  const { words, moment, whoName: who } = useLocale()
  const { created, updated } = entity.audit
  const others = entity.identifiers.filter(each => each !== entity._id && each !== entity.id)
  return (
    <footer className="record-foot">
      <p>
        <span className="code">{entity.id}</span>
        {others.map(each =>
          /^https?:\/\/\S+$/.test(each) ? (
            <a key={each} className="code outward" href={each} rel="noopener noreferrer">
              {each}
            </a>
          ) : (
            <span key={each} className="code">
              {each}
            </span>
          )
        )}
      </p>
      <p>
        {words.versionNumber(entity.version)} · {words.createdBy(who(created.by), moment(created.at))}
        {entity.version > 1 && ` · ${words.updatedBy(who(updated.by), moment(updated.at))}`}
      </p>
    </footer>
  )
}
