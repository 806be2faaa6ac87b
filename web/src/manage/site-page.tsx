import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useState } from 'react'

import { Choices } from '../parts/choices.tsx'
import { isProblem, type SiteSettings } from '../../../client/index.ts'
import { FormFoot } from '../change/form-foot.tsx'
import { useChanges } from '../change/use-changes.ts'
import { useStoredState } from '../change/use-stored-state.ts'
import { Options } from '../parts/options.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ItemList } from './item-list.tsx'
import {
  type Block,
  type BlockKind,
  BlockInput,
  CatalogueInput,
  type Catalogue,
  LinkInput,
  type Link,
  type Template,
  TemplateInput
} from './site-items.tsx'
import { ColourInputs, type Colours, FileInput } from './site-look.tsx'
import { useSiteWords } from './use-site-words.ts'
import { siteLanguages, type SiteText, WordsInput } from './words-input.tsx'
import '../change/change.css'
import './site.css'

/** The settings, as the service has them. Members that are left out have their usual value. */
interface Settings {
  readonly name?: string
  readonly description?: SiteText
  readonly logo?: string
  readonly colours?: Colours
  readonly typefaces?: { readonly titles?: string; readonly text?: string }
  readonly contact?: readonly SiteText[]
  readonly navigation?: readonly Link[]
  readonly links?: readonly Link[]
  readonly languages?: readonly (typeof siteLanguages)[number][]
  readonly start?: readonly (Block | BlockKind)[]
  readonly catalogues?: readonly Catalogue[]
  readonly templates?: readonly Template[]
}

const siteKey = ['site']

/** The members that hold where none are given. */
interface Usual {
  readonly start: readonly Block[]
  readonly catalogue: ComponentProps<typeof CatalogueInput>['usual']
}

/** The settings of the public pages, for administrators. */
export default function SitePage() {
  const { client } = useSession()
  const words = useSiteWords()
  const site = useQuery({
    queryKey: siteKey,
    // The form begins with one version, and is not replaced while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await client.send('GET /site', { signal })).data
  })
  useTitle(words.site)
  if (!site.data) return <QueryNote query={site} />
  return <SiteForm key={site.data.version} site={site.data} />
}

