/*
 * Typefaces on a slow line. They are half as large as all scripts, and they are not shown when they
 * come late (`font-display: optional`): there a page is shown without them, and they are loaded
 * once it is open, for the next visit.
 */

/** The class of the document without typefaces of its own (`look.css`). */
export const slowLine = 'slow-line'

/** Milliseconds in which the largest script arrives on a line that is not slow. */
const maxDuration = 300

/** Whether a file that has arrived took long. One from the cache did not. */
export function isSlow(file: string): boolean {
  const [timing] = performance.getEntriesByName(file)
  return timing !== undefined && timing.duration > maxDuration
}

let areLoaded = false

/** Loads the typefaces for the next visit, if this one is shown without them. */
export function loadTypefacesLate() {
  if (areLoaded || !document.documentElement.classList.contains(slowLine)) return
  areLoaded = true
  const { typefaces } = JSON.parse(document.getElementById('files')?.textContent ?? '')
  for (const file of typefaces as readonly string[]) fetch(file, { priority: 'low' }).catch(() => {})
}
