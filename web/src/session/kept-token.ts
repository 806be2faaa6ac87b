/*
 * Where the token is kept. As a rule in sessionStorage: it is gone when the tab is closed, and no other site can read it. A new tab of this page
 * asks those that are open, so a link can be opened beside. "Stay signed in" keeps it in localStorage instead; that is for one's own device.
 * Not in a cookie: the interface takes a bearer only, so no other site can make the browser act in somebody's name.
 */

const name = 'libretto-token'

/** Tabs of this page talk to each other over this; a browser lets only the same origin listen. */
const channel = new BroadcastChannel(name)

export const findToken = (): string | undefined =>
  sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined

export function keepToken(token: string, onDevice: boolean) {
  forgetToken()
  if (onDevice) localStorage.setItem(name, token)
  else sessionStorage.setItem(name, token)
}

export function forgetToken() {
  sessionStorage.removeItem(name)
  localStorage.removeItem(name)
}

/** How long another tab has to answer, in milliseconds. They answer within a few; with none open this is what a first visit waits. */
const patience = 60

/** The token that another open tab has, if one answers. */
export function askOtherTabs(): Promise<string | undefined> {
  return new Promise(resolve => {
    const answer = (event: MessageEvent<{ token?: string }>) => {
      if (event.data.token === undefined) return
      sessionStorage.setItem(name, event.data.token)
      done(event.data.token)
    }
    const done = (token?: string) => {
      channel.removeEventListener('message', answer)
      resolve(token)
    }
    channel.addEventListener('message', answer)
    channel.postMessage({ asks: true })
    setTimeout(done, patience)
  })
}

channel.addEventListener('message', (event: MessageEvent<{ asks?: boolean; leaves?: boolean }>) => {
  const token = sessionStorage.getItem(name)
  if (event.data.asks && token !== null) channel.postMessage({ token })
  if (event.data.leaves) {
    forgetToken()
    location.reload()
  }
})

/** Signs out here and in every other tab. */
export function leaveEverywhere() {
  forgetToken()
  channel.postMessage({ leaves: true })
}
