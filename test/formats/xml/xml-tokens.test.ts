import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SaxesParser } from 'saxes'

import { createXmlTokens, XmlTrouble } from '#formats/xml/xml-tokens.ts'
import { createChance, isLong, repeatable, seed } from '../../support/records/chance.ts'

/*
 * Our tokenizer beside saxes, a parser that follows the whole of XML 1.0: the same elements and
 * texts, and no where it says no.
 */

type Event = readonly [kind: string, ...rest: string[]]

function ours(text: string, size: number): Event[] | 'refused' {
  const events: Event[] = []
  const tokens = createXmlTokens(
    {
      open: (name, attributes) => events.push(['open', name, ...[...attributes].sort().flat()]),
      close: name => events.push(['close', name]),
      text: each => addText(events, each)
    },
    1e6
  )
  try {
    for (let from = 0; from < text.length; from += size) tokens.write(text.slice(from, from + size))
    tokens.end()
    return events
  } catch (error) {
    if (error instanceof XmlTrouble) return 'refused'
    throw error
  }
}

function theirs(text: string): Event[] | 'refused' {
  const events: Event[] = []
  const parser = new SaxesParser({ xmlns: false })
  const refuse = () => {
    throw new XmlTrouble('refused', '')
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    depth++
    events.push(['open', name, ...Object.entries(attributes).sort().flat()])
  })
  parser.on('closetag', ({ name }) => {
    depth--
    events.push(['close', name])
  })
  const inside = (each: string) => {
    if (depth > 0) addText(events, each)
  }
  parser.on('text', inside)
  parser.on('cdata', inside)
  try {
    parser.write(text).close()
    return events
  } catch (error) {
    if (error instanceof XmlTrouble) return 'refused'
    throw error
  }
}

function addText(events: Event[], text: string) {
  const last = events.at(-1)
  if (text === '') return
  if (last?.[0] === 'text') events[events.length - 1] = ['text', `${last[1]}${text}`]
  else events.push(['text', text])
}

describe('The XML tokenizer', () => {
  const pieces = [
    ...[
      '<a>',
      '</a>',
      '<a/>',
      '<b c="d">',
      '</b>',
      '<b c=\'d\' e="f"/>',
      '<é x:y="ü"/>',
      'text',
      ' ',
      '\n',
      '\r\n',
      '\r',
      '&amp;',
      '&lt;',
      '&#65;',
      '&#x1F600;'
    ],
    ...[
      '<!-- c -->',
      '<!-- - -->',
      '<?pi x?>',
      '<![CDATA[<x>&]]>',
      '<!DOCTYPE a>',
      '<?xml version="1.0"?>',
      ']]>',
      '&',
      '&bad;',
      '&#0;',
      '&#xD800;',
      '<',
      '>',
      '"',
      "'"
    ],
    ...[
      '<a b=1>',
      '<a b>',
      '<a b="1" b="2">',
      '<a b="<">',
      '<a b="&gt;\t\n">',
      '<1>',
      '< a>',
      '</ a>',
      '</a >',
      '<a / >',
      '\u0001',
      '\ufffe',
      '日本',
      '𝒳',
      '<!-',
      '<!--x--',
      '<![CDATA[x',
      '\ufeff',
      '=',
      '/>'
    ]
  ] as const

  it('says the same as saxes of random pieces put together, however they are cut', () =>
    repeatable(async () => {
      const chance = createChance(seed)
      let sound = 0
      for (let round = 0; round < (isLong ? 300_000 : 20_000); round++) {
        const count = 1 + chance.below(8)
        const inner = Array.from({ length: count }, () => chance.pickOr(pieces, '')).join('')
        // Half of them lie in a root, so that more are well formed.
        const text = chance.oneIn(2) ? inner : `<r>${inner}</r>`
        const expected = theirs(text)
        if (expected !== 'refused') sound++
        assert.deepEqual(ours(text, 1_000), expected, JSON.stringify(text))
        assert.deepEqual(ours(text, 1 + chance.below(5)), expected, JSON.stringify(text))
      }
      assert.ok(sound > 1_000, `only ${sound} were well formed`)
    }))
})
