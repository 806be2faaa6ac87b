import { useCallback, useState } from 'react'

import { dropDraft, findDraft, formDraftName, keepDraft } from './drafts.ts'
import { isSame } from './form-content.ts'

interface Kept<Value> {
  readonly value: Value
}

/**
 * State of a form that describes no record, stored in this browser with every change, so that a
 * closed tab loses nothing. The third function deletes what is stored, once it is saved.
 */
export function useStoredState<Value>(
  form: string,
  initial: Value
): readonly [Value, (value: Value) => void, () => void] {
  const name = formDraftName(form)
  const [value, setValue] = useState(() => findDraft<Kept<Value>>(name)?.value ?? initial)
  const change = (next: Value) => {
    setValue(next)
    if (isSame(next, initial)) dropDraft(name)
    else keepDraft(name, { value: next } satisfies Kept<Value>)
  }
  return [value, change, useCallback(() => dropDraft(name), [name])]
}
