import { lazy, type RefObject, Suspense, useMemo, useRef } from 'react'

import { marcAuthorityFields } from '../../../src/domain/labels/marc-authority-fields.ts'
import { marcFields } from '../../../src/domain/labels/marc-fields.ts'
import { unimarcAuthorityFields, unimarcFields } from '../../../src/domain/labels/unimarc-fields.ts'
import { useLocale } from '../i18n/locale.tsx'
import { fieldNameIn } from './field-names.ts'
import { commandFor, marcKeys, pairOf, placeIn, type Typed } from './marc-keys.ts'
import type { RecordKind } from './marc-templates.ts'
import { MarcTemplates } from './template-choice.tsx'
import { marcWords } from './marc-words.ts'

/** The tables of positions are loaded when the cursor is first on such a field. */
const FixedField = lazy(() => import('./fixed-field.tsx'))

const hasPositions = (line: string, kind: RecordKind) =>
  /^(?:LDR|00[678]) /.test(line) ||
  (kind === 'unimarc' && /^1(?:0[056]|10) .*\$a/.test(line)) ||
  (kind === 'unimarcAuthority' && /^100 .*\$a/.test(line))

interface LinesAreaProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  /** The position of the cursor in the text. */
  readonly cursor: number
  /** Messages about the text, by line. */
  readonly messages: ReadonlyMap<number, readonly string[]>
  /** The rules of the fields. */
  readonly kind: RecordKind
  readonly onChange: (text: string) => void
  readonly onMove: (cursor: number) => void
  readonly onGo: (line: number) => void
}

const rulesOf = {
  publication: marcFields,
  authority: marcAuthorityFields,
  unimarc: unimarcFields,
  unimarcAuthority: unimarcAuthorityFields
} as const

