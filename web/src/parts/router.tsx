import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  use,
  useCallback,
  useEffect,
  useMemo,
  useSyncExternalStore
} from 'react'

import { basePath } from '../base-path.ts'

/*
 * Which page an address shows, and the links between pages (decision 19). Addresses are those below
 * the path of the service.
 */

/** An entry of the history of this tab. */
export interface Place {
  readonly pathname: string
  readonly search: string
  /** A value that the page which led here passed on. */
  readonly state: unknown
  /** Tells the entries of the history apart. */
  readonly key: string
}

interface NavigateOptions {
  readonly replace?: boolean
  readonly state?: unknown
}

interface Read {
  readonly href: string
  readonly entry: unknown
  readonly place: Place
}

let last: Read | undefined

/** The present place: the same object until the address or the entry changes. */
function getPlace(): Place {
  const { href, pathname, search } = location
  const { state: entry } = history as { readonly state: unknown }
  if (last?.href !== href || last.entry !== entry) {
    const { key = 'first', state = null } = (entry ?? {}) as Partial<Place>
    last = { href, entry, place: { pathname: pathname.slice(basePath.length) || '/', search, state, key } }
  }
  return last.place
}

const listeners = new Set<() => void>()

function moved() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) addEventListener('popstate', moved)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', moved)
  }
}

/** Goes to an address, or so many entries of the history on. */
function navigate(to: string | number, { replace = false, state = null }: NavigateOptions = {}) {
  if (typeof to === 'number') return history.go(to)
  const entry = { key: crypto.randomUUID(), state }
  if (replace) history.replaceState(entry, '', basePath + to)
  else history.pushState(entry, '', basePath + to)
  moved()
}

export const useNavigate = () => navigate

export const useLocation = (): Place => useSyncExternalStore(subscribe, getPlace)

type QueryParameters = ConstructorParameters<typeof URLSearchParams>[0]

/** The query of the address, and a function that sets it. */
export function useSearchParams() {
  const { pathname, search } = useLocation()
  const query = useMemo(() => new URLSearchParams(search), [search])
  const setQuery = useCallback(
    (parameters: QueryParameters, options?: NavigateOptions) =>
      navigate(`${pathname}?${new URLSearchParams(parameters)}`, options),
    [pathname]
  )
  return [query, setQuery] as const
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & NavigateOptions & { readonly to: string }

/** A link to another page. A new tab or window is left to the browser. */
export function Link({ to, replace, state, onClick, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isForBrowser = event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
    if (event.defaultPrevented || isForBrowser || (attributes.target ?? '_self') !== '_self') return
    event.preventDefault()
    // Another link to this page adds nothing to the history.
    navigate(to, { state, replace: replace ?? basePath + to === location.pathname + location.search + location.hash })
  }
  return <a {...attributes} href={basePath + to} onClick={follow} />
}

/** A link in a menu, which is marked where it leads to this page or to the one around it. */
export function NavLink({ className = '', ...link }: LinkProps) {
  const isActive = `${useLocation().pathname}/`.startsWith(`${link.to}/`)
  return (
    <Link
      {...link}
      className={isActive ? `${className} active`.trim() : className}
      aria-current={isActive ? 'page' : undefined}
    />
  )
}

/** Leads to another address at once. */
export function Navigate({ to }: { readonly to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}

type Parameters = Readonly<Record<string, string>>

const ParametersContext = createContext<Parameters>({})

/** The parts of the address that the pattern of its page names. */
export const useParams = () => use(ParametersContext)

/** Pages by the patterns of their addresses, such as `/record/:id`. */
export type Routes = Readonly<Record<string, ComponentType>>

/** The page that an address shows. */
export function RoutedPage({
  routes,
  otherwise: Otherwise
}: {
  readonly routes: Routes
  readonly otherwise: ComponentType
}) {
  const { pathname } = useLocation()
  const found = useMemo(() => findRoute(routes, pathname), [routes, pathname])
  if (!found) return <Otherwise />
  const { Page, parameters } = found
  return (
    <ParametersContext value={parameters}>
      <Page />
    </ParametersContext>
  )
}

function findRoute(routes: Routes, pathname: string) {
  for (const [pattern, Page] of Object.entries(routes)) {
    const source = pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)').replace('*', '.*')
    const match = new RegExp(`^${source}/?$`, 'i').exec(pathname)
    if (!match) continue
    const parameters = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decoded(value)] as const)
    return { Page, parameters: Object.fromEntries(parameters) }
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Not encoded: no page has this id, and says so.
    return value
  }
}
