import { type ReactNode, useState } from 'react'

interface DropPlaceProps {
  readonly label: string
  readonly className: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** A place that files can be dropped on. */
export function DropPlace({ label, className, onFiles, children }: DropPlaceProps) {
  const [isOver, setOver] = useState(false)
  return (
    <section
      aria-label={label}
      className={isOver ? `${className} over` : className}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
    </section>
  )
}
