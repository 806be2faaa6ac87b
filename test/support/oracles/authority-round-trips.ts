import assert from 'node:assert/strict'

import type { Entity } from '#domain/entity/entity.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { authorityTables } from '#formats/marc/mapping/authority-tables.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import type { Chance } from '../records/chance.ts'
import { harvest } from '../services/harvest.ts'
import type { TestService } from '../services/start.ts'
import {
  changedSubfield,
  collectionOf,
  editInTurns,
  type Edit,
  exportElsewhere,
  foldOf,
  idsByNumber,
  lineOf,
  type Moment,
  readAll
} from './round-trips.ts'

/*
 * The same for authority records: one field is edited in the model, one in the authority record,
 * and the records come out in every way.
 */

type Records = Map<string, MarcRecord>

/** The authority records by each way out; single records for the ids that are named. */
async function everyDoor(service: TestService, ids: readonly string[], moment: Moment): Promise<Map<string, Records>> {
  const { get } = service
  const doors = new Map<string, Records>()
  doors.set('export of marcauth', await readAll(Buffer.from((await get('/export?format=marcauth')).text), 'marcxml'))
  const single: Records = new Map()
  for (const id of ids) {
    const { text } = await get(`/entities/${id}?format=marcauth`)
    for (const [number, record] of await readAll(Buffer.from(text), 'marcxml')) single.set(number, record)
  }
  doors.set('marcauth of one', single)
  if (moment === 'between') return doors
  const { documents } = await harvest(
    async query => (await get(`/oai?${query}`)).text,
    'verb=ListRecords&metadataPrefix=marcauth'
  )
  doors.set('OAI-PMH', await readAll(collectionOf(documents), 'marcxml'))
  const answers: string[] = []
  for (const type of new Set(authorityTables.marc21.map(each => each.type)))
    for (let from = 1; ; from += 100) {
      const query = `version=1.2&operation=searchRetrieve&query=cql.allRecords=1&maximumRecords=100&startRecord=${from}`
      const { text } = await get(`/sru/${type}?${query}&recordSchema=marcauth`)
      answers.push(text)
      if (!text.includes('nextRecordPosition')) break
    }
  doors.set('SRU', await readAll(collectionOf(answers), 'marcxml'))
  if (moment === 'after')
    for (const [door, bytes] of await exportElsewhere(service, 'marcauth'))
      doors.set(door, await readAll(bytes, 'marcxml'))
  return doors
}

/** Fields of the model that take any words. */
const editable = [
  ...['name', 'title', 'non_preferred_name', 'biography', 'scope_note', 'note', 'source'],
  ...['field_of_activity', 'occupation']
]

async function editModel({ get, patch }: TestService, id: string, chance: Chance): Promise<Edit | undefined> {
  const entity: Entity = (await get(`/entities/${id}`)).body
  const chosen = chance.pickOr(
    entity.metadata.filter(({ key }) => editable.includes(key)),
    undefined
  )
  if (chosen === undefined) return undefined
  const value = `${chosen.value} changed${chance.below(1_000_000)}`
  const own = entity.metadata.filter(({ key }) => key === chosen.key)
  const answer = await patch(`/entities/${id}`, {
    metadata: own.map(each => (each.value === chosen.value ? { ...each, value } : each))
  })
  assert.equal(answer.status, 200, answer.text)
  const [was, is] = [foldOf(chosen.value), foldOf(value)]
  return {
    says: `${chosen.key} of ${id}: "${chosen.value}" becomes "${value}"`,
    explains: (line, which) => foldOf(line.slice(7).replaceAll(/\$./g, ' ')).includes(which === 'gone' ? was : is)
  }
}

async function editSource(
  { put }: TestService,
  id: string,
  shown: MarcRecord,
  chance: Chance
): Promise<Edit | undefined> {
  const changed = changedSubfield(shown, chance)
  if (changed === undefined) return undefined
  const answer = await put(`/entities/${id}`, writeMarcXml({ leader: shown.leader, fields: changed.fields }), {
    headers: { 'content-type': 'application/marcxml+xml', 'if-match': '*' }
  })
  assert.equal(answer.status, 200, answer.text)
  const [was, is] = [shown.fields[changed.index], changed.fields[changed.index]].map(field => field && lineOf(field))
  return { says: `${was} becomes ${is}`, explains: (line, which) => line === (which === 'gone' ? was : is) }
}

/** Edits one field of every authority in the model and one in its record, in both orders. */
export async function editAuthorities(service: TestService, sources: Records, chance: Chance): Promise<number> {
  const ids = new Map([...(await idsByNumber(service, 'marcauth'))].filter(([number]) => sources.has(number)))
  assert.equal(ids.size, sources.size)
  return editInTurns(ids, {
    door: 'export of marcauth',
    sources,
    readDoors: (sample, moment) => everyDoor(service, sample, moment),
    inModel: id => editModel(service, id, chance),
    inSource: (id, record) => editSource(service, id, record, chance)
  })
}
