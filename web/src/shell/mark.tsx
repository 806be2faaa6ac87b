import mark from './libretto.svg'

/** The sign of the house. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src={mark} alt="" width={size} height={size} />
}
