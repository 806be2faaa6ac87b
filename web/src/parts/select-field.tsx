import { type ReactNode, useId } from 'react'

interface SelectFieldProps {
  readonly label: string
  readonly value: string
  readonly onChoose: (value: string) => void
  /** The options. */
  readonly children: ReactNode
}

/** A choice of one of several, with its label above. */
export function SelectField({ label, value, onChoose, children }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={event => onChoose(event.target.value)}>
        {children}
      </select>
    </div>
  )
}
