import mark from './libretto.svg'

/** The logo. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return <img src={mark} alt="" width={size} height={size} />
}
