import assert from 'node:assert/strict'

import type { Locator, Page } from 'playwright-core'

/** Somebody at a page whose clicks and keys are counted: what a task costs them. */
export interface User {
  click(target: Locator, options?: { modifiers: 'Shift'[] }): Promise<void>
  /** Types into what has the focus, key by key. */
  type(text: string): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  /** Chooses from a list of the browser: a click to open it, and one on the choice. */
  choose(target: Locator, option: string): Promise<void>
  /** Gives a file; the window of the system is one click. */
  giveFile(target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
  /** Fails if the task took more than this. */
  tookAtMost(clicks: number, keys: number): void
}

export function countingUser(page: Page): User {
  let clicks = 0
  let keys = 0
  return {
    async click(target, options) {
      clicks++
      await target.click(options)
    },
    async type(text) {
      keys += text.length
      await page.keyboard.type(text)
    },
    async press(...pressed) {
      for (const key of pressed) {
        keys++
        await page.keyboard.press(key)
      }
    },
    async choose(target, option) {
      clicks += 2
      await target.selectOption(option)
    },
    async giveFile(target, file) {
      clicks++
      await target.setInputFiles(file)
    },
    tookAtMost(maxClicks, maxKeys) {
      assert.ok(clicks <= maxClicks, `${clicks} clicks, more than ${maxClicks}`)
      assert.ok(keys <= maxKeys, `${keys} keys, more than ${maxKeys}`)
      // A limit far above what is needed would hide that a task became longer.
      assert.ok(clicks >= maxClicks - 1, `${clicks} clicks: lower the limit of ${maxClicks}`)
    }
  }
}
