import { openLibretto } from '../main.ts'
import { type Command, createDatabase, type Invocation, jsonOption, UsageError } from './command.ts'
import { printTable } from './print-table.ts'

export const token: Command = {
  summary: 'Creates, lists and revokes API tokens.',
  usage: `npx libretto token create --name <name> --scope <scope>… [--expires <date>] [--json]
npx libretto token list [--json]
npx libretto token revoke <id> [--json]`,
  examples: [
    ['npx libretto token create --name kiosk --scope read', 'a token that reads everything'],
    [
      'npx libretto token create --name season --scope read --scope write:production --expires 2027-07-01',
      'for one season, and for productions only'
    ]
  ],
  maxWords: 2,
  needsDatabase: true,
  options: {
    name: { type: 'string', describe: 'Owner of the token; appears in the audit of its writes' },
    scope: {
      type: 'string',
      multiple: true,
      describe: 'read, write, delete, admin, or one with a type: read:manifestation'
    },
    expires: { type: 'string', describe: 'ISO 8601 date of expiry' },
    ...createDatabase,
    json: jsonOption
  },
  async run(invocation) {
    const [action, ...rest] = invocation.positionals
    if (action === 'create' && rest.length === 0) return create(invocation)
    if (action === 'list' && rest.length === 0) return list(invocation)
    if (action === 'revoke' && rest.length === 1) return revoke(invocation, rest[0] ?? '')
    throw new UsageError('Give an action: create, list, or revoke with the id of a token')
  }
}

async function create({ config, options }: Invocation): Promise<number> {
  const { name, scope, expires } = options as { name?: string; scope?: string[]; expires?: string }
  if (name === undefined || !scope) throw new UsageError('A token needs --name and at least one --scope')
  await using libretto = await openLibretto(config)
  const wanted = { name, scopes: scope, expiresAt: expires }
  const created = await libretto.tokens.create(wanted, 'operator', ({ id, expires_at }) =>
    libretto.audit.describe({
      by: 'operator',
      act: 'token.create',
      subject: id,
      details: { name, scopes: scope, expires_at }
    })
  )
  if (options.json) console.log(JSON.stringify(created))
  else
    console.log(
      `${created.token}\n\nThe token is shown only once. Its id is ${created.id}, its name "${created.name}", its scopes ${created.scopes.join(', ')}.`
    )
  return 0
}

async function list({ config, options }: Invocation): Promise<number> {
  await using libretto = await openLibretto(config)
  const tokens = await libretto.tokens.list()
  if (options.json) console.log(JSON.stringify(tokens))
  else if (tokens.length === 0) console.log('There are no tokens yet.')
  else
    printTable(
      ['id', 'name', 'scopes', 'created', 'expires'],
      tokens.map(each => [each.id, each.name, each.scopes.join(' '), each.created_at, each.expires_at ?? 'never'])
    )
  return 0
}

async function revoke({ config, options }: Invocation, id: string): Promise<number> {
  await using libretto = await openLibretto(config)
  await libretto.tokens.revoke(id, libretto.audit.describe({ by: 'operator', act: 'token.revoke', subject: id }))
  console.log(
    options.json ? JSON.stringify({ revoked: id }) : `Token ${id} is revoked. Every process refuses it within a second.`
  )
  return 0
}
