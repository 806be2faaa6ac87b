import type { RecordType } from './record-type.ts'
import { expressions } from './expression.ts'
import { item, library } from './holdings.ts'
import { manifestations } from './manifestation.ts'
import { production } from './production.ts'
import * as related from './related.ts'
import * as stage from './stage.ts'
import { works } from './work.ts'

/** Every built-in record type, in groups. To add one, write its table and add a line here. */
export const families = {
  bibliographic: [...works, ...expressions, ...manifestations],
  related: [
    related.language,
    related.person,
    related.corporation,
    related.subject,
    related.publisher,
    related.series,
    related.targetAudience,
    related.genre,
    related.place,
    related.time,
    related.title,
    related.siso,
    related.codeWording,
    related.zizo
  ],
  holdings: [item, library],
  stage: [
    production,
    stage.performance,
    stage.venue,
    stage.hall,
    stage.company,
    stage.bookingAgency,
    stage.season,
    stage.subscription,
    stage.tour,
    stage.mediafile
  ]
} as const satisfies Readonly<Record<string, readonly RecordType[]>>

export const builtInRecordTypes: readonly RecordType[] = Object.values(families).flat()
