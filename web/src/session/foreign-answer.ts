/** The issuer's answer belongs to no sign-in of this tab. */
export class ForeignAnswer extends Error {
  override readonly name = 'ForeignAnswer'
}
