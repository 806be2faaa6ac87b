import type { Locator, Page } from 'playwright-core'

/** Somebody at a page whose clicks and keys are counted: the cost of a task. */
export interface User {
  click(target: Locator, options?: { modifiers: 'Shift'[] }): Promise<void>
  /** Types into the element that has the focus, key by key. */
  type(text: string): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  /** Chooses from a list of the browser: a click to open it, and one on the choice. */
  choose(target: Locator, option: string): Promise<void>
  /** Gives a file; the window of the system is one click. */
  giveFile(target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
  /** The clicks and keys so far. */
  cost(): { readonly clicks: number; readonly keys: number }
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
    cost: () => ({ clicks, keys })
  }
}
