import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readItemState } from '#domain/values/item-state.ts'

describe('The status of a copy', () => {
  it('says whether it is on the shelf, in the words of many systems, and else nothing', () => {
    const states = {
      shelf: [
        'Available',
        'on the shelf',
        'Not checked out',
        'Beschikbaar',
        'aanwezig',
        'En rayon',
        'verfügbar',
        'Present'
      ],
      away: [
        ...['On loan until 3 May', 'CHECKED OUT', 'Due 2026-12-01', 'in transit', 'In repair', 'Not available', 'Lost'],
        ...['Uitgeleend tot 3 mei', 'in bewerking', 'Emprunté', 'Réservé', 'ausgeliehen', 'nicht verfügbar']
      ],
      undefined: [
        '',
        '-',
        '0',
        'Special collection',
        'Availablex',
        'Available from 3 May',
        'Verfügbar ab 3. Mai',
        'In de kast'
      ]
    }
    for (const [state, all] of Object.entries(states))
      for (const each of all) assert.equal(String(readItemState(each)), state, each)
  })
})
