import type { Words } from '../i18n/en.ts'

/** A duration in words. */
export function durationText(words: Words, seconds: number): string {
  if (seconds < 90) return words.seconds(Math.max(1, Math.round(seconds)))
  if (seconds < 90 * 60) return words.minutesLong(Math.round(seconds / 60))
  return words.hours(Math.round(seconds / 3600))
}
