import type { ContentForm } from './description.ts'

/**
 * Content types (rdacontent) by the words for them: the form, and the kind of material of a work in
 * that form.
 */
const contents: readonly (readonly [word: RegExp, form: ContentForm, content: string])[] = [
  [/^(?:tactile)/, 'tactile', 'word'],
  [/^text/, 'text', 'word'],
  [/^spoken/, 'spoken', 'word'],
  [/^notated music/, 'notated music', 'music'],
  [/^performed music/, 'performed music', 'music'],
  [/moving image/, 'moving image', 'footage'],
  [/^still image/, 'still image', 'footage'],
  [/^cartographic/, 'cartographic', 'map'],
  [/^computer/, 'computer', 'computer_file'],
  [/^three-dimensional form/, 'object', 'footage'],
  [/^sounds/, 'sound', 'music']
]

/** The form and the kind of material that a word for a content type stands for. */
export function formOf(word: string): { readonly form: ContentForm; readonly content: string } | undefined {
  const found = contents.find(([pattern]) => pattern.test(word.toLowerCase()))
  return found === undefined ? undefined : { form: found[1], content: found[2] }
}
