import { useSiteWords } from './use-site-words.ts'

interface FileInputProps {
  readonly label: string
  readonly hint?: string
  readonly accept: string
  /** The content, as a `data:` address. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** The media types that browsers do not know by the name of a file. */
const typeOf = (file: File) => (file.name.toLowerCase().endsWith('.woff2') ? 'font/woff2' : file.type)

const dataAddressOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** A file of the house, which is part of the settings. */
export function FileInput({ label, hint, accept, value, onChange }: FileInputProps) {
  const words = useSiteWords()
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const [, content = ''] = (await dataAddressOf(file)).split(',')
    onChange(`data:${typeOf(file)};base64,${content}`)
  }
  return (
    <fieldset className="field file-input">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {value !== undefined && <span className="soft">{Math.ceil((value.length * 3) / 4 / 1000)} kB</span>}
      <label className="button">
        {words.chooseFile}
        <span className="visually-hidden">: {label}</span>
        <input
          type="file"
          accept={accept}
          className="visually-hidden"
          onChange={event => {
            void read(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      {value !== undefined && (
        <button type="button" className="button" onClick={() => onChange(undefined)}>
          {words.remove}
          <span className="visually-hidden">: {label}</span>
        </button>
      )}
    </fieldset>
  )
}

export interface Colours {
  readonly brand: string | { readonly light: string; readonly dark: string }
  readonly accent?: string
}

const usual = '#8a2b3a'

/** The colours of the house, checked for contrast by the service. */
export function ColourInputs(props: {
  readonly value: Colours | undefined
  readonly onChange: (value: Colours | undefined) => void
}) {
  const { value, onChange } = props
  const words = useSiteWords()
  const brand = value?.brand ?? usual
  const { light, dark } = typeof brand === 'string' ? { light: brand, dark: undefined } : brand
  const set = (next: { light?: string; dark?: string | undefined; accent?: string | undefined }) => {
    const all = { light, dark, accent: value?.accent, ...next }
    onChange({
      brand: all.dark === undefined ? all.light : { light: all.light, dark: all.dark },
      ...(all.accent === undefined ? {} : { accent: all.accent })
    })
  }
  return (
    <fieldset>
      <legend>{words.colours}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={value !== undefined}
          onChange={({ target }) => onChange(target.checked ? { brand: usual } : undefined)}
        />
        {words.ownColours}
      </label>
      {value && (
        <>
          <p className="hint">{words.contrastHint}</p>
          <label>
            {words.brand}
            <input type="color" value={light} onChange={({ target }) => set({ light: target.value })} />
          </label>
          <OptionalColour label={words.brandDark} value={dark} first={light} onChange={each => set({ dark: each })} />
          <OptionalColour
            label={words.accent}
            value={value.accent}
            first={light}
            onChange={each => set({ accent: each })}
          />
        </>
      )}
    </fieldset>
  )
}

/** A colour that follows from the first one unless it is given. */
function OptionalColour(props: {
  readonly label: string
  readonly value: string | undefined
  readonly first: string
  readonly onChange: (value: string | undefined) => void
}) {
  const { label, value, first, onChange } = props
  const words = useSiteWords()
  return (
    <div className="optional-colour">
      <label>
        {label}
        <input
          type="color"
          value={value ?? first}
          disabled={value === undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={value === undefined}
          onChange={({ target }) => onChange(target.checked ? undefined : first)}
        />
        {words.derived}
        <span className="visually-hidden">: {label}</span>
      </label>
    </div>
  )
}
