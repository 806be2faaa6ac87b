import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type ParserOptions, parseFragment } from 'parse5'

import { countCharacters } from '#domain/values/fold.ts'
import { type HtmlBudget, newHtmlBudget, recordLimits } from '#domain/editing/record-limits.ts'

/**
 * HTML that exceeds the limits of a record, or would when parsed. The message is the end of a
 * sentence.
 */
export class HtmlExcess extends Error {}

const { maxHtmlCharacters, maxHtmlElements } = recordLimits

/** Each element has at most two tags. Tags without an element cost time as well. */
const maxTags = 3 * maxHtmlElements

/**
 * Parses HTML as browsers do, within the limits of a record. Throws `HtmlExcess`.
 *
 * Elements are counted while they are created: the HTML standard opens formatting elements again in
 * each new paragraph, so a short text can ask for millions. The characters of their attributes are
 * counted too, since they are repeated with each.
 */
export function parseHtml(
  html: string,
  budget: HtmlBudget = newHtmlBudget(),
  onParseError: NonNullable<ParserOptions<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>['onParseError']> = () => {}
): DefaultTreeAdapterTypes.DocumentFragment {
  refuseLong(html)
  let elements = 0
  let attributeCharacters = 0
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      let characters = 0
      for (const { name, value } of attrs) characters += name.length + value.length
      attributeCharacters += characters
      budget.attributeCharacters -= characters
      if (++elements > maxHtmlElements || attributeCharacters > maxHtmlCharacters) throw tooManyElements()
      if (--budget.elements < 0 || budget.attributeCharacters < 0) throw tooMuchInAll()
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs)
    }
  }
  return parseFragment(html, { treeAdapter, onParseError })
}

/** Refuses HTML that is too long to be parsed at all. */
function refuseLong(html: string) {
  if (html.length > maxHtmlCharacters) {
    const length = countCharacters(html)
    if (length > maxHtmlCharacters)
      throw new HtmlExcess(`may have at most ${maxHtmlCharacters} characters, not ${length}`)
  }
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
    if (++tags > maxTags) throw tooManyElements()
}

const tooManyElements = () =>
  new HtmlExcess(
    `may have at most ${maxHtmlElements} elements; formatting that is not closed is repeated in each paragraph`
  )

const tooMuchInAll = () => new HtmlExcess('is too long, together with the other HTML of the record')
