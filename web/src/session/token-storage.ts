/*
 * Storage of the credentials. By default sessionStorage: they are gone when the tab is closed, and
 * no other site can read them. A new tab of this page asks the open tabs for them. "Stay signed in"
 * stores the token in localStorage instead, for a device of one's own. Not in a cookie: the
 * interface accepts bearer tokens only, so no other site can act in the user's name.
 */

/**
 * The data that an issuer returned with the token. They are never stored beyond the tabs of the
 * page.
 */
export interface Issued {
  readonly issuer: string
  /** The display name of the issuer. */
  readonly issuerName: string
  /** The name of the user at the issuer. */
  readonly person?: string
  readonly refreshToken?: string
  readonly idToken?: string
  /** When to refresh it and when it expires, in milliseconds, by the clock of this device. */
  readonly refreshAt: number
  readonly expiresAt: number
}

/** The credentials: a token of this service, or one of an issuer. */
export interface Credentials {
  readonly token: string
  readonly issued?: Issued
}

import { tokenName as name } from './has-credentials.ts'

const issuedName = 'libretto-issued'

/** The channel between the tabs of this page; browsers limit it to the same origin. */
const channel = new BroadcastChannel(name)

type Message = {
  readonly asks?: true
  readonly leaves?: true
  readonly credentials?: Credentials
  readonly refreshed?: Credentials
}
const post = (message: Message) => channel.postMessage(message)

/** In memory, because another tab may store other credentials on the device meanwhile. */
let current = readStored()

export const currentCredentials = (): Credentials | undefined => current

function readStored(): Credentials | undefined {
  const token = sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined
  if (token === undefined) return undefined
  const issued = sessionStorage.getItem(issuedName)
  return issued === null ? { token } : { token, issued: JSON.parse(issued) as Issued }
}

export function storeCredentials(credentials: Credentials, onDevice: boolean) {
  clearCredentials()
  if (onDevice && !credentials.issued) {
    current = credentials
    localStorage.setItem(name, credentials.token)
  } else storeForTab(credentials)
}

function storeForTab(credentials: Credentials) {
  current = credentials
  sessionStorage.setItem(name, credentials.token)
  if (credentials.issued) sessionStorage.setItem(issuedName, JSON.stringify(credentials.issued))
}

export function clearCredentials() {
  current = undefined
  sessionStorage.removeItem(name)
  sessionStorage.removeItem(issuedName)
  localStorage.removeItem(name)
}

/**
 * Asks the other open tabs for their credentials and listens for answers. Returns a function that
 * stops listening.
 */
export function askOtherTabs(onCredentials: (credentials: Credentials) => void): () => void {
  const answer = ({ data: { credentials } }: MessageEvent<Message>) => credentials && onCredentials(credentials)
  channel.addEventListener('message', answer)
  post({ asks: true })
  return () => channel.removeEventListener('message', answer)
}

/** Time in milliseconds for another tab to report newer credentials. Tabs answer within a few. */
const patience = 60

/** The newer credentials of another tab, if it reports them in time. */
export async function findNewerInOtherTabs({ issued: own }: Credentials): Promise<Credentials | undefined> {
  const { promise, resolve } = Promise.withResolvers<Credentials | undefined>()
  const isNewer = ({ issued }: Credentials) =>
    own !== undefined && issued?.issuer === own.issuer && issued.expiresAt > own.expiresAt
  const stop = askOtherTabs(credentials => isNewer(credentials) && resolve(credentials))
  setTimeout(resolve, patience)
  const newer = await promise
  stop()
  if (newer) storeForTab(newer)
  return newer
}

/** Shares refreshed credentials with all tabs, since a refresh token can be used once. */
export function shareRefreshed(credentials: Credentials) {
  storeForTab(credentials)
  post({ refreshed: credentials })
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.asks && current && sessionStorage.getItem(name) !== null) post({ credentials: current })
  if (data.refreshed && current?.issued && current.issued.issuer === data.refreshed.issued?.issuer)
    storeForTab(data.refreshed)
  if (data.leaves) {
    clearCredentials()
    location.reload()
  }
})

/** Signs out here and in every other tab. */
export function signOutEverywhere() {
  clearCredentials()
  post({ leaves: true })
}
