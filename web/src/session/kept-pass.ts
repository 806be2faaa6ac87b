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

/** How long another tab has to answer, in milliseconds. They answer within a few; with none open this is what a first visit waits. */
const patience = 60

/** What another open tab is signed in with, if one answers: the first, or the first that is good enough. */
export function askOtherTabs(isGood: (pass: Pass) => boolean = () => true): Promise<Pass | undefined> {
  return new Promise(resolve => {
    const answer = ({ data: { pass } }: MessageEvent<Message>) => {
      if (pass === undefined || !isGood(pass)) return
      keepForTab(pass)
      done(pass)
    }
    const done = (pass?: Pass) => {
      channel.removeEventListener('message', answer)
      resolve(pass)
    }
    channel.addEventListener('message', answer)
    post({ asks: true })
    setTimeout(done, patience)
  })
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
