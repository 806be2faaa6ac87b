import { type MarcPosition, positionsOf } from '../../../src/domain/labels/marc-positions.ts'
import { useLocale } from '../i18n/locale.tsx'
import type { RecordKind } from './marc-templates.ts'
import { marcWords } from './marc-words.ts'
import { positionNamesIn } from './position-names.ts'

interface FixedFieldProps {
  readonly line: string
  readonly leader: string
  readonly kind: RecordKind
  /** Called with the changed line, and whether one of the listed codes was chosen. */
  readonly onChange: (line: string, isChosen: boolean) => void
  readonly onLeave: () => void
}

/** Finds the value with positions in a line: all of a control field, or $a of a coded field. */
function valueIn(line: string, kind: RecordKind): { readonly from: number; readonly to: number } {
  const isCoded = kind.startsWith('unimarc') && /^1/.test(line)
  const from = isCoded ? line.indexOf('$a') + 2 : 4
  const next = isCoded ? line.indexOf('$', from) : -1
  return from < 4 ? { from: line.length, to: line.length } : { from, to: next < 0 ? line.length : next }
}

/** The positions of a fixed field, each with its name and a choice of its codes. */
export default function FixedField({ line, leader, kind, onChange, onLeave }: FixedFieldProps) {
  const { language } = useLocale()
  const own = marcWords[language]
  const { from, to } = valueIn(line, kind)
  const value = line.slice(from, to)
  const tag = line.slice(0, 3)
  const positions = positionsOf(tag, value, leader, kind)
  if (positions.length === 0) return null
  const put = (start: number, code: string, isChosen: boolean) => {
    const whole = value.padEnd(start + code.length, ' ')
    const next = whole.slice(0, start) + code + whole.slice(start + code.length)
    onChange(line.slice(0, from) + next + line.slice(to), isChosen)
  }
  return (
    <fieldset
      className="marc-positions"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onLeave()
      }}
    >
      <legend>{own.positionsOf(tag)}</legend>
      {positions.map(position => (
        <PositionChoice key={`${position.start} ${position.name}`} position={position} value={value} onPut={put} />
      ))}
    </fieldset>
  )
}

interface PositionChoiceProps {
  readonly position: MarcPosition
  readonly value: string
  readonly onPut: (start: number, code: string, isChosen: boolean) => void
}

function PositionChoice({ position, value, onPut }: PositionChoiceProps) {
  const { language } = useLocale()
  const nameOf = (english: string) => (language === 'en' ? english : positionNamesIn[language].get(english)) ?? english
  const { start, length, count, codes, name } = position
  const last = start + length * count - 1
  const caption = (
    <span>
      <span className="soft">{last === start ? start : `${start}–${last}`}</span> {nameOf(name)}
    </span>
  )
  if (codes === undefined)
    return (
      <label>
        {caption}
        <input
          value={value.slice(start, start + length).trimEnd()}
          maxLength={length}
          size={Math.max(4, length)}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={event => onPut(start, event.target.value.padEnd(length, ' '), false)}
        />
      </label>
    )
  const fill = '|'.repeat(length)
  const shown = (code: string) => code.replaceAll(' ', '#')
  const choices = Array.from({ length: count }, (_, place) => {
    const at = start + place * length
    const code = value.slice(at, at + length)
    return (
      <select
        key={at}
        aria-label={count > 1 ? `${nameOf(name)} ${place + 1}` : nameOf(name)}
        value={code}
        onChange={event => onPut(at, event.target.value, true)}
      >
        {!codes.has(code) && code !== fill && <option value={code}>{shown(code)} ?</option>}
        {[...codes].map(([each, text]) => (
          <option key={each} value={each}>
            {shown(each)} {nameOf(text)}
          </option>
        ))}
        <option value={fill}>{fill}</option>
      </select>
    )
  })
  return (
    <fieldset>
      <legend>{caption}</legend>
      {choices}
    </fieldset>
  )
}
