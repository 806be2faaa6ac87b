import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { workOnImport } from '#imports/work-on-import.ts'
import { aPerson, createBook, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { adminToken, start } from '../support/services/start.ts'

/* The titles of a publication beside its title proper, and words in several forms. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })

async function importFile(payload: Buffer | string) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/octet-stream' }
  const sent = await service.app.inject({ method: 'POST', url: '/imports', headers, payload })
  assert.equal(sent.statusCode, 202, sent.body)
  await workOnImport(service.libretto.parts, sent.json().id, () => false)
}

const manifestation = { type: 'type', value: 'manifestation' }

/** The publications that a text finds, the best first, by their record numbers. */
async function found(value: string, ...others: unknown[]): Promise<string[]> {
  const { body } = await service.filter([{ type: 'search', value }, manifestation, ...others], '?limit=100')
  return (body.results as Entity[]).map(({ identifiers }) => identifiers[2] ?? '')
}

const idOf = async (number: string) => (await service.get(`/entities/${number}`)).body.id as string
const titlesOf = async (number: string, key: string) =>
  ((await service.get(`/entities/${number}`)).body as Entity).metadata
    .filter(each => each.key === key)
    .map(({ value }) => value)

const shelf = {
  tide: `008 ${' '.repeat(35)}eng
245 14 $aThe tide :$bnovel
210 0  $aTide
222  0 $aTide$b(Ghent)
242 14 $aThe turning of the water
246 30 $aNovel
246 14 $aCover of the tide
246 18 $aSpine and tide
246 3  $aTide, the.$nPart two,$pThe harbour
246 1  $iOriginal title:$aHet getij
246 31 $aDie Gezeiten
247 10 $aHarbour tales
740 0  $aEbb and flow
740 02 $aThe lighthouse`,
  script: `008 ${' '.repeat(35)}rus
100 1  $6880-01$aGogolʹ, Nikolaĭ Vasilʹevich
245 10 $6880-02$aMertvye dushi :$bpoėma
246 3  $6880-03$aPokhozhdenii︠a︡ Chichikova
880 1  $6100-01$aГоголь, Николай Васильевич
880 10 $6245-02$aМертвые души :$bпоэма
880 3  $6246-03$aПохождения Чичикова`,
  twice: `008 ${' '.repeat(35)}nep
245 10 $aआधुनिक भूगोल :$bनयाँ
245 10 $aĀdhunika bhūgola :$bnayā̃ silebasa`
}

describe('Other titles of a publication', () => {
  it('are read from their fields, without those of the work, of its original and of contained works', async () => {
    await importFile(marcFile(shelf))
    assert.deepEqual(await titlesOf('tide', 'other_title'), [
      'Cover of the tide',
      'Spine and tide',
      'Tide, the. Part two. The harbour',
      'Tide',
      'Tide. (Ghent)',
      'The turning of the water',
      'Harbour tales',
      'Ebb and flow'
    ])
    assert.deepEqual(await titlesOf('tide', 'parallel_title'), ['Die Gezeiten'])
  })

  it('find the publication as its title does, in every kind of search', async () => {
    await service.create({ type: 'manifestation_word', ...(await bookAbout('Cover of the tide, spine and all')) })
    for (const title of await titlesOf('tide', 'other_title'))
      assert.equal((await found(String(title)))[0], 'tide', String(title))
    assert.deepEqual(await found('title:"harbour tales"'), ['tide'])
    assert.deepEqual(await found('title:gezeiten'), ['tide'])
    for (const query of ['dc.title="harbour tales"', 'bib.titleAlternative=gezeiten'])
      assert.match(
        (await service.get(`/sru?version=2.0&query=${encodeURIComponent(query)}`)).text,
        /numberOfRecords>1</,
        query
      )
    const { body } = await service.get('/suggest?q=harbour+tal')
    assert.equal(body.suggestions[0].id, await idOf('tide'))
  })

  it('are found in the original script and in Latin letters, with and without signs of romanisation', async () => {
    for (const text of [
      ...['Похождения Чичикова', 'pokhozhdeniia chichikova', 'Pokhozhdenii︠a︡ Chichikova', 'мертвые души гоголь'],
      ...['gogol mertvye dushi', 'Gogolʹ mertvye', 'vasilevich poema', 'author:гоголь']
    ])
      assert.deepEqual(await found(text), ['script'], text)
  })

  it('are further titles and subtitles of a record that has its title twice', async () => {
    assert.deepEqual(await titlesOf('twice', 'title'), ['आधुनिक भूगोल'])
    assert.deepEqual(await titlesOf('twice', 'other_title'), ['Ādhunika bhūgola', 'nayā̃ silebasa'])
    assert.deepEqual(await found('adhunika bhugola naya silebasa'), ['twice'])
  })

  it('are shown to readers, and written in every format', async () => {
    const id = await idOf('tide')
    const page = await service.get(`/record/${id}`, { token: undefined })
    assert.match(page.text, /Other title/)
    assert.match(page.text, /Harbour tales/)
    for (const [format, said] of [
      ['turtle', /bf:VariantTitle[^.]*bf:mainTitle "Harbour tales"|bf:mainTitle "Harbour tales"/],
      ['schema', /"alternateName":\s*\[[^\]]*"Harbour tales"/]
    ] as const)
      assert.match((await service.get(`/entities/${id}?format=${format}`)).text, said)
    const harvested = (prefix: string) =>
      service.get(`/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:libretto.invalid:${id}`)
    assert.match((await harvested('mods')).text, /<titleInfo type="alternative">\s*<title>Harbour tales/)
    assert.match((await harvested('oai_dc')).text, /<dc:title>Harbour tales</)
  })

  it('are edited one by one: the other fields of the source record stay', async () => {
    const id = await idOf('tide')
    const { body } = await service.get(`/entities/${id}`)
    const metadata = body.metadata.map((each: Entity['metadata'][number]) =>
      each.value === 'Harbour tales' ? { ...each, value: 'Tales of the harbour' } : each
    )
    await service.patch(`/entities/${id}`, { metadata })
    const marc = (await service.get(`/entities/${id}?format=mrk`)).text
    assert.match(marc, /=247 {2}10\$aTales of the harbour/)
    for (const kept of ['=246  18$aSpine and tide', '=740  0\\$aEbb and flow', '=222  \\0$aTide$b(Ghent)'])
      assert.ok(marc.includes(kept), `${kept} in\n${marc}`)
    assert.deepEqual(await found('"tales of the harbour"'), ['tide'])
  })
})

/** A publication with a title, and the expression and work above it. */
async function bookAbout(title: string) {
  const book = await createBook(service, { manifestation: { fields: { title } } })
  const { body } = await service.get(`/entities/${book.manifestation}`)
  return { metadata: body.metadata, relations: body.relations }
}

describe('Words in several forms', () => {
  const titles = ['Zweite Symphonie', '2. Symphonie', 'Symphonie n° 2', 'Deuxième symphonie', 'Symphonie II']

  it('meet where a small number is written as a word, in digits or in Roman numerals', async () => {
    for (const title of [...titles, 'Symphonie 12', 'Zwanzig Lieder']) await bookAbout(title)
    const named = async (value: string) => {
      const { body } = await service.filter([{ type: 'search', value }, manifestation], '?limit=100')
      return (body.results as Entity[]).map(each => each.metadata.find(({ key }) => key === 'title')?.value)
    }
    for (const text of [...titles, 'second symphonie', 'tweede symphonie', '2e symphonie', 'symphonie two']) {
      const results = await named(text)
      for (const title of titles) assert.ok(results.includes(title), `${text} finds ${title}: ${results}`)
      assert.ok(!results.includes('Symphonie 12'), text)
    }
    assert.equal((await named('zweite symphonie'))[0], 'Zweite Symphonie')
    assert.equal((await named('2. symphonie'))[0], '2. Symphonie')
    assert.deepEqual(await named('20 lieder'), ['Zwanzig Lieder'])
    assert.deepEqual(await named('"second symphonie"'), [])
  })

  it('meet in ligatures and without articles', async () => {
    await bookAbout('Der Œdipus und die große Ægis')
    for (const text of ['oedipus grosse aegis', 'Œdipus Ægis', 'the oedipus', 'l’œdipus', 'GROSSE AEGIS'])
      assert.equal((await service.filter([{ type: 'search', value: text }, manifestation])).body.count, 1, text)
  })

  it('meet where a letter stands for a forename', async () => {
    const karin = await service.create(aPerson('Fossum, Karin'))
    const tolkien = await service.create(aPerson('John Ronald Reuel Tolkien'))
    const other = await service.create(aPerson('Fossum, Ole'))
    const count = async (value: string) =>
      (await service.filter([{ type: 'search', value }, manifestation])).body.count as number
    const by = (title: string, author: string) =>
      createBook(service, {
        work: { fields: { title }, relations: relations({ refAuthors: author }) },
        manifestation: { fields: { title } }
      })
    await by('Se deg ikke tilbake', karin.id)
    await by('Kall', other.id)
    await by('De ring', tolkien.id)
    for (const text of ['K Fossum', 'K. Fossum', 'Fossum, K.', 'k fossum se deg ikke', 'Fossum K tilbake'])
      assert.ok((await count(text)) >= 1, text)
    assert.equal(await count('K. Fossum tilbake'), 1)
    assert.equal(await count('O. Fossum tilbake'), 0)
    for (const text of ['J.R.R. Tolkien', 'JRR Tolkien', 'J Tolkien ring', 'R. Tolkien'])
      assert.equal(await count(text), 1, text)
  })
})
