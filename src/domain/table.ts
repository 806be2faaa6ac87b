/**
 * A table whose keys are looked up by texts from outside. It has no keys but its own: an object has
 * `constructor`, `toString` and others, which files and requests may contain too.
 */
export const table = <T>(own: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), own)
