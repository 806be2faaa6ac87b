import { type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { MarcField } from '../record.ts'
import { dataField, textOf, textsOf } from './composer.ts'

/**
 * Writes items as MARC: 852 for each, and 876 beside it, linked by $8, if it has a status, a
 * volume or a licence.
 */
export function composeItems(items: readonly PublicationLevel[], firstLink = 1): MarcField[] {
  return items.flatMap((item, place) => {
    const [status, volume, barcode] = [textOf(item, 'status'), textOf(item, 'volume'), textOf(item, 'barcode')]
    const licences = textsOf(item.entity, 'licence')
    const hasPiece = status !== undefined || volume !== undefined || licences.length > 0
    const link = firstLink + place
    return [
      ...composePlace(item, {
        link: hasPiece ? link : undefined,
        barcode: hasPiece ? undefined : barcode,
        notes: textsOf(item.entity, 'note')
      }),
      ...(hasPiece
        ? dataField('876', '  ', [
            ['8', `${link}.1`],
            ['3', volume],
            ...licences.map(each => ['h', each] as const),
            ['j', status],
            ['p', barcode]
          ])
        : [])
    ]
  })
}

interface PlaceParts {
  readonly link: number | undefined
  readonly barcode?: string | undefined
  readonly notes: readonly string[]
}

/** The 852 of an item. */
export function composePlace(item: PublicationLevel, { link, barcode, notes }: PlaceParts): MarcField[] {
  const library = relatedBy(item, holdings.at)[0]
  const [code, branch] = splitCode(textOf(library, 'code') ?? textOf(library, 'name'))
  return dataField('852', '8 ', [
    ['8', link === undefined ? undefined : String(link)],
    ['a', code],
    ['b', branch],
    ['c', textOf(item, 'location')],
    ['j', textOf(item, 'shelf_mark')],
    ['p', barcode],
    ...textsOf(item.entity, 'link').map(address => ['u', address] as const),
    ...notes.map(note => ['z', note] as const)
  ])
}

/** The library and its branch, as `libraryNamed` in mapping/items.ts joins them. */
function splitCode(code: string | undefined): [string | undefined, string | undefined] {
  const cut = code?.indexOf('/') ?? -1
  return cut < 0 ? [code, undefined] : [code?.slice(0, cut), code?.slice(cut + 1)]
}
