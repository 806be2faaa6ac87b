import type { MarcRecord } from '#formats/marc/record.ts'
import { createChance } from './random.ts'

/**
 * Records of about the size and the mixture of real ones: a third of them with letters beyond
 * ASCII.
 */
export function* madeRecords(count: number): Generator<MarcRecord> {
  const chance = createChance(2026)
  const words =
    'zee stad nacht huis tijd moeder wereld winter verhaal geheim licht oorlog vriend história été naïve Łódź Ångström'.split(
      ' '
    )
  const text = (length: number) =>
    Array.from({ length }, () => chance.one(chance.is(0.7) ? words.slice(0, 13) : words)).join(' ')
  const data = (tag: string, indicators: string, ...subfields: readonly [string, string][]) => ({
    tag,
    indicators,
    subfields: subfields.map(([code, value]) => ({ code, value }))
  })
  for (let number = 0; number < count; number++) {
    yield {
      leader: '00000cam a2200000 a 4500',
      fields: [
        { tag: '001', value: String(number) },
        { tag: '003', value: 'BeXX' },
        { tag: '008', value: `970513s${1950 + chance.below(70)}    be a     b    000 0 dut  ` },
        data('020', '  ', ['a', `978902860${chance.below(9000) + 1000}`]),
        data('035', '  ', ['a', `(BeXX)${number}`]),
        data('041', '1 ', ['a', 'dut'], ['h', 'eng']),
        data('100', '1 ', ['a', `${text(1)}, ${text(1)},`], ['d', '1948-'], ['4', 'aut']),
        data('240', '10', ['a', `${text(2)}.`], ['l', 'Dutch']),
        data(
          '245',
          '10',
          ['a', `${text(3)} :`],
          ['b', `${text(4)} /`],
          ['c', `${text(2)} ; vertaald door ${text(2)}.`]
        ),
        data('264', ' 1', ['a', 'Gent :'], ['b', `${text(2)},`], ['c', '1997.']),
        data('300', '  ', ['a', '125 p. :'], ['b', 'ill. ;'], ['c', '21 cm.']),
        data('490', '1 ', ['a', `${text(3)} ;`], ['v', '2']),
        ...Array.from({ length: 3 }, () => data('500', '  ', ['a', text(12)])),
        ...Array.from({ length: 3 }, () => data('650', ' 0', ['a', text(1)], ['x', text(1)], ['z', 'Gent'])),
        data('700', '1 ', ['a', `${text(1)}, ${text(1)},`], ['e', 'translator.'])
      ]
    }
  }
}
