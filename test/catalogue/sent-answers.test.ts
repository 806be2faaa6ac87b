import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { openAnswerRing } from '#catalogue/cache/answer-ring.ts'
import { createSentAnswers } from '#catalogue/cache/sent-answers.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

const folder = temporaryFolder({ after })
const head = { status: 200, route: '/entities/:id', headers: ['vary', 'Accept'] }
const unchanged = { generation: 0, areCurrent: () => true, giveTheSame: () => true }
const megabyte = 1_048_576
let files = 0

function stored(maxBytes = megabyte, maxIndexBytes = megabyte) {
  const path = join(folder, String(files++))
  const sent = createSentAnswers(unchanged, overwritten => openAnswerRing(path, maxBytes, overwritten), maxIndexBytes)
  const put = (key: string, body: string) =>
    sent.put(key, { head, etag: `"${key}"`, body }, { ids: [key], generation: 0 })
  const find = (key: string) => {
    const found = sent.find(key)
    return found && [found.etag, Buffer.from(found.body, 'latin1').toString()]
  }
  return { sent, put, find }
}

describe('The file of sent answers', () => {
  it('has no name, so that nothing is left behind', () => {
    const { put, find } = stored()
    put('a', 'é日本')
    assert.deepEqual([find('a'), readdirSync(folder)], [['"a"', 'é日本'], []])
  })

  it('returns each answer or none, however often its oldest are overwritten', () => {
    const { sent, put, find } = stored()
    const bodyOf = (number: number) => `${number} `.repeat(1 + ((number * 7919) % 3000))
    let found = 0
    for (let number = 0; number < 3000; number++) {
      put(String(number), bodyOf(number))
      for (const earlier of [number, number - 60, number - 400, number >> 1]) {
        const answer = find(String(earlier))
        if (answer) found++
        if (answer) assert.equal(answer[1], bodyOf(earlier))
      }
    }
    assert.ok(found > 6000, `${found} were found`)
    assert.ok(sent.measure().entries < 400, `${sent.measure().entries} are said to be stored`)
  })

  it('takes no more memory than it may', () => {
    const { sent, put, find } = stored(megabyte, 10_000)
    for (let number = 0; number < 1000; number++) put(`key ${number}`, 'body')
    assert.ok(sent.measure().bytes <= 10_000)
    assert.deepEqual([find('key 0'), find('key 999')], [undefined, ['"key 999"', 'body']])
  })

  it('is given up where it cannot be opened, without an error for the answer', () => {
    const sent = createSentAnswers(unchanged, to => openAnswerRing(join(folder, 'none/file'), megabyte, to), megabyte)
    sent.put('a', { head, etag: '"a"', body: 'body' }, { ids: ['a'], generation: 0 })
    assert.deepEqual([sent.has('a'), sent.find('a')], [false, undefined])
  })
})
