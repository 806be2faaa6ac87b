import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { describeEntity, describePublication } from '#formats/dublin-core/describe.ts'
import {
  aLevel,
  anEntity,
  anthology,
  faust,
  goethe,
  model,
  related
} from '../../support/records/described-publications.ts'

const lines = (values: ReturnType<typeof describeEntity>) => values.map(({ element, value }) => `${element} ${value}`)

describe('Dublin Core', () => {
  it('says of a publication what it is, who made what is in it, and what that is about', () => {
    assert.deepEqual(lines(describePublication(model, faust)), [
      'title Faust : een treurspel',
      'creator Goethe, Johann Wolfgang von',
      'subject Duivel',
      'subject 856.3',
      'description 2e druk',
      'publisher De Pers',
      'contributor Vertaler, Anna',
      'date 1999',
      'type Text',
      'type Tragedie',
      'format 184 p.',
      'format boek',
      'identifier urn:isbn:9789097580787',
      'identifier M-1',
      'identifier urn:extern:1',
      'language nld',
      'relation Klassieken ; 7',
      'coverage Leipzig',
      'coverage 16e eeuw'
    ])
  })

  it('names each maker once, and none as creator and contributor both', () => {
    const said = lines(describePublication(model, anthology))
    assert.equal(said.filter(line => line.endsWith('Goethe, Johann Wolfgang von')).length, 1)
    assert.deepEqual(
      said.filter(line => line.startsWith('title')),
      ['title Twee stukken']
    )
  })

  it('says of anything else its name, its type and the names of what it is related to, without markup', () => {
    const production = aLevel(
      anEntity('PR-1', 'production', {
        title: 'Faust',
        description: '<p>Een <b>duivels</b> &amp; helder stuk</p>',
        premiere_date: '2026-02-01'
      }),
      related('refVenues', anEntity('VE-1', 'venue', { name: 'De Zwaluw' })),
      related('refAuthors', goethe),
      related('refBookingAgency', anEntity('BA-1', 'booking_agency', { name: 'Bureau' }))
    )
    assert.deepEqual(lines(describeEntity(model, production)), [
      'title Faust',
      'creator Goethe, Johann Wolfgang von',
      'description Een duivels & helder stuk',
      'date 2026-02-01',
      'type production',
      'identifier PR-1',
      'relation Bureau',
      'coverage De Zwaluw'
    ])
    const performance = aLevel(anEntity('PF-1', 'performance', { start: '2026-02-01T20:00:00Z' }))
    assert.ok(lines(describeEntity(model, performance)).some(line => line.startsWith('title ')))
  })
})
