/*
 * Runs in the page (bench/page.ts): tells when the result of a key or a click is on the screen.
 */

let begun = 0
for (const type of ['keydown', 'pointerdown'])
  addEventListener(
    type,
    event => {
      begun = event.timeStamp
    },
    { capture: true }
  )

const typed = () => document.querySelector('.search-box input')?.value ?? ''
const found = () => document.querySelector('.found')
const isIdle = () => found()?.getAttribute('aria-busy') === 'false'
/** The address of what the results that are shown were found by. */
const shown = () => found()?.dataset.of ?? ''

/** Values that differ afterwards. */
const marks = {
  find: shown,
  record: () => location.pathname,
  more: () => document.querySelectorAll('.result').length,
  suggestions: typed
}

const isThere = {
  find: () => isIdle() && (new URL(shown(), location.origin).searchParams.get('q') ?? '') === typed(),
  record: () => document.querySelector('.record-head h1') !== null,
  more: isIdle,
  suggestions: () => document.querySelector('.suggestions')?.dataset.of === typed()
}

/** Resolves to the milliseconds from the next key or click to the result. */
globalThis.whenPainted = what =>
  new Promise(resolve => {
    begun = 0
    const before = marks[what]()
    // It looks when something changes: looking at every frame would make frames, which would be
    // measured with the rest.
    const observer = new MutationObserver(() => {
      if (begun === 0 || marks[what]() === before || !isThere[what]()) return
      observer.disconnect()
      requestAnimationFrame(() => {
        // It is in the document, and this frame shows it: a task that is asked for now comes after
        // it was painted.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - begun)
        port2.postMessage(undefined)
      })
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
