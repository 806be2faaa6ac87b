import type { Page } from 'playwright-core'

interface Seen {
  readonly shift: number
  readonly moved: readonly string[]
}

/** The shift of a page so far, and what moved. */
export const shiftOf = (page: Page): Promise<Seen> => page.evaluate(shiftSoFar)

/** Runs in the page. */
function shiftSoFar(): Promise<Seen> {
  return new Promise(resolve => {
    const observer = new PerformanceObserver(list => {
      observer.disconnect()
      const entries = list.getEntries() as unknown as {
        readonly value: number
        readonly sources: readonly { readonly node: Element | null }[]
      }[]
      resolve({
        shift: entries.reduce((sum, { value }) => sum + value, 0),
        moved: entries.flatMap(({ value, sources }) =>
          sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? node?.textContent} ${value.toFixed(3)}`)
        )
      })
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    // Without any shift there is no call.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve({ shift: 0, moved: [] })))
  })
}
