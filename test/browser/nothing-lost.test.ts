import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { isLong } from '../support/records/chance.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { aPng } from '../support/records/media.ts'
import { importPayload } from '../support/services/import-file.ts'
import { startReceiver } from '../support/services/receiver.ts'
import { becomes, openStage, settled, type Visit } from './stage.ts'

/*
 * Nothing typed is lost: in the middle of each form the tab dies, the service is gone and the line
 * is cut. Each route of the page has a trial here, or the reason why nothing is typed there. The
 * short tier has one trial for each way of storing drafts, the long tier all of them.
 */

const stage = await openStage({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })
const { service } = stage
const receiver = await startReceiver({ after })

interface Trial {
  readonly address: string
  /** Opens the form where it is in a dialog or needs a file first. */
  readonly begin?: (page: Page) => Promise<void>
  readonly field: (page: Page) => Locator
  readonly typed: string
  /** Saves the form. */
  readonly save: (page: Page) => Promise<void>
  /** Resolves when it is saved. */
  readonly isSaved: (page: Page) => Promise<unknown>
  /** Whether the trial is in the short tier too: one for each way of storing drafts. */
  readonly isShort?: true
}

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const added = (name: string) => (page: Page) => page.getByText(`${name} was added`).waitFor()

/** By the path of the route: its trials, or why there are none. */
const routes: Readonly<Record<string, readonly Trial[] | string>> = {
  '/': 'nothing is typed',
  '/find': 'the search is the address',
  '/browse': 'nothing is typed',
  '/browse/:type': 'nothing is typed',
  '/find/duplicates': 'nothing is typed',
  '/find/change': [
    {
      address: '/find/change?q=kill+venue',
      begin: async page => {
        const which = page.getByLabel('Which field?')
        await which.waitFor()
        if ((await which.inputValue()) === '') await which.selectOption('City')
      },
      field: page => page.getByLabel('New value'),
      typed: 'Killtown',
      isShort: true,
      save: async page => {
        await page.getByRole('button', { name: 'Preview' }).click()
      },
      isSaved: async page => {
        await page.getByRole('button', { name: /^Change/ }).click()
        await page.getByText(/was changed|were changed/).waitFor()
      }
    }
  ],
  '/record/:id': [
    {
      address: '/record/PERS-GOETHE',
      field: page => page.getByLabel('Describe the picture'),
      typed: 'Goethe in a killed tab',
      save: page =>
        page
          .locator('.drop-place input[type=file]')
          .setInputFiles({ name: 'g.png', mimeType: 'image/png', buffer: aPng(20, 20) }),
      isSaved: added('g.png')
    }
  ],
  '/record/:id/history': 'nothing is typed',
  '/record/:id/edit': [
    {
      address: '/record/PERS-AUSTEN/edit',
      field: page => page.getByRole('textbox', { name: 'Life dates', exact: true }),
      typed: '1775-1817, killed tab',
      save: saveButton,
      isSaved: page => page.getByText('was saved').waitFor()
    },
    {
      address: '/record/PR-HAMLET/edit',
      field: page => page.getByRole('textbox', { name: 'Credits' }),
      typed: 'Words with markup',
      isShort: true,
      save: saveButton,
      isSaved: page => page.getByText('was saved').waitFor()
    }
  ],
  '/record/:id/marc': [
    {
      address: '/record/(KILL)raft/marc',
      field: page => page.getByLabel('Fields, one on each line'),
      typed: 'LDR 00000nam a2200000   4500\n001 raft\n003 KILL\n245 00 $aThe killed raft',
      save: page => page.getByRole('button', { name: 'Check', exact: true }).click(),
      isSaved: async page => {
        await saveButton(page)
        await page.getByText('The killed raft was saved').waitFor()
      }
    }
  ],
  '/new/marc': [
    {
      address: '/new/marc',
      field: page => page.getByLabel('Fields, one on each line'),
      typed: 'LDR 00000nam a2200000   4500\n001 killed\n003 KILL\n245 00 $aThe killed barge',
      save: page => page.getByRole('button', { name: 'Check', exact: true }).click(),
      isSaved: async page => {
        await saveButton(page)
        await page.getByText('The killed barge was saved').waitFor()
      }
    }
  ],
  '/record/:id/merge': 'records are chosen, and the address has the other one',
  '/new': 'nothing is typed',
  '/new/publication': [
    {
      address: '/new/publication',
      field: page => page.getByRole('textbox', { name: /^Title/ }).first(),
      typed: 'A killed book',
      save: saveButton,
      isSaved: added('A killed book')
    }
  ],
  '/new/performances': [
    {
      address: '/new/performances?of=PR-AS',
      field: page => page.getByLabel('Dates, one in each line'),
      typed: '3 February 2031 20:30',
      save: saveButton,
      isSaved: page => page.getByRole('heading', { level: 1, name: 'As' }).waitFor()
    }
  ],
  '/new/:type': [
    {
      address: '/new/venue',
      field: page => page.getByRole('textbox', { name: /^Name/ }),
      typed: 'A killed hall',
      save: saveButton,
      isSaved: added('A killed hall')
    }
  ],
  '/manage': 'leads to the pages below',
  '/manage/*': 'see the pages below',
  '/manage/tokens': [
    {
      address: '/manage/tokens',
      begin: page => page.getByRole('button', { name: 'New token' }).click(),
      field: page => page.getByLabel('Name'),
      typed: 'a killed token',
      isShort: true,
      save: page => page.getByRole('button', { name: 'Create token' }).click(),
      isSaved: page => page.locator('.secret').waitFor()
    }
  ],
  '/manage/webhooks': [
    {
      address: '/manage/webhooks',
      begin: page => page.getByRole('button', { name: 'New webhook' }).click(),
      field: page => page.getByLabel('Address'),
      typed: receiver.url,
      save: page => page.getByRole('button', { name: 'Create webhook' }).click(),
      isSaved: page => page.locator('.secret').waitFor()
    }
  ],
  '/manage/site': [
    {
      address: '/manage/site',
      field: page => page.getByLabel('Name', { exact: true }),
      typed: 'A house in a killed tab',
      save: saveButton,
      isSaved: page => page.getByText('The settings were saved').waitFor()
    }
  ],
  '/manage/imports': 'nothing is typed',
  '/manage/imports/copy': 'the search is the address',
  '/manage/imports/new': [
    {
      address: '/manage/imports/new',
      begin: page =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('title\nA\n') }),
      field: page => page.getByLabel('Whose record numbers are these?'),
      typed: 'NL-Killed',
      save: page => page.getByRole('button', { name: 'Preview', exact: true }).click(),
      isSaved: page => page.waitForURL(/\/manage\/imports\/(?!new)/)
    }
  ],
  '/manage/imports/:id': 'nothing is typed',
  '/manage/imports/:id/review': 'each answer is sent at once'
}

