/** An issuer's answer is to no sign-in that this tab began. */
export class ForeignAnswer extends Error {
  override readonly name = 'ForeignAnswer'
}
