import type { Entity } from '#domain/entity/entity.ts'
import { byRelevance } from '#domain/filter/order.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readSearchText } from '#domain/search/search-language.ts'
import type { RecordDescription, RelationDraft } from '#formats/description/description.ts'
import { buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'

/*
 * How often somebody who looks for a publication they know finds it among the first three, in the
 * index alone.
 */

const model = createModel(builtInRecordTypes)

/** A publication with what somebody remembers of it. */
export interface KnownItem {
  readonly id: string
  readonly author: string
  readonly title: string
  readonly year: string
}

/** The text that is typed to find a publication. */
export const askedFor: Readonly<Record<string, (item: KnownItem) => string>> = {
  'author and title': ({ author, title }) => `${author} ${title}`,
  'title, year and author': ({ author, title, year }) => `${title} ${year} ${author}`,
  'title by author': ({ author, title }) => `${title} by ${inOrder(author)}`
}

/** `Twain, Mark` as it is said. */
const inOrder = (name: string) => name.split(', ').toReversed().join(' ').trim()

const publications = model.typesNamed('manifestation')

/** Finds the place of each publication among all publications; 0 for none of the first 20. */
export function rankItems(index: CatalogueIndex, items: readonly KnownItem[], ask: (item: KnownItem) => string) {
  return items.map(item => {
    const { numbers } = find(
      index,
      {
        filter: {
          kind: 'all',
          of: [{ kind: 'types', types: publications }, readSearchText(model, ask(item).slice(0, 512))]
        },
        order: byRelevance,
        skip: 0,
        limit: 20,
        counted: false,
        readableTypes: undefined
      },
      () => new Map(),
      () => []
    )
    return { item, rank: numbers.findIndex(number => index.idOf(number) === item.id) + 1 }
  })
}

export const amongFirstThree = (ranks: readonly { readonly rank: number }[]) =>
  ranks.filter(({ rank }) => rank > 0 && rank <= 3).length

/** A catalogue in which every description is a work, its expressions and a publication. */
export class DescribedCatalogue {
  readonly #builder = buildBase()
  readonly #targets = new Map<string, string>()
  #size = 0
  readonly items: KnownItem[] = []

  add({ works, expressions, manifestation }: RecordDescription) {
    const [work] = works
    const workIds = works.map(each => this.#write(each.type, each.metadata, this.#relate(each.relations)))
    const expressionIds = expressions.map(each =>
      this.#write(each.type, each.metadata, [
        { type: 'refWork', key: workIds[each.work] ?? '' },
        ...this.#relate(each.relations)
      ])
    )
    const id = this.#write(manifestation.type, manifestation.metadata, [
      ...expressionIds.map(key => ({ type: 'refExpressions', key })),
      ...this.#relate(manifestation.relations)
    ])
    const textIn = (metadata: readonly { readonly key: string; readonly value: unknown }[], key: string) =>
      String(metadata.find(each => each.key === key)?.value ?? '')
    const author = work?.relations.find(each => each.relation === 'refAuthors' && each.target.type === 'person')
    const title = textIn(manifestation.metadata, 'title')
    if (author && title !== '' && works.length === 1)
      this.items.push({
        id,
        title,
        author: textIn(author.target.metadata, 'name'),
        year: textIn(manifestation.metadata, 'year_of_publication')
      })
  }

  done(): CatalogueIndex {
    return new CatalogueIndex(model, this.#builder.done(1))
  }

  #relate(drafts: readonly RelationDraft[]): { type: string; key: string }[] {
    const relations = new Map<string, { type: string; key: string }>()
    for (const { relation, target } of drafts) {
      const name = [target.type, target.key, target.birthYear ?? ''].join('\n')
      const id = this.#targets.get(name) ?? this.#write(target.type, target.metadata, [])
      this.#targets.set(name, id)
      relations.set(`${relation} ${id}`, { type: relation, key: id })
    }
    return [...relations.values()]
  }

  #write(
    type: string,
    metadata: readonly { readonly key: string; readonly value: unknown }[],
    relations: readonly { readonly type: string; readonly key: string }[]
  ): string {
    const number = ++this.#size
    const id = `K-${number}`
    const uuid = `0190aaaa-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    const stamp = { at: '2026-01-01T00:00:00.000Z', by: 'test' }
    const entity = {
      ...{ id, _id: uuid, _key: id, type, version: 1, relations, identifiers: [uuid, id] },
      metadata: metadata.map(({ key, value }) => ({ key, value })),
      audit: { created: stamp, updated: stamp }
    } as Entity
    this.#builder.add(toIndexedDocument(model, entity, number, number))
    return id
  }
}