/** The fields as lines of text, with keys, and what is known of the field at the cursor. */
export function LinesArea({ area, text, cursor, messages, kind, onChange, onMove, onGo }: LinesAreaProps) {
  const { words, language } = useLocale()
  const own = marcWords[language]
  const { lines, at } = placeIn({ text, start: cursor })
  const apply = (typed: Typed) => {
    const place = area.current
    if (place === null) return
    const select = () => {
      place.focus()
      place.setSelectionRange(typed.start, typed.end)
      onMove(typed.start)
    }
    replaceText(place, typed.text)
    if (place.value === typed.text) return select()
    // A browser that cannot do that shows the text when the page is drawn.
    onChange(typed.text)
    requestAnimationFrame(select)
  }
  const positions = useRef<HTMLDivElement>(null)
  const changeLine = (line: string, isChosen: boolean) => {
    const place = area.current
    const changed = lines.with(at, line).join('\n')
    const chosen = document.activeElement
    // With the cursor in the text, the browser can undo the change with its own keys.
    if (isChosen && place !== null) replaceText(place, changed)
    if (place?.value !== changed) onChange(changed)
    if (isChosen && chosen instanceof HTMLElement) chosen.focus()
  }
  const goToMessage = (by: 1 | -1) => {
    const known = [...messages.keys()].sort((one, other) => one - other)
    const next = by === 1 ? known.find(line => line > at) : known.findLast(line => line < at)
    const line = next ?? (by === 1 ? known[0] : known.at(-1))
    if (line !== undefined) onGo(line)
  }
  return (
    <>
      <MarcTemplates
        area={area}
        text={text}
        kind={kind}
        onUse={changed => apply({ text: changed, start: 0, end: 0 })}
      />
      <label htmlFor="marc-lines">{words.marcLines}</label>
      <textarea
        id="marc-lines"
        ref={area}
        className="marc-lines"
        aria-describedby="marc-help"
        aria-keyshortcuts={marcKeys.map(each => each.keys).join(' ')}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        dir="auto"
        rows={Math.min(40, lines.length + 2)}
        value={text}
        onChange={event => {
          onChange(event.target.value)
          onMove(event.target.selectionStart)
        }}
        onSelect={event => onMove(event.currentTarget.selectionStart)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          const { value, selectionStart, selectionEnd } = event.currentTarget
          if (event.key === 'F8') {
            event.preventDefault()
            goToMessage(event.shiftKey ? -1 : 1)
            return
          }
          const choice = event.key === 'F2' ? positions.current?.querySelector<HTMLElement>('select, input') : undefined
          if (choice) {
            event.preventDefault()
            choice.focus()
            return
          }
          const typed = commandFor(event)?.({ text: value, start: selectionStart, end: selectionEnd })
          if (typed === undefined) return
          event.preventDefault()
          apply(typed)
        }}
      />
      <FieldAtCursor lines={lines} at={at} messages={messages} kind={kind} onGo={onGo} />
      <div ref={positions}>
        {hasPositions(lines[at] ?? '', kind) && (
          <Suspense>
            <FixedField
              line={lines[at] ?? ''}
              leader={lines.find(each => each.startsWith('LDR '))?.slice(4) ?? ''}
              kind={kind}
              onChange={changeLine}
              onLeave={() => area.current?.focus()}
            />
          </Suspense>
        )}
      </div>
      <p id="marc-help" className="soft">
        {words.marcHelp}
      </p>
      <details>
        <summary>{own.keys}</summary>
        <dl className="marc-keys">
          {[
            { name: 'save', keys: 'Control+S' } as const,
            ...marcKeys,
            { name: 'positions', keys: 'F2' } as const,
            { name: 'nextMessage', keys: 'F8' } as const,
            { name: 'previousMessage', keys: 'Shift+F8' } as const
          ].map(({ name, keys }) => (
            <div key={name}>
              <dt>
                <kbd>{keys.replace('Control', 'Ctrl').replace('Arrow', '')}</kbd>
              </dt>
              <dd>{own.keyNames[name]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

/** Replaces the part of a text that differs, so that the browser can undo it with its own keys. */
function replaceText(place: HTMLTextAreaElement, text: string): void {
  const old = place.value
  let start = 0
  while (start < old.length && start < text.length && old[start] === text[start]) start++
  let end = 0
  while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end++
  if (old === text) return
  place.focus()
  place.setSelectionRange(start, old.length - end)
  const come = text.slice(start, text.length - end)
  document.execCommand(come === '' ? 'delete' : 'insertText', false, come)
}

type FieldAtCursorProps = Pick<LinesAreaProps, 'messages' | 'kind' | 'onGo'> & {
  readonly lines: readonly string[]
  readonly at: number
}

/** The name of a field, what it may have, the messages about it, and its pair in another script. */
function FieldAtCursor({ lines, at, messages, kind, onGo }: FieldAtCursorProps) {
  const { language } = useLocale()
  const own = marcWords[language]
  const [tag = ''] = (lines[at] ?? '').split(' ')
  const rule = rulesOf[kind].get(tag)
  const pair = useMemo(() => pairOf(lines, at), [lines, at])
  const about = messages.get(at) ?? []
  return (
    <>
      <output className="marc-field-name" aria-live="polite">
        {rule && (
          <>
            <b>{tag}</b> {fieldNameIn(language, rule.name)}
            <span className="soft">
              {rule.subfields !== undefined && ` · $${[...rule.subfields].join(' $')}`}
              {rule.indicators.map((values, place) =>
                values === undefined || values.trim() === ''
                  ? ''
                  : ` · ${own.indicator(place + 1, [...values.replace(' ', '#')].join(' '))}`
              )}
              {` · ${own.repeats[rule.isRepeatable ? 'yes' : 'no']}`}
            </span>
          </>
        )}
        {about.map(each => (
          <span key={each} className="fault">
            {each}
          </span>
        ))}
      </output>
      {pair !== undefined && (
        <div className="marc-pair">
          <span className="soft">{own.pair}</span>
          <code dir="auto">{lines[at]}</code>
          <code dir="auto">{lines[pair]}</code>
          <button type="button" className="link-button" onClick={() => onGo(pair)}>
            {own.toPair}
          </button>
        </div>
      )}
    </>
  )
}
