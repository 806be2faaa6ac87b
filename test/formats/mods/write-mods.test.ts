import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { writeMods } from '#formats/mods/write-mods.ts'
import { xmlDocument } from '#formats/xml/write-xml.ts'
import { anthology, faust, model } from '../../support/records/described-publications.ts'
import { assertValid } from '../../support/oracles/validate-xml.ts'

describe('MODS', () => {
  const one = writeMods(model, faust).markup
  const several = writeMods(model, anthology).markup

  it('says each thing in the element that the standard has for it', () => {
    for (const part of [
      '<titleInfo><title>Faust</title><subTitle>een treurspel</subTitle></titleInfo>',
      '<titleInfo type="alternative" displayLabel="Original title"><title>Faust. Eine Tragödie</title></titleInfo>',
      '<name type="personal"><namePart>Goethe, Johann Wolfgang von</namePart><namePart type="date">1749-1832</namePart><role><roleTerm type="code" authority="marcrelator">aut</roleTerm></role></name>',
      '<roleTerm type="code" authority="marcrelator">trl</roleTerm>',
      '<typeOfResource>text</typeOfResource>',
      '<genre>Tragedie</genre>',
      '<place><placeTerm type="text">Leiden</placeTerm></place><publisher>De Pers</publisher><dateIssued>1999</dateIssued><edition>2e druk</edition>',
      '<languageTerm type="code" authority="iso639-3">nld</languageTerm>',
      '<form>boek</form><extent>184 p.</extent>',
      '<targetAudience>Volwassenen</targetAudience>',
      '<note type="statement of responsibility">vertaald door Anna Vertaler</note>',
      '<subject><topic>Duivel</topic></subject>',
      '<subject><geographic>Leipzig</geographic></subject>',
      '<subject><temporal>16e eeuw</temporal></subject>',
      '<classification authority="siso">856.3</classification>',
      '<relatedItem type="series"><titleInfo><title>Klassieken ; 7</title></titleInfo></relatedItem>',
      '<identifier type="isbn">9789097580787</identifier>',
      '<recordIdentifier source="Libretto">M-1</recordIdentifier>'
    ])
      assert.ok(one.includes(part), `${part}\nis not in\n${one}`)
    assert.doesNotMatch(one, /constituent/)
  })

  it('says of several works in one publication each as a part of it, with its makers', () => {
    const parts = several.split('<relatedItem type="constituent">').slice(1)
    assert.equal(parts.length, 2)
    assert.match(parts[1] ?? '', /<title>Clavigo, een toneelspel<.*<titleInfo type="uniform"><title>Clavigo<.*Goethe/)
    // A reader that ignores the parts still finds the author, once.
    assert.equal((several.split('<relatedItem')[0] ?? '').match(/Goethe/g)?.length, 1)
  })

  it('says each class once, and each code of a class by itself', () => {
    const [manifestation] = [faust.manifestation]
    const zizo = {
      type: 'refZizos',
      metadata: [],
      entity: { ...manifestation.entity, id: 'Z-1', type: 'zizo', metadata: [{ key: 'code', value: ['K211', 'L31'] }] }
    }
    const twice = {
      manifestation: { ...manifestation, related: [...manifestation.related, zizo] },
      expressions: faust.expressions.map(each => ({
        ...each,
        work: each.work && { ...each.work, related: [...each.work.related, zizo] }
      }))
    }
    const classes = [...writeMods(model, twice).markup.matchAll(/<classification authority="zizo">([^<]*)</g)]
    assert.deepEqual(
      classes.map(each => each[1]),
      ['K211', 'L31']
    )
  })

  it('is valid', () => assertValid(xmlDocument({ markup: one }), xmlDocument({ markup: several })))
})
