import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Locator, Page } from 'playwright-core'

import type { Teardown } from '../support/services/start.ts'
import { findElements, type Pattern, type Step } from './find-elements.ts'
import type { WebKit } from './webdriver.ts'

/*
 * The part of Playwright's Page and Locator that the tasks use, over the WebDriver protocol: so the
 * tasks are written once, and done in WebKit too.
 */

/** Milliseconds that a condition may take to become true on a busy machine. */
const patience = Number(process.env.PATIENCE ?? 240_000)

/** The key under which the WebDriver protocol names an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type ElementReference = Readonly<Record<typeof elementKey, string>>

type Text = string | RegExp

/** Sets the text of a field, as typing would. */
const fillField = `const [field, text] = arguments
  field.focus()
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))`

/** Selects an option by its value or label. */
const selectInField = `const [field, wanted] = arguments
  const option = [...field.options].find(each => each.value === wanted || each.label === wanted)
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, option.value)
  field.dispatchEvent(new Event('change', { bubbles: true }))`

/** Clicks an element while Shift is pressed. */
const clickWithShift = (webkit: WebKit, element: ElementReference) =>
  webkit.call('POST', '/actions', {
    actions: [
      {
        type: 'key',
        id: 'keyboard',
        actions: [{ type: 'keyDown', value: keys.Shift }, ...pauses(3), { type: 'keyUp', value: keys.Shift }]
      },
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', origin: element, x: 0, y: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
          ...pauses(2)
        ]
      }
    ]
  })

/** Returns the function that makes locators. Files for inputs are written into the folder. */
function createLocating(webkit: WebKit, folder: string, page: () => unknown) {
  const findAll = (steps: readonly Step[]) =>
    webkit.run<ElementReference[]>(`return (${findElements})(arguments[0])`, steps)

  const locate = (steps: readonly Step[]) => {
    const one = async (): Promise<ElementReference> => {
      const found = await until(
        () => findAll([...steps, { kind: 'visible' }]),
        ({ length }) => length === 1
      )
      if (found?.[0]) return found[0]
      const all = await withAll<string[]>('all => all.map(each => each.outerHTML)')
      return fail(`${all.length} elements: ${all.join(' ').slice(0, 500)}`)
    }
    /** Runs a function with all elements. The driver takes no lists of elements from outside. */
    const withAll = <Result>(script: unknown) =>
      webkit.run<Result>(`return (${script})((${findElements})(arguments[0]))`, steps)
    const fail = (why: string): never => {
      throw new Error(`${why}: ${JSON.stringify(steps)}`)
    }
    /** Runs a function with the element, which may be hidden. */
    const withOne = async <Result>(body: string, ...values: readonly unknown[]): Promise<Result> => {
      const found = await until(
        () => findAll(steps),
        ({ length }) => length === 1
      )
      if (!found) fail('not one element')
      return webkit.run<Result>(body, found?.[0], ...values)
    }
    const also = (...more: readonly Step[]) => locate([...steps, ...more])
    const self = {
      steps,
      page,
      first: () => also({ kind: 'nth', index: 0 }),
      last: () => also({ kind: 'nth', index: -1 }),
      nth: (index: number) => also({ kind: 'nth', index }),
      filter: ({ hasText, has }: { hasText?: Text; has?: { readonly steps: readonly Step[] } }) =>
        also({
          kind: 'filter',
          ...(hasText ? { hasText: patternOf(hasText) } : {}),
          ...(has ? { has: has.steps } : {})
        }),
      ...finders(also),
      count: async () => (await findAll(steps)).length,
      waitFor: async ({ state = 'visible' }: { state?: 'visible' | 'detached' } = {}) => {
        if (state === 'visible') return void (await one())
        const gone = await until(
          () => findAll(steps),
          ({ length }) => length === 0
        )
        if (!gone) fail('still there')
      },
      click: async ({ modifiers = [] }: { modifiers?: readonly 'Shift'[] } = {}) => {
        // An element that moves or is covered for a moment is clicked when it no longer is.
        for (const end = Date.now() + patience; ; await sleep(50)) {
          try {
            const element = await one()
            // The driver would stop at the edge, where the foot of a form covers the element.
            await webkit.run('arguments[0].scrollIntoView({ block: "center", behavior: "instant" })', element)
            if (modifiers.length > 0) return void (await clickWithShift(webkit, element))
            return void (await webkit.call('POST', `/element/${element[elementKey]}/click`, {}))
          } catch (error) {
            if (Date.now() > end) throw new Error(`Not clicked: ${JSON.stringify(steps)}`, { cause: error })
          }
        }
      },
      fill: async (text: string) => {
        await one()
        await withOne(fillField, text)
      },
      selectOption: async (wanted: string) => {
        await one()
        await withOne(selectInField, wanted)
      },
      setInputFiles: async ({ name, buffer }: { name: string; buffer: Buffer }) => {
        const path = join(folder, name)
        writeFileSync(path, buffer)
        const [element] = (await until(
          () => findAll(steps),
          ({ length }) => length === 1
        )) ?? [fail('not one element')]
        await webkit.call('POST', `/element/${element?.[elementKey]}/value`, { text: path })
      },
      evaluateAll: withAll,
      innerText: () => withOne<string>('return arguments[0].innerText'),
      inputValue: () => withOne<string>('return arguments[0].value'),
      isDisabled: () => withOne<boolean>('return arguments[0].disabled'),
      isVisible: async () => (await findAll([...steps, { kind: 'visible' }])).length > 0
    }
    return self as unknown as Locator
  }
  return locate
}

