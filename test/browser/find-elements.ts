/** A regular expression as JSON. */
export interface Pattern {
  readonly source: string
  readonly flags: string
}

/** A step from elements to others, as in Playwright's locators. */
export type Step =
  | { readonly kind: 'css'; readonly css: string }
  | { readonly kind: 'role'; readonly role: string; readonly name?: Pattern; readonly level?: number }
  | { readonly kind: 'label'; readonly text: Pattern }
  | { readonly kind: 'text'; readonly text: Pattern }
  | { readonly kind: 'filter'; readonly hasText?: Pattern; readonly has?: readonly Step[] }
  | { readonly kind: 'nth'; readonly index: number }
  | { readonly kind: 'visible' }

/** Finds elements by steps. It runs in the page, so it refers to nothing outside itself. */
export function findElements(steps: readonly Step[]): Element[] {
  const implicitRoles: readonly (readonly [selector: string, role: string])[] = [
    ['[role]', ''],
    ['a[href]', 'link'],
    ['button', 'button'],
    ['input[type=checkbox]', 'checkbox'],
    ['input[type=radio]', 'radio'],
    ['input[type=search]', 'searchbox'],
    ['input[type=number]', 'spinbutton'],
    ['input:not([type]), input[type=text], input[type=url], input[type=email], textarea', 'textbox'],
    ['select', 'combobox'],
    ['h1, h2, h3, h4, h5, h6', 'heading'],
    ['dialog', 'dialog'],
    ['img', 'img'],
    ['tr', 'row'],
    ['li', 'listitem']
  ]
  const roleOf = (element: Element) =>
    element.getAttribute('role') ?? implicitRoles.find(([selector]) => element.matches(selector))?.[1]
  const normal = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const matches = (text: string, { source, flags }: Pattern) => new RegExp(source, flags).test(normal(text))
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  }
  /** The text of an element without the parts that are hidden from assistive technology. */
  const textOf = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
    if (getComputedStyle(node).display === 'none') return ''
    const label = node.getAttribute('aria-label') ?? (node instanceof HTMLImageElement ? node.alt : undefined)
    if (label !== undefined) return label
    const isInline = getComputedStyle(node).display.startsWith('inline')
    const text = [...node.childNodes].map(textOf).join('')
    return isInline && getComputedStyle(node).display === 'inline' ? text : ` ${text} `
  }
  const labelsOf = (element: Element): string[] => {
    const by = element.getAttribute('aria-labelledby')
    if (by !== null)
      return [
        by
          .split(/\s+/)
          .map(id => textOf(document.getElementById(id) ?? new Text()))
          .join(' ')
      ]
    const own = element.getAttribute('aria-label')
    if (own !== null) return [own]
    return 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])].map(textOf) : []
  }
  const nameOf = (element: Element) => {
    const labels = labelsOf(element)
    if (labels.length > 0) return labels.join(' ')
    const isField = element.matches('input, select, textarea')
    const text = isField ? '' : normal(textOf(element))
    return text === '' ? (element.getAttribute('title') ?? element.getAttribute('placeholder') ?? '') : text
  }
  const below = (from: readonly (Element | Document)[], css = '*') => [
    ...new Set(from.flatMap(each => [...each.querySelectorAll(css)]))
  ]

  const take = (from: readonly (Element | Document)[], step: Step): Element[] => {
    const elements = from.filter(each => each instanceof Element)
    switch (step.kind) {
      case 'css':
        return below(from, step.css)
      case 'role':
        return below(from).filter(
          each =>
            roleOf(each) === step.role &&
            isVisible(each) &&
            (step.level === undefined || each.matches(`h${step.level}, [aria-level="${step.level}"]`)) &&
            (step.name === undefined || matches(nameOf(each), step.name))
        )
      case 'label':
        return below(from).filter(each => labelsOf(each).some(label => matches(label, step.text)))
      case 'text': {
        const having = below(from).filter(
          each => !each.matches('script, style') && matches(each.textContent ?? '', step.text)
        )
        return having.filter(each => !having.some(other => other !== each && each.contains(other)))
      }
      case 'filter':
        return elements.filter(
          each =>
            (step.hasText === undefined || matches(each.textContent ?? '', step.hasText)) &&
            (step.has === undefined || step.has.reduce<readonly Element[]>(take, [each]).length > 0)
        )
      case 'nth':
        return elements.slice(step.index, step.index === -1 ? undefined : step.index + 1)
      case 'visible':
        return elements.filter(isVisible)
    }
  }
  return steps.reduce<readonly (Element | Document)[]>(take, [document]) as Element[]
}
