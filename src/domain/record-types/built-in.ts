import type { RecordType } from '../record-type.ts'
import { expressions } from './expression.ts'
import { manifestations } from './manifestation.ts'
import { production } from './production.ts'
import * as related from './related.ts'
import * as stage from './stage.ts'
import { works } from './work.ts'

/** Every record type that comes with the program. To add one, write its table and add a line here. */
export const builtInRecordTypes: readonly RecordType[] = [
  ...works,
  ...expressions,
  ...manifestations,
  related.language,
  related.person,
  related.corporation,
  related.subject,
  related.publisher,
  related.targetAudience,
  related.genre,
  related.place,
  related.time,
  related.title,
  related.siso,
  related.codeWording,
  related.zizo,
  production,
  stage.performance,
  stage.venue,
  stage.company,
  stage.bookingAgency,
  stage.season,
  stage.mediafile
]
