/** Creates an element with these properties. Text is only ever text: no markup is parsed. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {}
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
