import { controlsLeftOut, type Defect, notTwoIndicators, overLimit } from '../source/defects.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import type { ByteSource } from '../source/bytes.ts'
import { withoutControls } from './iso2709-record.ts'
import { checkLeader } from './leader.ts'
import { type Readings, type Reading, type ReadOptions, readingOf } from './reading.ts'
import { isDataField, type MarcField, type MarcRecord, type Subfield } from './record.ts'
import { marcXmlNamespace } from '../xml/namespaces.ts'
import { decodeXmlText } from '../xml/xml-text.ts'
import { type Attributes, createXmlTokens, type XmlTokens, XmlTrouble } from '../xml/xml-tokens.ts'

const marcTag = /^[0-9A-Za-z]{3}$/

/**
 * Reads a file of MARCXML: a collection, a single record, or records inside another document such
 * as an answer of OAI-PMH, where a deleted header is a deletion. Elements are matched without their
 * prefix; many files leave the namespace out. `tags` are the valid tags.
 *
 * A document type is refused. If the file is not well-formed, that is reported, and reading
 * continues at the next record.
 */
export async function* readMarcXml(source: ByteSource, options: ReadOptions = {}, tags = marcTag): Readings {
  const reader = new MarcXmlReader(options.maxRecordBytes ?? defaultMaxRecordBytes, tags)
  for await (const text of decodeXmlText(source)) {
    yield* reader.read(text)
    if (reader.isDone) return
  }
  yield* reader.end()
}

export const marcXmlHead = `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="${marcXmlNamespace}">\n`
export const marcXmlTail = '</collection>\n'

