import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { loadSample } from '../../src/cli/sample.ts'
import { runStatement } from '../support/databases/database.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'
import { aVenue, metadata } from '../support/records/entities.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

/*
 * Harvesters by others: HTTP::OAI and Catmandu, both in Perl. The result must not depend on our own
 * reading of the standard. They use the service through a socket; the database behind it makes no
 * difference here.
 */

/** Prints each record's identifier, and whether it is deleted; then errors, where there are any. */
const harvester = `
use HTTP::OAI;
my ($url, $token, $prefix, @rest) = @ARGV;
my $harvester = HTTP::OAI::Harvester->new(baseURL => $url);
$harvester->default_header(Authorization => "Bearer $token");
my $response = $harvester->ListRecords(metadataPrefix => $prefix, @rest, onRecord => sub {
  my $record = shift;
  print $record->identifier, ($record->status // "") eq "deleted" ? " deleted" : " " . $record->metadata->dom->findnodes("*/*")->[0]->localname, "\\n";
});
print "error ", $response->code, " ", $response->message, "\\n" if $response->is_error;
print "error ", $_->code, "\\n" for $response->can("errors") ? $response->errors : ();
`

describe('Third-party harvesters', () => {
  it('harvest the sample catalogue whole, and then what was changed', async t => {
    if (!needDebian(t, ['libhttp-oai-perl'])) return
    const service = await start(t, { OAI_PAGE_SIZE: '37' })
    const total = await loadSample(service.libretto)
    const url = `http://127.0.0.1:${await listen(service)}/oai`
    const run = async (...rest: readonly string[]) =>
      (await runTool('perl', ['-e', harvester, url, adminToken, ...rest])).split('\n').filter(line => line !== '')
    const ids = (lines: readonly string[]) => lines.map(line => line.split(' ')[0])

    const all = await run('oai_dc')
    assert.equal(new Set(ids(all)).size, total)
    assert.ok(
      all.every(line => line.endsWith(' dc')),
      all.join('\n')
    )
    const publications = Number((await service.get('/entities?type=manifestation&limit=0')).headers['x-total-count'])
    for (const [prefix, root] of [
      ['marcxml', 'record'],
      ['mods', 'mods']
    ] as const) {
      const lines = await run(prefix)
      assert.equal(lines.length, publications)
      assert.ok(lines.every(line => line.endsWith(` ${root}`)))
    }

    await runStatement(
      service.libretto.config.databaseUrl,
      `UPDATE entities SET updated_at = '2020-02-02T02:02:02.002Z'`
    )
    const venue = await service.create(aVenue('New', { id: 'VE-NEW' }))
    await service.create(aVenue('Gone', { id: 'VE-GONE' }))
    await service.delete('/entities/VE-GONE')
    await service.patch('/entities/SEA-20242025', { metadata: metadata({ name: 'Renamed' }) })
    const changed = await run('oai_dc', 'from', '2020-02-03')
    assert.ok(changed.includes(`oai:libretto.invalid:${venue.id} dc`))
    assert.ok(changed.includes('oai:libretto.invalid:VE-GONE deleted'))
    assert.deepEqual(await run('oai_dc', 'from', '2999-01-01'), ['error noRecordsMatch'])
  })

  it('read titles out of Dublin Core and MARCXML', async t => {
    if (!needDebian(t, ['libcatmandu-oai-perl', 'libcatmandu-marc-perl'])) return
    const service = await start(t, { OAI_PAGE_SIZE: '20', ANONYMOUS_ACCESS: 'read' })
    await loadSample(service.libretto)
    const url = `http://127.0.0.1:${await listen(service)}/oai`
    const convert = async (...parameters: readonly string[]) =>
      JSON.parse(await runTool('catmandu', ['convert', 'OAI', '--url', url, ...parameters])) as Record<
        string,
        unknown
      >[]

    const entities = (await service.get('/entities?type=manifestation&limit=1000')).body as {
      id: string
      metadata: { key: string; value: string }[]
    }[]
    const titles = new Map(
      entities.map(({ id, metadata }) => [id, metadata.find(({ key }) => key === 'title')?.value ?? ''])
    )
    const idOf = (record: Record<string, unknown>) => String(record._identifier ?? record._id).split(':')[2] ?? ''

    const dublinCore = await convert('--metadataPrefix', 'oai_dc', '--set', 'bibliographic:manifestation', 'to', 'JSON')
    assert.equal(dublinCore.length, titles.size)
    for (const record of dublinCore)
      assert.ok(
        String((record.title as string[])[0]).startsWith(titles.get(idOf(record)) ?? '?'),
        JSON.stringify(record)
      )

    const marc = await convert(
      ...['--metadataPrefix', 'marcxml', '--handler', 'marcxml', 'to', 'JSON'],
      ...['--fix', 'marc_map(245a,t);retain(_id,_identifier,t)']
    )
    assert.equal(marc.length, titles.size)
    for (const record of marc)
      assert.ok(String(record.t).startsWith((titles.get(idOf(record)) ?? '?').slice(0, 10)), JSON.stringify(record))
  })
})
