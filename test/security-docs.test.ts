import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const paths = ['docs/explanation/security.md', 'docs/explanation/security-review.md', 'docs/reference/asvs.md']

/**
 * The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0. In every section
 * those of level 3 come last, so the others are numbered from 1 without gaps.
 */
const sections: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
  ...{ '17.1': 1, '17.2': 4, '17.3': 2 }
}
const requirements = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`)
)

const states = ['met', 'partly', 'not met', 'does not apply']
const maxSubjectWords = 12

interface Row {
  readonly id: string
  readonly subject: string
  readonly state: string
  readonly evidence: string
}

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*?) \| (.*?) \| (.*) \|$/gm)].map(
    ([, id = '', subject = '', state = '', evidence = '']) => ({ id, subject, state, evidence })
  )

/** Returns the files and folders of the repository that a text names in code spans. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
    .map(([, name = '']) => name)
    .filter(name => /^(src|test|web|deploy|docs|client|scripts|bin)\//.test(name) || /\.(md|json)$/.test(name))

const isPresent = (file: string) => existsSync(new URL(file, root))

/** Returns the faults of the pages: files that do not exist, and rows that are wrong or missing. */
function faultsOf(text: string): string[] {
  const rows = rowsOf(text)
  const ids = rows.map(({ id }) => id)
  return [
    ...requirements.filter(id => !ids.includes(id)).map(id => `${id} is missing`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `${id} appears twice`),
    ...ids.filter(id => !requirements.includes(id)).map(id => `${id} is no requirement of level 1 or 2`),
    ...filesIn(text)
      .filter(file => !isPresent(file))
      .map(file => `${file} does not exist`),
    ...rows.flatMap(({ id, subject, state, evidence }) => {
      const isShown = filesIn(evidence).length > 0 || /\]\((?:\.\.\/explanation\/security\.md)?#/.test(evidence)
      return [
        ...(states.includes(state) ? [] : [`${id} has the state "${state}"`]),
        ...(subject.split(' ').length > maxSubjectWords ? [`${id} has a long subject`] : []),
        ...(evidence === '' ? [`${id} has no reason`] : []),
        ...((state === 'met' || state === 'partly') && !isShown ? [`${id} names no file that shows it`] : [])
      ]
    }),
    ...states.flatMap(state => {
      const stated = new RegExp(`^\\| ${state} \\| (\\d+) \\|$`, 'm').exec(text)?.[1]
      const counted = rows.filter(row => row.state === state).length
      return Number(stated) === counted ? [] : [`${counted} rows are "${state}", the summary says ${stated}`]
    })
  ]
}

describe('The pages on security', () => {
  const text = paths.map(read).join('\n')

  it('lists the 253 requirements of ASVS 5.0.0 for level 2, each once, with files that exist', () => {
    assert.equal(requirements.length, 253)
    assert.deepEqual(faultsOf(text), [])
  })

  it('is found faulty when a row is missing, repeated or without evidence, or a file is gone', () => {
    const row = /^\| 9\.1\.2 .*\n/m.exec(text)?.[0] ?? ''
    const planted = (from: string, to: string) => faultsOf(text.replace(from, to))
    assert.ok(planted(row, '').includes('9.1.2 is missing'))
    assert.ok(planted(row, row + row).includes('9.1.2 appears twice'))
    assert.ok(planted('| 9.1.2 |', '| 9.1.9 |').includes('9.1.9 is no requirement of level 1 or 2'))
    assert.deepEqual(planted(row, '| 9.1.2 | Allowlist of algorithms | met | the code |\n'), [
      '9.1.2 names no file that shows it'
    ])
    assert.deepEqual(planted('test/api/tickets.test.ts', 'test/api/tickers.test.ts'), [
      'test/api/tickers.test.ts does not exist'
    ])
    assert.equal(planted(row, row.replace('| met |', '| fine |')).length, 2)
  })
})
