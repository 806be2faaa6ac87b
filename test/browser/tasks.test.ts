import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'

import { isLong } from '../support/records/chance.ts'
import { accessibilityFaults, settled } from './stage.ts'
import { cataloguerTasks } from './tasks/cataloguer.ts'
import { type Place, type TaskEngine, taskEngines, type Visit } from './tasks/engines.ts'
import { libraryTasks } from './tasks/library.ts'
import { managerTasks } from './tasks/manager.ts'
import { readerTasks } from './tasks/reader.ts'
import { recordTools, type Task } from './tasks/task.ts'
import { theatreTasks } from './tasks/theatre.ts'
import { countingUser } from './user.ts'

/*
 * The tasks of users at the page, with the clicks and keys that each takes. The short tier runs
 * each task once, at alternating widths and themes; the long tier runs all of them in each.
 */

const groups = {
  'a cataloguer': cataloguerTasks,
  'somebody at a library': libraryTasks,
  'somebody at a theatre': theatreTasks,
  'a manager': managerTasks
}
const all = Object.entries(groups).flatMap(([who, tasks]) => tasks.map(task => [who, task] as const))

interface Setting {
  readonly width: number
  readonly theme: 'light' | 'dark'
}

const settings: readonly Setting[] = ([1440, 390, 320] as const).flatMap(width => [
  { width, theme: 'light' as const },
  { width, theme: 'dark' as const }
])

/** Does a task in a window, and compares its cost with the cost that it states. */
async function doTask(task: Task, place: Place, visit: Visit, { width, theme }: Setting) {
  const { page, go, download, complaints } = visit
  const { service, url } = place
  const isPhone = width < 800
  await page.setViewportSize({ width, height: isPhone ? 844 : 900 })
  await page.evaluate(chosen => {
    localStorage.setItem('libretto-theme', chosen)
    document.documentElement.dataset.theme = chosen
  }, theme)
  // Nothing that the last task opened is open any more.
  await go('/')
  const user = countingUser(page)
  const isAccessible = async () => assert.deepEqual(await accessibilityFaults(page), [])
  await task.run({ ...recordTools(service), page, user, service, url, isPhone, go, download, isAccessible })
  const { clicks, clicksOnPhone = clicks, keys } = task
  assert.deepEqual(user.cost(), { clicks: isPhone ? clicksOnPhone : clicks, keys })
  await settled(page)
  await isAccessible()
  const across = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(across <= width, `the page is ${across} px wide`)
  assert.deepEqual(complaints.splice(0), [])
}

/** Describes the tasks in one browser, each in the setting that is chosen for it. */
function describeTasks(title: string, engine: TaskEngine, choose: (number: number) => Setting) {
  describe(title, { skip: engine.whyNot() }, () => {
    const ends: (() => void | Promise<void>)[] = []
    let place: Place
    let shared: Visit
    before(async () => {
      const t = { after: (end: () => void | Promise<void>) => ends.unshift(end) }
      place = await engine.open(t, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })
      // One window for most tasks, so that parts of the page are loaded once.
      shared = await place.visit(t, 'en')
    })
    after(async () => {
      // A browser that died must not keep the service from ending.
      for (const end of ends) await Promise.resolve(end()).catch(() => {})
    })
    for (const [number, [who, task]] of all.entries()) {
      const setting = choose(number)
      it(`${who} ${task.name} (${setting.width} px, ${setting.theme})`, async t => {
        const visit = task.language === undefined ? shared : await place.visit(t, task.language)
        await doTask(task, place, visit, setting)
      })
    }
  })
}

describe('the tasks', () => {
  it('are in the documentation, with their clicks and keys', () => {
    const text = readFileSync(new URL('../../docs/reference/page-tasks.md', import.meta.url), 'utf8')
    const rows = [
      ...all.map(
        ([who, { name, clicks, clicksOnPhone = clicks, keys }]) =>
          `| ${who} ${name} | ${clicks} | ${clicksOnPhone} | ${keys} |`
      ),
      ...readerTasks.map(({ name, clicks, keys }) => `| a reader ${name} | ${clicks} | ${keys} |`)
    ]
    assert.deepEqual(text.match(/^\| (?!Task|---).*$/gm), rows)
  })
})

/**
 * `BROWSERS=Firefox,WebKit` names others than those of the tier. Firefox ESR is not in the long
 * tier: driven over WebDriver BiDi, its content process ends with signal 11 now and then.
 */
const named = process.env.BROWSERS?.split(',') ?? (isLong ? ['Chromium', 'WebKit'] : ['Chromium'])

for (const [name, engine] of Object.entries(taskEngines)) {
  if (!named.includes(name)) continue
  if (isLong)
    for (const setting of settings)
      describeTasks(`in ${name} at ${setting.width} px, ${setting.theme}`, engine, () => setting)
  else describeTasks(`in ${name}`, engine, number => settings[number % settings.length] ?? assert.fail('no setting'))
}
