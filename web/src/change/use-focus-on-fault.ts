import { useEffect, useRef } from 'react'

import { type FormFaults, noFaults } from './form-content.ts'

/** Moves the focus to the first faulty place of a form. */
export function useFocusOnFault(...faults: readonly FormFaults[]) {
  const place = useRef<HTMLFormElement>(null)
  const isFaulty = faults.some(each => each !== noFaults)
  useEffect(() => {
    if (isFaulty) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [isFaulty])
  return place
}
