import type { Content } from './drafts.ts'

/* Templates: beginnings of records that a cataloguer stored in this browser, by record type. */

export interface Template {
  readonly name: string
  readonly content: Content
}

const keyOf = (type: string) => `libretto-templates:${type}`

export function listTemplates(type: string): readonly Template[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(type)) ?? '[]') as readonly Template[]
  } catch {
    return []
  }
}

/** Stores a template; one with the same name is replaced. */
export function keepTemplate(type: string, template: Template) {
  const others = listTemplates(type).filter(({ name }) => name !== template.name)
  store(type, [...others, template])
}

export const dropTemplate = (type: string, name: string) =>
  store(
    type,
    listTemplates(type).filter(each => each.name !== name)
  )

function store(type: string, templates: readonly Template[]) {
  const sorted = templates.toSorted((one, other) => one.name.localeCompare(other.name))
  localStorage.setItem(keyOf(type), JSON.stringify(sorted))
}
