import { inkOn } from './colours.ts'
import { type Site, type SiteFile, sitePath } from './site.ts'

/**
 * The style with the colours and typefaces of the house, empty where it has none. It stands in the
 * document, so that no page waits for a file. `base` is the path that the service is reached under.
 */
export function themeOf({ colours, typefaces }: Site, base: string): string {
  const face = (family: string, file: SiteFile) =>
    `@font-face{font-family:"${family}";src:url("${base}${sitePath(file)}") format("woff2");font-weight:100 900;font-display:optional}`
  const rules: string[] = []
  const values: string[] = []
  if (typefaces.titles) {
    rules.push(face('House Titles', typefaces.titles))
    values.push('--serif:"House Titles",Georgia,serif')
  }
  if (typefaces.text) {
    rules.push(face('House Text', typefaces.text))
    values.push('--sans:"House Text",system-ui,sans-serif')
  }
  if (colours) {
    const { brand, accent } = colours
    values.push(
      `--accent:light-dark(${brand.light},${brand.dark})`,
      `--on-accent:light-dark(${inkOn(brand.light)},${inkOn(brand.dark)})`,
      `--accent-soft:color-mix(in srgb,var(--accent) 10%,var(--card))`,
      `--band:${accent}`,
      `--on-band:${inkOn(accent)}`
    )
  }
  // Twice, to win over the values of the pages whatever the order of the styles.
  if (values.length > 0) rules.push(`:root:root{${values.join(';')}}`)
  return rules.join('')
}
