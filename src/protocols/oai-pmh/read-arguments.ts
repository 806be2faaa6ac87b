import { OaiError, type OaiFault, oaiError } from './errors.ts'

/** The verbs and their arguments. An exclusive argument excludes all others. */
export const verbs = {
  Identify: { needed: [], possible: [], exclusive: [] },
  ListMetadataFormats: { needed: [], possible: ['identifier'], exclusive: [] },
  ListSets: { needed: [], possible: [], exclusive: ['resumptionToken'] },
  ListIdentifiers: {
    needed: ['metadataPrefix'],
    possible: ['from', 'until', 'set'],
    exclusive: ['resumptionToken']
  },
  ListRecords: { needed: ['metadataPrefix'], possible: ['from', 'until', 'set'], exclusive: ['resumptionToken'] },
  GetRecord: { needed: ['identifier', 'metadataPrefix'], possible: [], exclusive: [] }
} as const satisfies Readonly<Record<string, ArgumentRule>>

interface ArgumentRule {
  readonly needed: readonly string[]
  readonly possible: readonly string[]
  readonly exclusive: readonly string[]
}

export type Verb = keyof typeof verbs

/** Arguments as sent, in order; a repeated one appears repeatedly. */
export type SentArguments = readonly (readonly [name: string, value: string])[]

export interface OaiArguments {
  readonly verb: Verb
  readonly values: Readonly<Partial<Record<ArgumentName, string>>>
}

const argumentNames = ['identifier', 'metadataPrefix', 'from', 'until', 'set', 'resumptionToken'] as const
export type ArgumentName = (typeof argumentNames)[number]

/** Maximum arguments of a request; each unknown one is reported. */
const maxArguments = 100

/**
 * Checks that a request has one verb and its arguments, each once. Throws an `OaiError` with all
 * faults.
 */
export function readArguments(sent: SentArguments): OaiArguments {
  if (sent.length > maxArguments) throw oaiError('badArgument', `At most ${maxArguments} arguments may be given`)
  const verb = readVerb(sent.filter(([name]) => name === 'verb').map(([, value]) => value))
  const rule: ArgumentRule = verbs[verb]
  const others = sent.filter(([name]) => name !== 'verb')
  const counts = Map.groupBy(others, ([name]) => name)
  const names = new Set(counts.keys())
  const faults: OaiFault[] = []
  const blame = (message: string) => faults.push({ code: 'badArgument', message })
  const known = [...rule.needed, ...rule.possible, ...rule.exclusive]
  for (const name of names) {
    if (!known.includes(name)) blame(`${verb} has no argument "${name}"`)
    else if ((counts.get(name)?.length ?? 0) > 1) blame(`"${name}" is given more than once`)
  }
  const exclusive = rule.exclusive.find(name => names.has(name))
  if (exclusive === undefined) {
    for (const name of rule.needed) if (!names.has(name)) blame(`"${name}" is required`)
  } else if (names.size > 1) blame(`"${exclusive}" excludes other arguments`)
  if (faults.length > 0) throw new OaiError(faults)
  return { verb, values: Object.fromEntries(others) }
}

function readVerb(given: readonly string[]): Verb {
  const [verb] = given
  if (verb === undefined) throw oaiError('badVerb', 'The argument "verb" is missing')
  if (given.length > 1) throw oaiError('badVerb', '"verb" is given more than once')
  if (!Object.hasOwn(verbs, verb)) throw oaiError('badVerb', `Unknown verb "${verb}"`)
  return verb as Verb
}