function SiteForm({ site }: { readonly site: SiteSettings }) {
  const words = useSiteWords()
  const { languageName } = useLocale()
  const before = site.settings as Settings
  const usual = site.usual as unknown as Usual
  const [settings, setSettings, forget] = useStoredState<Settings>(`site ${site.version}`, before)
  const { save, reset, faults } = useSaving(site, forget)
  const set = <Key extends keyof Settings>(key: Key, value: Settings[Key] | undefined) => {
    const { [key]: _, ...rest } = settings
    setSettings(value === undefined ? rest : { ...rest, [key]: value })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(settings)
  }
  const languages = settings.languages ?? siteLanguages
  const [preset, setPreset] = useState('')
  const chosen = site.presets.find(each => each.name === preset) as Catalogue | undefined
  return (
    <form className="change site-form" onSubmit={submit}>
      <h1>{words.site}</h1>
      <p className="soft">{words.siteIntro}</p>
      {site.source === 'file' ? (
        <p className="note">{words.fromFile}</p>
      ) : (
        <button type="button" className="button" disabled={reset.isPending} onClick={() => reset.mutate()}>
          {words.backToFile}
        </button>
      )}
      <fieldset>
        <legend>{words.house}</legend>
        <WordsInput
          label={words.name}
          isPlain
          value={settings.name ?? ''}
          onChange={value => set('name', value === '' ? undefined : String(value))}
        />
        <WordsInput
          label={words.description}
          value={settings.description ?? ''}
          onChange={value => set('description', value === '' ? undefined : value)}
        />
        <FileInput
          label={words.logo}
          hint={words.logoHint}
          accept=".svg,.png"
          value={settings.logo}
          onChange={value => set('logo', value)}
        />
      </fieldset>
      <ColourInputs value={settings.colours} onChange={value => set('colours', value)} />
      <fieldset>
        <legend>{words.typefaces}</legend>
        <p className="hint">{words.typefacesHint}</p>
        {(['titles', 'text'] as const).map(part => (
          <FileInput
            key={part}
            label={words.faceOf[part]}
            accept=".woff2"
            value={settings.typefaces?.[part]}
            onChange={value => {
              const { [part]: _, ...rest } = settings.typefaces ?? {}
              const next = value === undefined ? rest : { ...rest, [part]: value }
              set('typefaces', Object.keys(next).length === 0 ? undefined : next)
            }}
          />
        ))}
      </fieldset>
      <ItemList
        title={words.contact}
        hint={words.contactHint}
        items={settings.contact ?? []}
        blank=""
        onChange={value => set('contact', value)}
      >
        {(item, change) => <WordsInput label={words.contact} value={item} onChange={change} />}
      </ItemList>
      {(['navigation', 'links'] as const).map(key => (
        <ItemList
          key={key}
          title={words[key]}
          {...(key === 'links' ? { hint: words.linksHint } : {})}
          items={settings[key] ?? []}
          blank={{ text: '', address: '' }}
          onChange={value => set(key, value.length === 0 ? undefined : value)}
        >
          {(item, change) => <LinkInput value={item} onChange={change} />}
        </ItemList>
      ))}
      <fieldset>
        <legend>{words.languages}</legend>
        <p className="hint">{words.languagesHint}</p>
        <div className="chips">
          <Choices
            of={siteLanguages}
            chosen={languages}
            onChoose={all => set('languages', all)}
            name={languageName}
            min={1}
          />
        </div>
        <label>
          {words.firstLanguage}
          <select
            value={languages[0]}
            onChange={({ target }) => {
              const first = languages.find(each => each === target.value) ?? languages[0] ?? 'en'
              set('languages', [first, ...languages.filter(each => each !== first)])
            }}
          >
            <Options of={[...languages]} name={languageName} />
          </select>
        </label>
      </fieldset>
      <ItemList
        title={words.start}
        items={settings.start ?? usual.start}
        blank={{ block: 'text' as const, text: '' }}
        onChange={value => set('start', value.length === 0 ? undefined : value)}
      >
        {(item, change) => (
          <BlockInput
            membersOf={site.blocks}
            value={typeof item === 'string' ? { block: item } : item}
            onChange={change}
          />
        )}
      </ItemList>
      <ItemList
        title={words.catalogues}
        hint={words.cataloguesHint}
        items={settings.catalogues ?? []}
        blank={chosen ?? { name: '', address: '' }}
        onChange={value => set('catalogues', value.length === 0 ? undefined : value)}
        choice={
          <select aria-label={words.preset} value={preset} onChange={event => setPreset(event.target.value)}>
            <option value="">{words.otherPreset}</option>
            <Options of={site.presets.map(each => String(each.name))} name={name => name} />
          </select>
        }
      >
        {(item, change) => <CatalogueInput usual={usual.catalogue} value={item} onChange={change} />}
      </ItemList>
      <ItemList
        title={words.templates}
        hint={words.templatesHint}
        items={settings.templates ?? []}
        blank={{ name: '', lines: '' }}
        onChange={value => set('templates', value.length === 0 ? undefined : value)}
      >
        {(item, change) => <TemplateInput value={item} onChange={change} />}
      </ItemList>
      <FormFoot
        faults={[{ lines: new Map(), fields: new Map(), rest: faults }]}
        isBusy={save.isPending}
        isIdle={JSON.stringify(settings) === JSON.stringify(before)}
        onCancel={() => setSettings(before)}
      />
    </form>
  )
}

/** Saves the settings, or returns to those of the file. Both can be undone. */
function useSaving(site: SiteSettings, forget: () => void) {
  const { client } = useSession()
  const words = useSiteWords()
  const { problemText } = useLocale()
  const { tell } = useChanges()
  const queries = useQueryClient()
  const ifMatch = (version: string) => ({ headers: { 'if-match': `"${version}"` } })
  const show = (next: SiteSettings) => queries.setQueryData(siteKey, next)
  const put = async (settings: object, version: string) =>
    (await client.send('PUT /site', { body: { ...settings }, ...ifMatch(version) })).data
  const drop = async (version: string) => (await client.send('DELETE /site', ifMatch(version))).data
  const done = (text: string) => (next: SiteSettings) => {
    forget()
    show(next)
    tell(text, async () =>
      show(site.source === 'file' ? await drop(next.version) : await put(site.settings, next.version))
    )
  }
  const save = useMutation({
    mutationFn: (settings: Settings) => put(settings, site.version),
    onSuccess: done(words.settingsSaved)
  })
  const reset = useMutation({ mutationFn: () => drop(site.version), onSuccess: done(words.settingsOfFile) })
  const error = save.error ?? reset.error
  const faults = isProblem(error, 'version_mismatch')
    ? [words.changedMeanwhile]
    : isProblem(error) && error.errors.length > 0
      ? error.errors.map(({ message }) => message)
      : error
        ? [problemText(error)]
        : []
  return { save, reset, faults }
}
