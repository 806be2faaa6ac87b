interface OptionsProps<T extends string> {
  readonly of: readonly T[]
  readonly name: (value: T) => string
}

/** The options of a choice: each value with its name. */
export const Options = <T extends string>({ of, name }: OptionsProps<T>) =>
  of.map(value => (
    <option key={value} value={value}>
      {name(value)}
    </option>
  ))
