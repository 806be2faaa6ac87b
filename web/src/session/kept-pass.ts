/*
 * Where it is kept what somebody is signed in with. As a rule in sessionStorage: it is gone when the tab is closed, and no other site can read it. A
 * new tab of this page asks those that are open, so a link can be opened beside. "Stay signed in" keeps a token in localStorage instead; that is for
 * one's own device. Not in a cookie: the interface takes a bearer only, so no other site can make the browser act in somebody's name.
 */

/** What an issuer gave beside the token, and when. It is never kept beyond the tabs of the page. */
export interface Issued {
  readonly issuer: string
  /** What people know the issuer by. */
  readonly issuerName: string
  /** What the person is called there. */
  readonly person?: string
  readonly refreshToken?: string
  readonly idToken?: string
  /** When it should be refreshed, and when it no longer holds; in milliseconds, by the clock of this device. */
  readonly refreshAt: number
  readonly expiresAt: number
}

/** What somebody is signed in with: a token of this service, or one of an issuer. */
export interface Pass {
  readonly token: string
  readonly issued?: Issued
}

const name = 'libretto-token'
const issuedName = 'libretto-issued'

/** Tabs of this page talk to each other over this; a browser lets only the same origin listen. */
const channel = new BroadcastChannel(name)

type Message = { readonly asks?: true; readonly leaves?: true; readonly pass?: Pass; readonly renewed?: Pass }
const post = (message: Message) => channel.postMessage(message)

/** In memory: what another tab keeps on the device from now on is not what this one is signed in with. */
let current = readKept()

export const findPass = (): Pass | undefined => current

function readKept(): Pass | undefined {
  const token = sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined
  if (token === undefined) return undefined
  const issued = sessionStorage.getItem(issuedName)
  return issued === null ? { token } : { token, issued: JSON.parse(issued) as Issued }
}

export function keepPass(pass: Pass, onDevice: boolean) {
  forgetPass()
  if (onDevice && !pass.issued) {
    current = pass
    localStorage.setItem(name, pass.token)
  } else keepForTab(pass)
}

function keepForTab(pass: Pass) {
  current = pass
  sessionStorage.setItem(name, pass.token)
  if (pass.issued) sessionStorage.setItem(issuedName, JSON.stringify(pass.issued))
}

export function forgetPass() {
  current = undefined
  sessionStorage.removeItem(name)
  sessionStorage.removeItem(issuedName)
  localStorage.removeItem(name)
}

/** Asks the other open tabs what they are signed in with, and listens to their answers, however late they come. Gives what ends the listening. */
export function askOtherTabs(onPass: (pass: Pass) => void): () => void {
  const answer = ({ data: { pass } }: MessageEvent<Message>) => pass && onPass(pass)
  channel.addEventListener('message', answer)
  post({ asks: true })
  return () => channel.removeEventListener('message', answer)
}

/** How long another tab has to say that it has a newer one, in milliseconds. They answer within a few. */
const patience = 60

/** What another tab has in place of this one, if it says so in time. */
export async function findNewerInOtherTabs({ issued: own }: Pass): Promise<Pass | undefined> {
  const { promise, resolve } = Promise.withResolvers<Pass | undefined>()
  const isNewer = ({ issued }: Pass) =>
    own !== undefined && issued?.issuer === own.issuer && issued.expiresAt > own.expiresAt
  const stop = askOtherTabs(pass => isNewer(pass) && resolve(pass))
  setTimeout(resolve, patience)
  const newer = await promise
  stop()
  if (newer) keepForTab(newer)
  return newer
}

/** A refresh token can be used once: what came for it is for all tabs. */
export function shareRenewed(pass: Pass) {
  keepForTab(pass)
  post({ renewed: pass })
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.asks && current && sessionStorage.getItem(name) !== null) post({ pass: current })
  if (data.renewed && current?.issued && current.issued.issuer === data.renewed.issued?.issuer) keepForTab(data.renewed)
  if (data.leaves) {
    forgetPass()
    location.reload()
  }
})

/** Signs out here and in every other tab. */
export function leaveEverywhere() {
  forgetPass()
  post({ leaves: true })
}
