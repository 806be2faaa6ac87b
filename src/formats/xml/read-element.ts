import type { Defect } from '../source/defects.ts'
import { type Attributes, createXmlTokens, XmlTrouble } from './xml-tokens.ts'

/** An element with its content. */
export interface Element {
  readonly name: string
  readonly attributes: Attributes
  /** All text inside, also within markup. */
  readonly text: string
  readonly children: readonly Element[]
}

interface Open {
  readonly name: string
  readonly attributes: Attributes
  text: string
  readonly children: Element[]
}

/** Elements whose text was read. */
const read = new WeakSet<Element>()

function elementOf({ name, attributes, children, text: given }: Open): Element {
  const text = given.replaceAll(/\s+/g, ' ').trim()
  const element: Element = {
    name,
    attributes,
    children,
    get text() {
      read.add(element)
      return text
    }
  }
  return element
}

/**
 * The paths of the elements in an element that have a text which nobody read so far, each as often
 * as it occurs.
 */
export function unreadIn({ children }: Element, path = ''): string[] {
  return children.flatMap(child => {
    if (read.has(child)) return []
    const own = path + child.name
    if (child.children.length > 0) return unreadIn(child, `${own}/`)
    const isEmpty = child.text === ''
    read.delete(child)
    return isEmpty ? [] : [own]
  })
}

/** The name of a tag without its prefix. */
export const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1)

/** Reads one element. Throws `XmlTrouble` when it is not well-formed. */
export function readElement(xml: string, nameOf: (tag: string) => string = localName): Element {
  const path: Open[] = []
  let root: Element | undefined
  const tokens = createXmlTokens(
    {
      open: (tag, attributes) => path.push({ name: nameOf(tag), attributes, text: '', children: [] }),
      close() {
        const closed = path.pop()
        if (closed === undefined) return
        const element = elementOf(closed)
        const around = path.at(-1)
        if (around === undefined) root = element
        else {
          around.children.push(element)
          around.text += closed.text
        }
      },
      text(text) {
        const open = path.at(-1)
        if (open !== undefined) open.text += text
      }
    },
    xml.length + 1
  )
  tokens.write(xml)
  tokens.end()
  if (root === undefined) throw new XmlTrouble('not_well_formed', 'There is no element')
  return root
}

/** Reads one element, or returns the defect of its text. */
export function tryElement(xml: string): Element | Defect {
  try {
    return readElement(xml)
  } catch (error) {
    if (!(error instanceof XmlTrouble)) throw error
    return { kind: error.kind, message: error.message }
  }
}

/** The elements along a path of names, through all that have the same name. */
export function elementsAt(element: Element, path: string): readonly Element[] {
  return path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) => found.flatMap(each => each.children.filter(child => child.name === name)),
      [element]
    )
}

/** The texts along a path, without empty ones. */
export const textsAt = (element: Element, path: string): string[] =>
  elementsAt(element, path).flatMap(({ text }) => (text === '' ? [] : [text]))

export const textAt = (element: Element, path: string): string | undefined => textsAt(element, path)[0]
