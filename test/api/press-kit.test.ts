import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'

import { aProduction, aRecord, aVenue } from '../support/records/entities.ts'
import { aForm, aPng, getBytes } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { call, create, get } = service

/** Reads an archive by the directory at its end, as unpacking programs do. */
function readZip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    assert.equal(archive.readUInt32LE(at), 0x0201_4b50)
    const size = archive.readUInt32LE(at + 24)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    assert.equal(archive.readUInt32LE(local), 0x0403_4b50)
    const first = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(first, first + size)
    assert.equal(crc32(bytes), archive.readUInt32LE(at + 16), name)
    assert.ok(!files.has(name), `twice: ${name}`)
    files.set(name, bytes)
    at += 46 + nameLength
  }
  return files
}

describe('GET /entities/{id}/press-kit.zip', async () => {
  const production = await create(
    aProduction(
      { title: 'Hamlet: a/b', description_short: '<p>An <b>empty</b> chair</p>', credits: '<p>Directed by =Ilse</p>' },
      { id: 'PR-KIT' }
    )
  )
  const poster = aPng(40, 60)
  const addFile = async (category: string, filename: string, bytes: Buffer) => {
    const { body, headers } = aForm({ mediafile_type: category, copyright: '© Us' }, { filename, bytes })
    assert.equal((await call('POST', `/entities/${production.id}/mediafiles`, { body, headers })).status, 201)
  }
  await addFile('posters', 'poster.png', poster)
  await addFile('posters', 'Poster.png', aPng(41, 60))
  await addFile('rider', '../../etc/passwd', Buffer.from('%PDF-1.7 rider'))
  await create({
    type: 'mediafile',
    metadata: [
      { key: 'mediafile_type', value: 'trailer' },
      { key: 'title', value: 'Trailer' },
      { key: 'external_url', value: 'https://media.example.org/trailer' }
    ],
    relations: [{ key: production.id, type: 'refProductions' }]
  })
  await create(aRecord('performance', { start: '2026-01-16T20:00:00+01:00' }, { refProduction: production.id }))

  it('has the texts, the performances and every file, each under a name of its own', async () => {
    const { status, headers, bytes } = await getBytes(service, '/entities/PR-KIT/press-kit.zip')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/zip')
    assert.match(String(headers['content-disposition']), /^attachment; filename="Hamlet- a-b\.zip"/)
    const files = readZip(bytes)
    assert.deepEqual(
      [...files.keys()],
      [
        'Hamlet- a-b/texts.txt',
        'Hamlet- a-b/performances.csv',
        'Hamlet- a-b/files.csv',
        'Hamlet- a-b/posters/poster.png',
        'Hamlet- a-b/posters/Poster (2).png',
        'Hamlet- a-b/rider/passwd.pdf'
      ]
    )
    assert.deepEqual(files.get('Hamlet- a-b/posters/poster.png'), poster)
    const text = (name: string) => files.get(`Hamlet- a-b/${name}`)?.toString('utf8') ?? ''
    assert.match(text('texts.txt'), /description short:\nAn empty chair\n/)
    assert.match(text('performances.csv'), /2026-01-16/)
    assert.match(text('files.csv'), /https:\/\/media\.example\.org\/trailer/)
    assert.match(text('files.csv'), /posters\/poster\.png,posters,.*© Us/)
  })

  it('is of productions only, and shows nothing that the token may not read', async () => {
    const venue = await create(aVenue('No kit'))
    assertProblem(await get(`/entities/${venue.id}/press-kit.zip`), 'not_found')
    assertProblem(await get('/entities/PR-NOWHERE/press-kit.zip'), 'not_found')
    const token = await service.tokenWith('read:production')
    const { bytes } = await getBytes(service, '/entities/PR-KIT/press-kit.zip', { token })
    const files = readZip(bytes)
    assert.deepEqual([...files.keys()].length, 3)
    assert.doesNotMatch(files.get('Hamlet- a-b/performances.csv')?.toString() ?? '', /2026-01-16/)
  })
})
