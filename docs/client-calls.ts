import { answered, unanswered } from '../test/clients/front-end-calls.ts'
import type { RecordedCall } from '../test/clients/recorded-calls.ts'
import { table } from './tables.ts'

/*
 * The calls of the front-end that tests replay, as a table: a call that is not answered there is
 * not answered here.
 */

/** The client's own name of a call; the rest says about which records. */
const methodOf = ({ call }: RecordedCall) => `\`${call.split(/[ ,]/)[0]}\``
const requestOf = ({ method, path }: RecordedCall) =>
  `\`${method} ${path
    .replace(/\?.*$/, '')
    .replace(/\/(?:[A-Z]{1,2}-\w+|none)(?=\/|$)/g, '/{id}')
    .replace(/(?<=set_primary_\w+\/)\{id\}/, '{mediafile_id}')}\``

/** The distinct requests of each method. */
const requestsOf = (calls: readonly RecordedCall[]): readonly [string, string][] =>
  [...Map.groupBy(calls, methodOf)].map(([name, own]) => [name, [...new Set(own.map(requestOf))].join(', ')])

export const clientCallTables = {
  'front end calls': table(['Method', 'Requests'], requestsOf(answered)),
  'front end calls without an answer': table(
    ['Method', 'Request', 'Answer', 'Reason'],
    unanswered.map(each => [methodOf(each), requestOf(each), String(each.status), each.why])
  )
}
