import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { clusterRecords } from '../support/records/cluster-records.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import type { Draft, RecordDescription } from '#formats/description/description.ts'
import { findRole } from '#formats/description/roles.ts'
import { kindFor, relators } from '#formats/onix/code-lists.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions, SourceRecord } from '#formats/source/source-item.ts'
import { evidenceFrom } from '../support/records/marc-lines.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { all, inChunks } from './marc/marc-files.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/onix/${name}.xml`, import.meta.url))
const read = (text: string | Buffer, options: SourceOptions = {}, size = 65_536) =>
  all(readSource(inChunks(Buffer.from(text as string), size), options))
const told = (item: SourceItem) =>
  [item.outcome, 'name' in item ? (item.name ?? '-') : '', ...item.defects.map(each => each.kind)].join(' ')

const values = (draft: Draft | undefined, key: string) =>
  draft?.metadata.filter(each => each.key === key).map(each => each.value)
const related = (draft: Draft | undefined, relation: string) =>
  draft?.relations
    .filter(each => each.relation === relation)
    .map(({ target, role }) =>
      [target.type, ...target.metadata.map(each => each.value), ...(role ? [role.code] : [])].join(' ')
    )

const recordsIn = async (name: string) =>
  (await read(fixture(name))).filter((each): each is SourceRecord => each.outcome === 'record')

async function first(name: string): Promise<RecordDescription> {
  const [record] = await recordsIn(name)
  assert.ok(record)
  return record.description
}

const message = (...products: readonly string[]) =>
  `<ONIXMessage release="3.0"><Header><Sender><SenderName>Zee</SenderName></Sender></Header>${products.join('\n')}</ONIXMessage>`
const product = (reference: string, title = 'Titel') =>
  `<Product><RecordReference>${reference}</RecordReference><NotificationType>03</NotificationType><DescriptiveDetail><ProductForm>BB</ProductForm><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>${title}</TitleText></TitleElement></TitleDetail></DescriptiveDetail></Product>`

describe('A product of ONIX 3.0', () => {
  const collateral =
    '<CollateralDetail><SupportingResource><ResourceContentType>01</ResourceContentType><ResourceMode>03</ResourceMode><ResourceVersion><ResourceForm>02</ResourceForm><ResourceLink>https://zee.example/storm.jpg</ResourceLink></ResourceVersion></SupportingResource>' +
    '<SupportingResource><ResourceContentType>04</ResourceContentType><ResourceVersion><ResourceLink>https://zee.example/author.jpg</ResourceLink></ResourceVersion></SupportingResource>' +
    '<Prize><PrizeName>Libris Literatuur Prijs</PrizeName><PrizeYear>2009</PrizeYear><PrizeCode>04</PrizeCode></Prize><Prize><PrizeName>Gouden Uil</PrizeName></Prize><Prize><PrizeStatement>Book of the month</PrizeStatement></Prize></CollateralDetail>'
  const supply =
    '<PublishingDetail><PublishingStatus>02</PublishingStatus></PublishingDetail><ProductSupply><SupplyDetail><ProductAvailability>10</ProductAvailability><Price><PriceType>02</PriceType><PriceAmount>22.50</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price><Price><PriceType>01</PriceType><PriceAmount>20.64</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply>'
  const author =
    '<Contributor><ContributorRole>A01</ContributorRole><PersonNameInverted>Berg, Anna</PersonNameInverted><BiographicalNote>&lt;p&gt;Lives at &lt;b&gt;sea&lt;/b&gt;.&lt;/p&gt;</BiographicalNote></Contributor>'
  const rich = product('rich')
    .replace('</DescriptiveDetail>', `${author}</DescriptiveDetail>`)
    .replace('</Product>', `${collateral}${supply}</Product>`)

  it('gives its cover, its prizes, its availability and prices, and the biography of its author', async () => {
    const [item] = await read(message(rich))
    assert.equal(item?.outcome, 'record')
    const { manifestation, works } = item.description
    assert.deepEqual(
      ['cover_link', 'award', 'terms_of_availability'].map(key => values(manifestation, key)),
      [
        ['https://zee.example/storm.jpg'],
        ['Libris Literatuur Prijs, 2009: shortlisted', 'Gouden Uil', 'Book of the month'],
        ['forthcoming', 'not yet available', 'EUR 22.50', 'EUR 20.64, tax not included']
      ]
    )
    assert.deepEqual(works[0]?.relations[0]?.target.details?.metadata, [{ key: 'biography', value: 'Lives at sea.' }])
    // The link is that of the picture of the author.
    assert.deepEqual(item.unmapped, [
      'CollateralDetail/SupportingResource/ResourceMode',
      'CollateralDetail/SupportingResource/ResourceVersion/ResourceForm',
      'CollateralDetail/SupportingResource/ResourceVersion/ResourceLink'
    ])
  })

  it('gives descriptions, contents, classes and the playing time', async () => {
    const detail = (text: string) => product('r1').replace('</DescriptiveDetail>', `${text}</DescriptiveDetail>`)
    const texts = (...list: readonly (readonly [string, string])[]) =>
      `<CollateralDetail>${list.map(([type, text]) => `<TextContent><TextType>${type}</TextType><Text>${text}</Text></TextContent>`).join('')}</CollateralDetail>`
    const described = async (xml: string) => {
      const [item] = await read(message(xml))
      assert.equal(item?.outcome, 'record')
      return item.description.manifestation
    }
    const full = await described(
      detail(
        '<Extent><ExtentType>09</ExtentType><ExtentValue>90</ExtentValue><ExtentUnit>05</ExtentUnit></Extent><Subject><SubjectSchemeIdentifier>01</SubjectSchemeIdentifier><SubjectCode>839.31</SubjectCode></Subject>'
      ).replace(
        '</Product>',
        `${texts(['02', 'Short.'], ['03', '<p>Long &amp; <b>true</b>.</p>'], ['04', 'One. Two.'])}</Product>`
      )
    )
    assert.deepEqual(
      ['summary', 'contents', 'dewey', 'duration'].map(key => values(full, key)),
      [['Long & true.'], ['One. Two.'], ['839.31'], ['90']]
    )
    const short = await described(product('r2').replace('</Product>', `${texts(['02', 'Short.'])}</Product>`))
    assert.deepEqual(values(short, 'summary'), ['Short.'])
  })

  it('has both forms of its ISBN, the longer first, and names with their comma', async () => {
    const number = (type: string, value: string) =>
      `<ProductIdentifier><ProductIDType>${type}</ProductIDType><IDValue>${value}</IDValue></ProductIdentifier>`
    const person = (parts: Readonly<Record<string, string>>) =>
      `<Contributor><ContributorRole>A01</ContributorRole>${Object.entries(parts)
        .map(([name, text]) => `<${name}>${text}</${name}>`)
        .join('')}</Contributor>`
    const people: readonly Readonly<Record<string, string>>[] = [
      { PersonNameInverted: 'Peeters, Ann' },
      { PersonNameInverted: 'Van den Berg Anna', PersonName: 'Anna Van den Berg' },
      { PersonNameInverted: 'Maes Jan', NamesBeforeKey: 'Jan', KeyNames: 'Maes' },
      { PersonNameInverted: 'De Wit J.R.' },
      { PersonNameInverted: 'Verhoeven Mila' },
      { PersonNameInverted: 'Voltaire' }
    ]
    const [item] = await read(
      message(
        product('r1')
          .replace('<DescriptiveDetail>', `${number('02', '9028604349')}${number('15', '9789028604346')}$&`)
          .replace('</DescriptiveDetail>', `${people.map(person).join('')}$&`)
      )
    )
    assert.equal(item?.outcome, 'record')
    assert.deepEqual(values(item.description.manifestation, 'isbn'), ['9789028604346', '9028604349'])
    assert.deepEqual(
      related(item.description.works[0], 'refAuthors'),
      ['Peeters, Ann', 'Van den Berg, Anna', 'Maes, Jan', 'De Wit, J.R.', 'Verhoeven, Mila', 'Voltaire'].map(
        each => `person ${each} aut`
      )
    )
  })

  it('gives the manifestation its own data', async () => {
    const { manifestation } = await first('three')
    assert.equal(manifestation.type, 'manifestation_word')
    assert.deepEqual(Object.fromEntries(manifestation.metadata.map(({ key, value }) => [key, value])), {
      title: 'De storm',
      subtitle: 'Een roman & meer',
      isbn: '9789097114081',
      year_of_publication: '2008',
      edition: 'edition 2, revised edition',
      extent: '256 p.',
      series_statement: 'Zeeromans ; 3',
      material_type: 'paperback'
    })
    assert.deepEqual(related(manifestation, 'refPublishers'), ['publisher Uitgeverij Zee'])
    assert.deepEqual(related(manifestation, 'refPlaces'), ['place Gent'])
    assert.deepEqual(related(manifestation, 'refLanguages'), ['language Dutch nld'])
    assert.deepEqual(manifestation.identifiers, ['https://doi.org/10.1234/abc'])
  })

  it('puts everybody at the level of what they did, the first first', async () => {
    const { works, expressions } = await first('three')
    assert.deepEqual(related(works[0], 'refAuthors'), ['person Berg, Anna van den 1948- aut'])
    assert.deepEqual(works[0]?.relations[0]?.target.identifiers, ['https://isni.org/isni/0000000121032683'])
    assert.deepEqual(related(expressions[0], 'refAuthors'), ['person Maes, Jan trl', 'corporation Studio Kust ill'])
  })

  it('tells the original of a translation: its title, its language, its year', async () => {
    const { works, expressions } = await first('three')
    assert.deepEqual(values(works[0], 'title'), ['The gale'])
    assert.deepEqual(values(works[0], 'original_title'), ['The gale'])
    assert.deepEqual(values(works[0], 'year'), ['1999'])
    assert.deepEqual(related(works[0], 'refLanguages'), ['language English eng'])
    assert.deepEqual(values(expressions[0], 'title'), ['De storm'])
    assert.equal(expressions[0]?.keys.isTranslation, true)
    assert.deepEqual(works[0]?.identifiers, ['onix-work:11:A02-2009-000004BE-A'])
  })

  it('keeps codes of subjects with their scheme, and makes subjects of words', async () => {
    const { works } = await first('three')
    assert.deepEqual(related(works[0], 'refSubjects'), ['subject FICTION / Literary', 'subject zee', 'subject storm'])
    assert.deepEqual(
      related(works[0], 'refCodeWordings')?.filter(each => !each.endsWith('role')),
      ['code_wording FBA thema', 'code_wording FIC019000 FICTION / Literary bisac']
    )
    assert.deepEqual(values(works[0], 'literary_type'), ['fiction'])
    assert.deepEqual(related(works[0], 'refTargetAudiences'), [
      'target_audience General',
      'target_audience 12 years and over'
    ])
  })

  it('is told to be gone by its notification, and named by its reference and whoever sent it', async () => {
    assert.deepEqual((await read(fixture('three'))).map(told), [
      'record (Uitgeverij Zee)zee.9789097114081',
      'deletion (Uitgeverij Zee)zee.2',
      'record (Uitgeverij Zee)zee.3'
    ])
  })

  it('is words that are listened to when it is an audiobook', async () => {
    const [, audiobook] = await recordsIn('three')
    const { manifestation, expressions, works } = audiobook?.description ?? {}
    assert.equal(manifestation?.type, 'manifestation_music')
    assert.equal(works?.[0]?.type, 'work_word')
    assert.deepEqual(expressions?.[0]?.keys.forms, ['spoken'])
    assert.deepEqual(values(manifestation, 'extent'), ['742 min.'])
    assert.deepEqual(related(expressions?.[0], 'refAuthors'), ['person Baas, Els nrt'])
  })
})

describe('A product of ONIX 2.1', () => {
  it('is read by its short names, in Latin-1, with characters by their names, behind a document type that is not fetched', async () => {
    const { manifestation, expressions, works } = await first('two-short')
    assert.deepEqual(values(manifestation, 'title'), ['De caféstorm'])
    assert.deepEqual(values(manifestation, 'isbn'), ['9789097114081', '909711408X'])
    assert.deepEqual(values(manifestation, 'series_statement'), ['Zeeromans ; 3'])
    assert.deepEqual(values(manifestation, 'extent'), ['256 p.'])
    assert.deepEqual(values(manifestation, 'year_of_publication'), ['2008'])
    assert.deepEqual(values(manifestation, 'material_type'), ['hardback'])
    assert.deepEqual(values(works[0], 'year'), ['1999'])
    assert.deepEqual(related(works[0], 'refAuthors'), ['person Berg, Anna van den 1948- aut'])
    assert.deepEqual(related(works[0], 'refLanguages'), ['language English eng'])
    assert.deepEqual(related(works[0], 'refTargetAudiences'), ['target_audience Juvenile'])
    assert.deepEqual(related(expressions[0], 'refAuthors'), ['person Maes, Jan edt', 'person Maes, Jan trl'])
    assert.deepEqual((await read(fixture('two-short'))).map(told), ['record (Uitgeverij Zee)zee.9789097114081'])
  })

  it('gives its cover, its prizes, its availability and prices, and the biography of its author', async () => {
    const [item] = await read(
      '<ONIXmessage><header><m174>Zee</m174></header><product><a001>r1</a001><a002>03</a002><b012>BB</b012><title><b202>01</b202><b203>Storm</b203></title>' +
        '<contributor><b035>A01</b035><b037>Berg, Anna</b037><b044>Lives at sea.</b044></contributor>' +
        '<mediafile><f114>04</f114><f115>03</f115><f116>01</f116><f117>http://zee.example/storm.jpg</f117></mediafile>' +
        '<prize><g126>Gouden Uil</g126><g127>1999</g127><g129>01</g129></prize><b394>07</b394>' +
        '<supplydetail><j141>OP</j141><price><j148>02</j148><j151>9.95</j151><j152>GBP</j152></price></supplydetail></product></ONIXmessage>'
    )
    assert.equal(item?.outcome, 'record')
    const { manifestation, works } = item.description
    assert.deepEqual(
      ['cover_link', 'award', 'terms_of_availability'].map(key => values(manifestation, key)),
      [['http://zee.example/storm.jpg'], ['Gouden Uil, 1999: winner'], ['out of print', 'GBP 9.95']]
    )
    assert.deepEqual(works[0]?.relations[0]?.target.details?.metadata, [{ key: 'biography', value: 'Lives at sea.' }])
  })
})

describe('A product', () => {
  it('finds the work of a MARC record', async () => {
    const [record] = await recordsIn('three')
    assert.ok(record)
    const { works } = clusterRecords([
      record.evidence,
      evidenceFrom(
        'marc',
        '041 1  $adut $heng\n100 1  $aBerg, Anna van den, $d1948-\n240 10 $aGale. $lDutch\n245 13 $aDe storm /$cAnna van den Berg ; vertaald door Jan Maes.\n700 1  $aMaes, Jan, $etranslator.',
        'dut'
      )
    ])
    assert.equal(works.length, 1)
    assert.equal(works[0]?.expressions.length, 1)
  })

  it('has types and relations that the catalogue knows, and roles that are in the table', async () => {
    for (const record of [...(await recordsIn('three')), ...(await recordsIn('two-short'))]) {
      const { manifestation, expressions, works } = record.description
      for (const draft of [manifestation, ...expressions, ...works]) {
        const type = builtInRecordTypes.find(each => each.type === draft.type)
        assert.ok(type, draft.type)
        for (const { key } of draft.metadata) assert.ok(Object.hasOwn(type.fields, key), `${draft.type} ${key}`)
        for (const { relation, target } of draft.relations) {
          assert.ok(type.relations[relation]?.to.includes(target.type), `${draft.type} ${relation} ${target.type}`)
        }
      }
    }
    for (const codes of Object.values(relators))
      for (const code of codes) assert.equal(findRole(code)?.isKnown, true, code)
    for (const form of ['AA', 'BB', 'CA', 'DG', 'EA', 'FA', 'LA', 'MA', 'PI', 'SA', 'VI', 'ZZ', ''])
      assert.ok(builtInRecordTypes.some(each => each.type === `manifestation_${kindFor(form, []).material}`))
  })
})

describe('A message of ONIX', () => {
  it('goes on behind a product that is broken, and says where it stands', async () => {
    const broken = product('b').replace('</TitleText>', '</Titletext>')
    const text = message(product('a'), broken, product('c'))
    for (const size of [65_536, 13]) {
      const items = await read(text, {}, size)
      assert.deepEqual(items.map(told), ['record (Zee)a', 'unreadable (Zee)b not_well_formed', 'record (Zee)c'])
      const { offset, length, number } = items[1]?.position ?? { offset: 0, length: 0, number: 0 }
      assert.equal(number, 2)
      assert.equal(text.slice(offset, offset + length), broken)
    }
  })

  it('goes on behind a product without an end, and tells of one that the file cuts off', async () => {
    const text = message(product('a').replace('</Product>', ''), product('b')) + product('c').slice(0, 200)
    assert.deepEqual((await read(text)).map(told), [
      'unreadable (Zee)a not_well_formed',
      'record (Zee)b',
      'unreadable (Zee)c truncated'
    ])
  })

  it('is refused when it declares entities, so that none can grow', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE ONIXMessage [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${message(product('a', '&b;'))}`
    assert.deepEqual((await read(bomb)).map(told), ['unreadable - refused'])
    const external = `<?xml version="1.0"?><!DOCTYPE ONIXMessage [<!ENTITY a SYSTEM "file:///etc/passwd">]>${message(product('a', '&a;'))}`
    assert.deepEqual((await read(external)).map(told), ['unreadable - refused'])
    assert.deepEqual((await read(message(product('a', '&nothing;')))).map(told), ['unreadable (Zee)a not_well_formed'])
  })

  it('passes over a product that is longer than the limit, and takes no more memory for it', async () => {
    const long = product('b', 'x'.repeat(20_000))
    assert.deepEqual(
      (await read(message(product('a'), long, product('c')), { maxRecordBytes: 5_000 }, 1_000)).map(told),
      ['record (Zee)a', 'unreadable (Zee)b over_limit', 'record (Zee)c']
    )
  })

  it('names a product without a reference by its content', async () => {
    const [item] = await read(message(product('a').replace(/<RecordReference>.*?<\/RecordReference>/, '')))
    assert.ok(item)
    assert.match(told(item), /^record sha256:[0-9a-f]{32} no_control_number$/)
  })

  it('never makes the reader throw, whatever is changed in it', async () => {
    const chance = createChance(seed)
    const source = fixture('three')
    const count = howMany({ quick: 100, short: 300, long: 20_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      const bytes = Buffer.from(source)
      for (let times = 0; times < 1 + chance.below(8); times++) bytes[chance.below(bytes.length)] = chance.below(256)
      const items = await read(bytes.subarray(0, chance.oneIn(3) ? chance.below(bytes.length) : bytes.length), {
        format: 'onix'
      })
      for (const item of items) assert.ok(item.position.number >= 1, `SEED=${seed} run ${run}`)
    }
  })
})
