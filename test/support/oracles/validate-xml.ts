import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'

import { validateXML } from 'xmllint-wasm'

import { recordSchema } from '#formats/native/write-record-xml.ts'
import { testStore } from '../databases/database.ts'

/*
 * Checks XML against the schemas in test/schemas, which were written from the standards for these
 * tests, and against our own. Everything inside is checked strictly: an element that no schema
 * knows is a fault.
 */

const folder = new URL('../../schemas/', import.meta.url)
const files = [
  ...readdirSync(folder).map(fileName => ({ fileName, contents: readFileSync(new URL(fileName, folder), 'utf8') })),
  { fileName: 'libretto.xsd', contents: recordSchema }
]

const namespaceOf = (schema: string) => /targetNamespace="([^"]*)"/.exec(schema)?.[1] ?? ''

/** One schema that knows all the others. */
const everything = `<?xml version="1.0"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${files
  .map(({ fileName, contents }) => `<xs:import namespace="${namespaceOf(contents)}" schemaLocation="${fileName}"/>`)
  .join('')}</xs:schema>`

/** Returns the faults of documents; empty if they are valid. */
export async function xmlFaults(...documents: readonly string[]): Promise<string[]> {
  const { valid, errors, rawOutput } = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `document-${index + 1}.xml`, contents })),
    schema: { fileName: 'everything.xsd', contents: everything },
    preload: files,
    maxMemoryPages: 16_384
  })
  if (valid) return []
  return errors.length > 0 ? errors.map(({ rawMessage }) => rawMessage) : [rawOutput]
}

/**
 * On SQLite only: what XML looks like does not depend on the database, and checking takes a while.
 */
export async function assertValid(...documents: readonly string[]) {
  assert.ok(documents.length > 0)
  if (testStore !== 'sqlite') return
  assert.deepEqual(await xmlFaults(...documents), [])
}
