import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Agency, madeAgencies, madeShows, madeVenues, type Show, type Venue } from '../../fixtures/made-shows.ts'
import { isLong } from './chance.ts'
import { findTestFile } from './test-data.ts'

export interface ShowCollection {
  readonly origin: 'made' | 'real'
  readonly shows: readonly Show[]
  readonly venues: readonly Venue[]
  readonly agencies: readonly Agency[]
}

/** The made shows and, in the long tests, the real ones of TEST_DATA. */
export function showCollections(): ShowCollection[] {
  const made: ShowCollection = {
    origin: 'made',
    shows: madeShows,
    venues: madeVenues.filter(({ name }) => name.trim() !== ''),
    agencies: madeAgencies
  }
  const folder = isLong ? findTestFile('theatre') : undefined
  if (folder === undefined) return [made]
  return [made, readShows(folder)]
}

/** The real shows of a folder. */
export function readShows(folder: string): ShowCollection {
  const read = <T>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T[]
  return {
    origin: 'real',
    shows: read<Show>('atc_shows.json'),
    venues: read<Venue>('atc_venues.json').filter(({ name }) => name.trim() !== ''),
    agencies: read<Agency>('atc_booking_agencies.json')
  }
}