/** Writes a record as an element of its own, or within a collection. */
export function writeMarcXml(record: MarcRecord, options: { readonly isWithinCollection?: boolean } = {}): string {
  let xml = options.isWithinCollection ? '<record>\n' : `<record xmlns="${marcXmlNamespace}">\n`
  xml += `  <leader>${escapeXml(record.leader)}</leader>\n`
  for (const field of record.fields) {
    const tag = escapeXml(field.tag)
    if (!isDataField(field)) {
      xml += `  <controlfield tag="${tag}">${escapeXml(field.value)}</controlfield>\n`
      continue
    }
    const { indicators } = field
    const [first, second] = [indicators[0] ?? ' ', indicators[1] ?? ' ']
    xml += `  <datafield tag="${tag}" ind1="${escapeXml(first)}" ind2="${escapeXml(second)}">\n`
    for (const { code, value } of field.subfields)
      xml += `    <subfield code="${escapeXml(code)}">${escapeXml(value)}</subfield>\n`
    xml += '  </datafield>\n'
  }
  return `${xml}</record>\n`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these at all
const impossibleInXml = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

function escapeXml(text: string): string {
  if (!/[&<>"\r\n\t\ufffe\uffff\ud800-\udfff]|[^\x20-\ud7ff]/.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(impossibleInXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\r\n\t]/g, character => `&#${character.charCodeAt(0)};`)
}

/** A record as far as it has been read. */
interface Draft {
  readonly start: number
  leader: string | undefined
  readonly fields: MarcField[]
  readonly defects: Defect[]
  datafield: { tag: string; indicators: string; subfields: Subfield[] } | undefined
  oaiIdentifier: string | undefined
  isOaiDeleted: boolean
  /** Whether it contains another record, and so is the envelope of OAI-PMH. */
  isEnvelope: boolean
}

/** The text of an element, as far as it has arrived. */
interface ElementText {
  readonly name: string
  readonly attributes: Attributes
  text: string
}

/**
 * Reads MARCXML in pieces. Its state is the stack of records around the current position, and the
 * text that may still be needed as the source of a record.
 */
class MarcXmlReader {
  readonly #ready: Reading[] = []
  #count = 0
  /** The text from the beginning of the current record, or the last few characters. */
  #retained = ''
  /** The start of the retained text, in characters of the parser, and in bytes of the file. */
  #retainedAt = 0
  #retainedByte = 0
  #drafts: Draft[] = []
  #textOf: ElementText | undefined
  #isOver = false
  /**
   * Whether a record without an end was reported; the wrong end of its collection is not reported
   * again.
   */
  #isUnended = false
  /** Whether reading continues at the next record after an error, as a fragment of XML. */
  #isLookingForRecord = false
  #isPiece = false
  #isRefused = false
  readonly #limit: number
  readonly #tags: RegExp
  #parser: XmlTokens

  constructor(limit: number, tags: RegExp) {
    this.#limit = limit
    this.#tags = tags
    this.#parser = this.#createParser()
  }

  get isDone(): boolean {
    return this.#isRefused
  }

  *read(chunk: string): Generator<Reading, void, undefined> {
    // Small steps, so that the limits are checked often enough.
    for (let from = 0; from < chunk.length && !this.#isRefused; from += step) {
      const text = chunk.slice(from, from + step)
      this.#retained += text
      let todo: string | undefined = this.#isLookingForRecord ? this.#startAgain() : text
      while (todo !== undefined) {
        try {
          this.#parser.write(todo)
          this.#checkLimits()
          todo = undefined
        } catch (error) {
          if (!(error instanceof XmlTrouble)) throw error
          this.#recover(error)
          todo = this.#isLookingForRecord ? this.#startAgain() : undefined
        }
      }
      if (this.#drafts.length === 0 && !this.#isLookingForRecord) this.#dropBefore(this.#parser.position())
      yield* this.#ready.splice(0)
    }
  }

  *end(): Generator<Reading, void, undefined> {
    if (!this.#isRefused && !this.#isLookingForRecord) {
      try {
        if (this.#isPiece && this.#drafts.length === 0) return
        this.#parser.end()
      } catch (error) {
        if (!(error instanceof XmlTrouble)) throw error
        this.#reportTrouble(error)
      }
    }
    yield* this.#ready.splice(0)
  }

  #createParser(): XmlTokens {
    return createXmlTokens(
      {
        open: (name, attributes, start) => {
          if (localName(name) === 'record') this.#startRecord(start)
          this.#openElement(localName(name), attributes)
        },
        close: (name, end) => this.#closeElement(localName(name), end),
        text: text => {
          if (this.#textOf !== undefined) this.#textOf.text += text
        }
      },
      this.#limit
    )
  }

  #startRecord(start: number) {
    const around = this.#drafts.at(-1)
    if (around !== undefined && !around.isEnvelope) {
      around.isEnvelope = true
      // A record with content that does not end before the next one begins.
      if (around.leader !== undefined || around.fields.length > 0) {
        const { position, source } = this.#placeOf(around.start, start)
        this.#reportUnreadable({ kind: 'not_well_formed', message: 'The record has no end' }, around, position, source)
        this.#isUnended = true
      }
    }
    this.#drafts.push({
      start,
      leader: undefined,
      fields: [],
      defects: [],
      datafield: undefined,
      oaiIdentifier: around?.oaiIdentifier,
      isOaiDeleted: false,
      isEnvelope: false
    })
  }

  #openElement(name: string, attributes: Attributes) {
    const draft = this.#drafts.at(-1)
    if (draft === undefined) return
    if (name === 'header') draft.isOaiDeleted = attributes.get('status') === 'deleted'
    if (name === 'datafield') {
      const tag = readTag(attributes, draft, this.#tags)
      // A field of PICA XML has the number of its occurrence instead.
      const occurrence = attributes.get('occurrence') ?? ''
      const [one = occurrence[0] ?? ' ', two = occurrence[1] ?? ' '] = [
        attributes.get('ind1'),
        attributes.get('ind2')
      ].map(each => (each === '' ? ' ' : each))
      if (one.length !== 1 || two.length !== 1) draft.defects.push(notTwoIndicators(tag))
      draft.datafield = { tag, indicators: (one[0] ?? ' ') + (two[0] ?? ' '), subfields: [] }
    }
    if (['leader', 'controlfield', 'subfield', 'identifier'].includes(name))
      this.#textOf = { name, attributes, text: '' }
  }

  #closeElement(name: string, end: number) {
    const draft = this.#drafts.at(-1)
    if (draft === undefined) return
    if (this.#textOf?.name === name) {
      this.#addContent(draft, this.#textOf)
      this.#textOf = undefined
    }
    if (name === 'datafield' && draft.datafield !== undefined) {
      const { tag, subfields } = draft.datafield
      if (subfields.length === 0) draft.defects.push({ kind: 'empty_field', message: `A field ${tag} is empty`, tag })
      else draft.fields.push(draft.datafield)
      draft.datafield = undefined
    }
    if (name !== 'record') return
    this.#drafts.pop()
    this.#finish(draft, end)
    // An envelope is not retained: a collection without an end would be one, too.
    if (this.#drafts.at(-1)?.isEnvelope ?? true) this.#dropBefore(end)
  }

  #addContent(draft: Draft, { name, attributes, text }: ElementText) {
    if (name === 'identifier') {
      draft.oaiIdentifier ??= text.trim()
      return
    }
    const value = withoutControls(text)
    if (value !== text) draft.defects.push(controlsLeftOut)
    if (value.includes('\ufffd') && !draft.defects.some(each => each.kind === 'undecodable'))
      draft.defects.push({ kind: 'undecodable', message: 'Bytes are not in the encoding that the file declares' })
    if (name === 'leader') draft.leader = value
    else if (name === 'controlfield') {
      const tag = readTag(attributes, draft, this.#tags)
      if (value === '') draft.defects.push({ kind: 'empty_field', message: `A field ${tag} is empty`, tag })
      else draft.fields.push({ tag, value })
    } else if (draft.datafield !== undefined) {
      const { tag, subfields } = draft.datafield
      const code = attributes.get('code') ?? ''
      if ([...code].length !== 1)
        draft.defects.push({
          kind: 'bad_subfield',
          message: `A field ${tag} has a subfield with the code "${code}"`,
          tag
        })
      subfields.push({ code, value })
    }
  }

  #finish(draft: Draft, end: number) {
    const isEmpty = draft.leader === undefined && draft.fields.length === 0
    if (draft.isEnvelope || (isEmpty && draft.oaiIdentifier !== undefined && !draft.isOaiDeleted)) return
    const { position, source } = this.#placeOf(draft.start, end)
    if (this.#isOver) {
      this.#isOver = false
      this.#reportUnreadable(overLimit(this.#limit), draft, position, source)
      return
    }
    if (isEmpty && draft.isOaiDeleted) {
      const { oaiIdentifier, defects } = draft
      const base = { form: 'marcxml', position, controlNumber: undefined, defects, source } as const
      this.#ready.push({ ...base, outcome: 'deletion', record: undefined, oaiIdentifier })
      return
    }
    if (isEmpty) {
      this.#reportUnreadable(
        { kind: 'not_marc', message: 'The record has neither a leader nor fields' },
        draft,
        position,
        source
      )
      return
    }
    const record = { leader: checkLeader(draft.leader, draft.defects), fields: draft.fields }
    this.#ready.push(
      readingOf(
        { form: 'marcxml', position, source, record, encoding: 'utf-8', oaiIdentifier: draft.oaiIdentifier },
        draft.defects
      )
    )
  }

  #placeOf(start: number, end: number) {
    const offset =
      this.#retainedByte + Buffer.byteLength(this.#retained.slice(0, Math.max(0, start - this.#retainedAt)))
    const source = Buffer.from(this.#retained.slice(Math.max(0, start - this.#retainedAt), end - this.#retainedAt))
    return { position: { number: ++this.#count, offset, length: source.length }, source }
  }

  #reportUnreadable(defect: Defect, draft: Draft | undefined, position: Reading['position'], source: Buffer) {
    const field = draft?.fields.find(each => each.tag === '001')
    const controlNumber = field !== undefined && !isDataField(field) ? field.value.trim() : undefined
    this.#ready.push({
      outcome: 'unreadable',
      form: 'marcxml',
      position,
      controlNumber,
      defects: [...(draft?.defects ?? []), defect],
      source: source.subarray(0, maxUnreadableBytes)
    })
  }

  /** Drops the text before a position. */
  #dropBefore(place: number) {
    const count = Math.min(this.#retained.length, place - this.#retainedAt)
    if (count <= 0) return
    this.#retainedByte += Buffer.byteLength(this.#retained.slice(0, count))
    this.#retained = this.#retained.slice(count)
    this.#retainedAt += count
  }

  #reportTrouble(trouble: XmlTrouble) {
    const draft = this.#drafts.findLast(each => !each.isEnvelope)
    // A fragment from the middle of a file ends with end tags of elements that began before it: not
    // an error.
    if ((this.#isPiece || this.#isUnended) && draft === undefined && trouble.kind === 'not_well_formed') return
    const start = draft?.start ?? Math.max(this.#retainedAt, this.#parser.position() - 1)
    const { position, source } = this.#placeOf(
      start,
      Math.max(start, Math.min(this.#parser.position(), this.#retainedAt + this.#retained.length))
    )
    this.#reportUnreadable({ kind: trouble.kind, message: trouble.message }, draft, position, source)
  }

  #recover(trouble: XmlTrouble) {
    this.#reportTrouble(trouble)
    // After the unreadable part, so that it is not found again.
    this.#dropBefore(Math.max(this.#parser.position() + 1, this.#retainedAt))
    this.#drafts = []
    this.#textOf = undefined
    this.#isOver = false
    this.#isLookingForRecord = trouble.kind !== 'refused'
    this.#isRefused = trouble.kind === 'refused'
  }
  /**
   * Continues at the next record in the retained text, in a new parser. Returns the text to parse.
   */
  #startAgain(): string | undefined {
    const found = recordStart.exec(this.#retained)
    if (found === null) {
      // The end of the chunk may cut the beginning of a tag.
      this.#dropBefore(this.#retainedAt + Math.max(0, this.#retained.length - 200))
      return undefined
    }
    this.#dropBefore(this.#retainedAt + found.index)
    this.#isLookingForRecord = false
    this.#isPiece = true
    this.#parser = this.#createParser()
    this.#parser.write(pieceRoot)
    // The positions of the new parser begin with its root.
    this.#retainedAt = pieceRoot.length
    return this.#retained
  }

  #checkLimits() {
    const draft = this.#drafts.at(-1)
    if (draft === undefined || draft.isEnvelope || this.#parser.position() - draft.start <= this.#limit || this.#isOver)
      return
    // The rest of the record is skipped.
    this.#isOver = true
    draft.fields.splice(1)
    draft.datafield = undefined
    this.#retained = this.#retained.slice(0, maxUnreadableBytes)
  }
}

const step = 65_536
const pieceRoot = '<piece>'
const recordStart = /<(?:[\w.-]+:)?record(?=[\s>/])/

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function readTag(attributes: Attributes, draft: Draft, tags: RegExp): string {
  const tag = attributes.get('tag') ?? ''
  if (tags.test(tag)) return tag
  draft.defects.push({ kind: 'bad_field', message: `A field has the tag "${tag}"` })
  return tag
    .replaceAll(/[^0-9A-Za-z]/g, '?')
    .padEnd(3, '?')
    .slice(0, 3)
}
