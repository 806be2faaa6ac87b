import { baseKeymap, chainCommands, exitCode, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { DOMParser as DocumentParser, DOMSerializer, type MarkType, type NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { Bold, Italic, Link2, List, ListOrdered, TextQuote } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { Dialog } from '../parts/dialog.tsx'
import { parseHtml } from '../parts/html-text.tsx'
import { useLatest } from '../parts/use-latest.ts'
import { useLocale } from '../i18n/locale.tsx'
import { htmlSchema, isKnownHtml, knownPartOf } from './html-schema.ts'
import 'prosemirror-view/style/prosemirror.css'

interface HtmlEditorProps {
  readonly id: string
  readonly label: string
  readonly html: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly onChange: (html: string) => void
}

/** A rich text editor. It creates only markup that the service stores. */
export default function HtmlEditor(props: HtmlEditorProps) {
  const [isKnown] = useState(() => isKnownHtml(props.html))
  return isKnown ? <RichText {...props} /> : <Source {...props} />
}

function Source({ id, html, describedBy, isInvalid, onChange }: HtmlEditorProps) {
  const { words } = useLocale()
  return (
    <div>
      <textarea
        id={id}
        rows={8}
        className="code"
        value={html}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        onChange={event => onChange(event.target.value)}
      />
      <p className="hint">{words.asSource}</p>
    </div>
  )
}

const { nodes, marks } = htmlSchema
// The schema above has all of them.
const { strong, em, link } = marks as Record<'strong' | 'em' | 'link', MarkType>
const { paragraph, bullet_list, ordered_list, list_item, blockquote, hard_break } = nodes as Record<string, NodeType> &
  Record<'paragraph' | 'bullet_list' | 'ordered_list' | 'list_item' | 'blockquote' | 'hard_break', NodeType>

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hard_break.create()).scrollIntoView())
  return true
})

const plugins = [
  history(),
  keymap({
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Mod-b': toggleMark(strong),
    'Mod-i': toggleMark(em),
    Enter: splitListItem(list_item),
    'Shift-Enter': breakLine,
    'Mod-[': liftListItem(list_item),
    'Mod-]': sinkListItem(list_item)
  }),
  keymap(baseKeymap)
]

const stateOf = (html: string) =>
  EditorState.create({ doc: DocumentParser.fromSchema(htmlSchema).parse(parseHtml(html).body), plugins })

function htmlOf(state: EditorState): string {
  if (state.doc.textContent === '' && state.doc.childCount === 1 && state.doc.firstChild?.type === paragraph) return ''
  const place = document.createElement('div')
  place.append(DOMSerializer.fromSchema(htmlSchema).serializeFragment(state.doc.content))
  // The editor uses `<li><p>…</p></li>`; a single paragraph is written without `<p>`.
  for (const only of place.querySelectorAll('li > p:only-child')) only.replaceWith(...only.childNodes)
  return place.innerHTML
}

function RichText({ id, label, html, describedBy, isInvalid, onChange }: HtmlEditorProps) {
  const { words } = useLocale()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const said = useRef(html)
  const tell = useLatest(onChange)
  const [active, setActive] = useState({ strong: false, em: false, link: false })
  const [isLinking, setLinking] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes is handed to it below
  useLayoutEffect(() => {
    if (!place.current) return
    const editor = new EditorView(place.current, {
      state: stateOf(html),
      transformPastedHTML: knownPartOf,
      dispatchTransaction(transaction) {
        const state = editor.state.apply(transaction)
        editor.updateState(state)
        const isIn = (mark: MarkType) => {
          const { from, to, empty, $from } = state.selection
          return empty ? !!mark.isInSet(state.storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, mark)
        }
        setActive({ strong: isIn(strong), em: isIn(em), link: isIn(link) })
        if (!transaction.docChanged) return
        const text = htmlOf(state)
        said.current = text
        // Synchronously, as with other fields: otherwise the next key elsewhere would start from an
        // outdated form.
        flushSync(() => tell.current(text))
      }
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    view.current?.setProps({
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-invalid': String(isInvalid),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })
      }
    })
  }, [id, label, isInvalid, describedBy])

  // The value was set from outside, as when a draft is discarded.
  useEffect(() => {
    if (html === said.current) return
    said.current = html
    view.current?.updateState(stateOf(html))
  }, [html])

  const run = (command: Command) => {
    const editor = view.current
    if (!editor) return
    command(editor.state, editor.dispatch)
    editor.focus()
  }
  const tools = [
    { name: words.bold, icon: Bold, isOn: active.strong, act: () => run(toggleMark(strong)) },
    { name: words.italic, icon: Italic, isOn: active.em, act: () => run(toggleMark(em)) },
    { name: words.link, icon: Link2, isOn: active.link, act: () => setLinking(true) },
    { name: words.bulletList, icon: List, act: () => run(wrapInList(bullet_list)) },
    { name: words.numberedList, icon: ListOrdered, act: () => run(wrapInList(ordered_list)) },
    { name: words.quote, icon: TextQuote, act: () => run(wrapIn(blockquote)) }
  ]
  return (
    <div className={isInvalid ? 'html-editor invalid' : 'html-editor'}>
      <div role="toolbar" aria-label={label} className="html-tools">
        {tools.map(({ name, icon: Icon, isOn, act }) => (
          <button
            key={name}
            type="button"
            className="icon-button"
            title={name}
            aria-label={name}
            aria-pressed={isOn}
            // The selection stays where it is.
            onMouseDown={event => event.preventDefault()}
            onClick={act}
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        ))}
      </div>
      <div ref={place} className="html-text" />
      {isLinking && (
        <LinkDialog
          onClose={() => setLinking(false)}
          onSettle={href => {
            setLinking(false)
            run(href === '' ? toggleMark(link) : setLink(href))
          }}
          hasLink={active.link}
        />
      )}
    </div>
  )
}

const setLink =
  (href: string): Command =>
  (state, dispatch) => {
    const { from, to, empty } = state.selection
    const mark = link.create({ href })
    const { tr } = state
    dispatch?.(empty ? tr.insertText(href, from).addMark(from, from + href.length, mark) : tr.addMark(from, to, mark))
    return true
  }

interface LinkDialogProps {
  readonly hasLink: boolean
  readonly onClose: () => void
  readonly onSettle: (href: string) => void
}

function LinkDialog({ hasLink, onClose, onSettle }: LinkDialogProps) {
  const { words } = useLocale()
  const [href, setHref] = useState('https://')
  const id = useId()
  return (
    <Dialog title={words.link} onClose={onClose}>
      <label htmlFor={id}>{words.linkAddress}</label>
      <input
        id={id}
        type="url"
        value={href}
        onChange={event => setHref(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onSettle(href.trim())
        }}
      />
      <div className="dialog-actions">
        {hasLink && (
          <button type="button" className="button" onClick={() => onSettle('')}>
            {words.removeLink}
          </button>
        )}
        <button type="button" className="button primary" onClick={() => onSettle(href.trim())}>
          {words.link}
        </button>
      </div>
    </Dialog>
  )
}