/** Opens a page for the tasks. Its temporary files are gone when the test is over. */
export function openWebKitPage(t: Teardown, webkit: WebKit): Page {
  const folder = mkdtempSync(join(tmpdir(), 'libretto-webkit-'))
  t.after(() => rm(folder, { recursive: true }))

  const locate = createLocating(webkit, folder, () => page)
  const evaluate = (script: unknown, value?: unknown) =>
    typeof script === 'string' ? webkit.run(script) : webkit.run(`return (${script})(arguments[0])`, value)
  const press = (...keys: readonly string[]) =>
    webkit.call('POST', '/actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: [
            ...keys.map(value => ({ type: 'keyDown', value })),
            ...keys.toReversed().map(value => ({ type: 'keyUp', value }))
          ]
        }
      ]
    })

  const waitUntil = async (isSo: () => Promise<boolean>, what: string) => {
    if (!(await until(isSo, so => so))) throw new Error(`Waited in vain for ${what}`)
  }
  const address = () => webkit.run<string>('return location.href')

  const page = {
    ...finders((...steps) => locate(steps)),
    evaluate,
    keyboard: {
      press: (name: string) => press(...name.split('+').map(key => keys[key as keyof typeof keys] ?? key)),
      type: async (text: string) => {
        for (const letter of text) await press(letter)
      }
    },
    goto: webkit.go,
    reload: () => webkit.call('POST', '/refresh', {}),
    waitForURL: async (wanted: RegExp | ((url: URL) => boolean)) => {
      await waitUntil(async () => {
        const now = await address()
        return wanted instanceof RegExp ? wanted.test(now) : wanted(new URL(now))
      }, `the address ${wanted}`)
      lastAddress = await address()
    },
    url: () => lastAddress,
    waitForFunction: (isSo: () => boolean) =>
      waitUntil(async () => (await evaluate(isSo)) === true, `the condition ${isSo}`),
    setViewportSize: async ({ width, height }: { width: number; height: number }) => {
      await webkit.call('POST', '/window/rect', { x: 0, y: 0, width, height })
      await waitUntil(async () => (await webkit.run<number>('return innerWidth')) === width, `a width of ${width} px`)
    }
  }
  let lastAddress = ''
  return page as unknown as Page
}

/** Reads until the result is as wanted, or patience ends. */
async function until<Result>(
  read: () => Promise<Result>,
  isWanted: (result: Result) => boolean
): Promise<Result | undefined> {
  for (const end = Date.now() + patience; ; await sleep(50)) {
    // A page that is being loaded answers with an error.
    const result = await read().catch(() => undefined)
    if (result !== undefined && isWanted(result)) return result
    if (Date.now() > end) return undefined
  }
}

/** The finding methods that a page and a locator share. */
function finders(also: (...steps: readonly Step[]) => Locator) {
  return {
    locator: (css: string, { hasText }: { hasText?: Text } = {}) =>
      also({ kind: 'css', css }, ...(hasText ? [{ kind: 'filter' as const, hasText: patternOf(hasText) }] : [])),
    getByRole: (role: string, { name, exact, level }: { name?: Text; exact?: boolean; level?: number } = {}) =>
      also({
        kind: 'role',
        role,
        ...(name === undefined ? {} : { name: patternOf(name, exact) }),
        ...(level === undefined ? {} : { level })
      }),
    getByLabel: (text: Text) => also({ kind: 'label', text: patternOf(text) }),
    getByText: (text: Text, { exact }: { exact?: boolean } = {}) => also({ kind: 'text', text: patternOf(text, exact) })
  }
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A text as Playwright compares it: a part in any case, unless it is exact. */
const patternOf = (text: Text, isExact = false): Pattern =>
  text instanceof RegExp
    ? { source: text.source, flags: text.flags }
    : isExact
      ? { source: `^${escaped(text)}$`, flags: '' }
      : { source: escaped(text), flags: 'i' }

/** Keys as the WebDriver protocol writes them. */
const keys = { Shift: '\uE008', Control: '\uE009', Enter: '\uE007', Escape: '\uE00C' }

const pauses = (count: number) => Array.from({ length: count }, () => ({ type: 'pause', duration: 0 }))
