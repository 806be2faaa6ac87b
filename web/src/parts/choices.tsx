import type { ReactNode } from 'react'

interface ChoicesProps<Value extends string | number> {
  readonly of: readonly Value[]
  readonly chosen: readonly Value[]
  readonly onChoose: (chosen: readonly Value[]) => void
  readonly name: (value: Value) => ReactNode
  /** Minimum number of chosen values. */
  readonly min?: number
}

/** A checkbox for each value, of which any may be chosen. */
export const Choices = <Value extends string | number>({ of, chosen, onChoose, name, min = 0 }: ChoicesProps<Value>) =>
  of.map(value => (
    <label key={value} className="check">
      <input
        type="checkbox"
        checked={chosen.includes(value)}
        disabled={chosen.includes(value) && chosen.length <= min}
        onChange={({ target }) => onChoose(target.checked ? [...chosen, value] : chosen.filter(each => each !== value))}
      />
      <span>{name(value)}</span>
    </label>
  ))
