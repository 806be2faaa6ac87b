/** Tests whether a text is an age: `12+`, a range such as `6-12`, or `all`. */
export function isAge(text: string): boolean {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  return from === undefined ? /^(?:\d{1,2}\+|all)$/.test(text) : Number(from) <= Number(to)
}
