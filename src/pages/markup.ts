import { table } from '#domain/table.ts'

/** Markup that is safe to send: every text in it was escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[]

/** Makes markup from a template. Texts are escaped; markup, and lists of both, are inserted. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? '')
  return new Markup(text)
}

function textOf(value: Content): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return value.map(textOf).join('')
}

const escapes: Readonly<Record<string, string>> = table({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
})

const escapeText = (text: string) => text.replace(/[&<>"']/g, each => escapes[each] ?? each)

/** JSON as the content of a script element, where `<` could end it. */
export const scriptJson = (json: string) => new Markup(json.replaceAll('<', String.raw`\u003c`))
