import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'
import { SaxesParser } from 'saxes'

import { element, escapeXml, xmlDocument } from '#formats/xml/write-xml.ts'
import { anyCharacter } from '../../support/records/any-character.ts'

/** The texts and attributes of an element, as another parser reads them. */
function read(document: string): { text: string; attributes: Record<string, string> } {
  const parser = new SaxesParser()
  let text = ''
  let isInside = false
  let attributes: Record<string, string> = {}
  parser.on('opentag', tag => {
    attributes = tag.attributes as Record<string, string>
    isInside = true
  })
  parser.on('closetag', () => {
    isInside = false
  })
  parser.on('text', found => {
    if (isInside) text += found
  })
  parser.on('error', error => {
    throw error
  })
  parser.write(document).close()
  return { text, attributes }
}

describe('Written XML', () => {
  it('gives any text back as it was, but for what XML cannot hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), text => {
        const document = xmlDocument(element('a', { b: text }, text))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
        const kept = text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
        const found = read(document)
        assert.equal(found.text, kept)
        assert.equal(found.attributes.b, kept)
      }),
      { numRuns: 2000, seed: 2026 }
    )
  })

  it('takes elements as they are, and leaves out attributes without a value', () => {
    const inner = element('b', { c: undefined, d: 1 })
    assert.equal(element('a', {}, inner, '<b/>', undefined, 2).markup, '<a><b d="1"/>&lt;b/&gt;2</a>')
  })

  it('leaves text alone that needs nothing', () => {
    for (const text of ['', 'Hamlet', 'Übergröße — 愛 \u{1f600}', "it's"]) assert.equal(escapeXml(text), text)
  })
})
