/*
 * The colours of a house on the pages, in both themes. Text needs a contrast of 4.5:1 (WCAG 2.2,
 * 1.4.3); the brand colour is text on every surface, so it is checked against the worst of them.
 */

/** Colours as `#rrggbb`. */
export interface Palette {
  readonly brand: { readonly light: string; readonly dark: string }
  /** The ground of the featured show, in both themes. */
  readonly accent: string
}

export const minContrast = 4.5

/** The darkest surface of the light theme and the lightest of the dark one, as in `look.css`. */
export const surfaces = { light: '#f0ede7', dark: '#29292f' } as const

type Channels = readonly [number, number, number]

const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)) as never

const linear = (channel: number) => {
  const share = channel / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever is easier to read on a colour; one of them has at least 4.5:1. */
export const inkOn = (colour: string) => (contrastOf(colour, '#ffffff') >= minContrast ? '#ffffff' : '#000000')

/** The colour nearest to this one that can be read on the surfaces of a theme. */
export function readableIn(theme: keyof typeof surfaces, colour: string): string {
  const towards = theme === 'light' ? 0 : 255
  for (let step = 0; step < 50; step++) {
    const mixed = channelsOf(colour).map(each => Math.round(each + ((towards - each) * step) / 50))
    const found = `#${mixed.map(each => each.toString(16).padStart(2, '0')).join('')}`
    if (contrastOf(found, surfaces[theme]) >= minContrast) return found
  }
  return theme === 'light' ? '#000000' : '#ffffff'
}