/** The trials of a route in this tier. */
const trialsOf = (trials: readonly Trial[] | string) =>
  typeof trials === 'string' ? [] : trials.filter(({ isShort }) => isLong || isShort)

/** The value of a field, or the text of an editor. */
const contentOf = (field: Locator) =>
  field.evaluate(element =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value
      : (element as HTMLElement).innerText
  )

/** Whether a draft has a text. */
const isKept = (text: string) =>
  Object.entries(localStorage).some(
    ([key, kept]) => key.startsWith('libretto-draft:') && kept.includes(JSON.stringify(text).slice(1, -1))
  )

/** Ends the process of a tab at once: no event of the page runs any more. */
async function kill(page: Page) {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => {})
  await crashed
}

/** Stops listening, ends every connection, and gives a function that listens again. */
async function stopService(): Promise<() => Promise<void>> {
  const { server } = service.app
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
  return () => new Promise<void>(resolve => server.listen(port, '127.0.0.1', () => resolve()))
}

describe('nothing typed is lost', { skip: stage.skip }, () => {
  let visit: Visit
  const tidy: (() => unknown)[] = []
  before(async () => {
    visit = await stage.visit({ after: clear => tidy.push(clear) })
    await importPayload(service, marcFile({ raft: '003 KILL\n245 00 $aThe raft' }))
    for (const side of ['north', 'south'])
      await service.create({ type: 'venue', metadata: [{ key: 'name', value: `Kill venue ${side}` }] })
  })
  after(async () => {
    for (const each of tidy) await each()
  })

  it('has a trial for every route of the page, or says why there is none', () => {
    const paths = ['app.tsx', 'manage/manage-page.tsx'].flatMap(file => {
      const text = readFileSync(new URL(`../../web/src/${file}`, import.meta.url), 'utf8')
      return [...text.matchAll(/^ {2}'(\/[^']*)': \w+Page,?$/gm)].map(([, path = '']) => path)
    })
    assert.ok(paths.length > 20)
    assert.deepEqual([...new Set(paths)].sort(), Object.keys(routes).sort())
  })

  for (const [route, trials] of Object.entries(routes))
    for (const { address, begin, field, typed, save, isSaved } of trialsOf(trials))
      it(`in the form of ${route} (${address})`, async () => {
        const open = async () => {
          const page = await visit.another(address)
          await settled(page)
          await begin?.(page)
          return page
        }
        const isThere = (page: Page) => becomes(() => contentOf(field(page)), typed)
        const storedIn = (page: Page) => page.evaluate(isKept, typed)
        const first = await open()
        await field(first).fill(typed)
        await becomes(() => storedIn(first), true)
        await kill(first)
        await first.close()

        const page = await open()
        await isThere(page)
        const revive = await stopService()
        const refusal = page.getByText('The service does not answer').first()
        try {
          await save(page)
          await refusal.waitFor()
          await isThere(page)
        } finally {
          await revive()
        }
        await page.context().setOffline(true)
        try {
          await save(page)
          await refusal.waitFor()
          await isThere(page)
        } finally {
          await page.context().setOffline(false)
        }
        await save(page)
        await isSaved(page)
        await becomes(() => storedIn(page), false)
        await page.close()
      })
})
