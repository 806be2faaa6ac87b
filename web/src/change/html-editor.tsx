interface HtmlEditorProps {
  readonly id: string
  readonly label: string
  readonly html: string
  readonly maxLength: number | undefined
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly onChange: (html: string) => void
}

export default function HtmlEditor({ id, html, describedBy, isInvalid, onChange }: HtmlEditorProps) {
  return (
    <textarea
      id={id}
      rows={5}
      value={html}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={event => onChange(event.target.value)}
    />
  )
}
