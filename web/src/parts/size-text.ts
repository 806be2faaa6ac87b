const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes in the most readable unit. */
export function sizeText(bytes: number, language: string): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const unit = units[step] ?? 'byte'
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1
  })
  return format.format(bytes / 1000 ** step)
}
