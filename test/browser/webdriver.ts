import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { findProgram, needDebian } from '../support/machines/debian.ts'
import type { Teardown } from '../support/services/start.ts'

/*
 * Debian's WebKitGTK, the engine of Safari, driven by the W3C WebDriver protocol. Playwright drives
 * only a WebKit of its own making, which is not a package of Debian.
 */

/** Milliseconds that a condition may take to become true on a busy machine. */
const patience = 60_000

export interface WebKit {
  go(address: string): Promise<void>
  /** Sends a command of this session. */
  call(method: string, path: string, body?: object): Promise<unknown>
  /** Runs a function body in the page and returns its result as JSON. */
  run<Result>(body: string, ...values: readonly unknown[]): Promise<Result>
  /** Waits until the expression holds in the page. */
  until(expression: string): Promise<void>
  /** The page as a PNG. */
  picture(): Promise<Buffer>
}

/** Returns the reason why there is no WebKit here, or false. Installs it where that is possible. */
export function whyNoWebKit(): string | false {
  let why: string | false = false
  const skip = (reason?: string) => {
    why = reason ?? 'there is no WebKit'
  }
  const isThere = findProgram('WebKitWebDriver') !== undefined && findProgram('Xvfb') !== undefined
  if (!isThere || miniBrowser() === undefined) needDebian({ skip }, ['webkit2gtk-driver', 'xvfb', 'fonts-liberation'])
  if (why === false && miniBrowser() === undefined) why = 'webkit2gtk-driver has no MiniBrowser here'
  return why
}

/** The browser that comes with the driver; Debian keeps it outside the search path. */
const miniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1)

/** Starts a browser window on a display of its own. It is closed when the tests are over. */
export async function openWebKit(t: Teardown): Promise<WebKit> {
  const display = await startDisplay(t)
  const settings = mkdtempSync(join(tmpdir(), 'libretto-webkit-'))
  t.after(() => rm(settings, { recursive: true }))
  mkdirSync(join(settings, 'gtk-3.0'))
  // The page is asked to move nothing, as in the other browsers.
  writeFileSync(join(settings, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  // Without this its toolbar makes the window at least 447 px wide.
  writeFileSync(join(settings, 'gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0; margin: 0; font-size: 1px }')
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      TZ: 'Europe/Brussels',
      XDG_CONFIG_HOME: settings,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1'
    }
  })
  t.after(() => end(driver))
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`WebDriver: ${JSON.stringify(value)}`)
    return value
  }
  await waitFor(async () => (await call('GET', '/status').catch(() => undefined)) !== undefined, 'the driver answers')
  const capabilities = {
    alwaysMatch: {
      // A check of accessibility takes more than the usual 30 s on a busy machine.
      timeouts: { script: 4 * patience },
      'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] }
    }
  }
  const { sessionId } = (await call('POST', '/session', { capabilities })) as { sessionId: string }
  const session = `/session/${sessionId}`
  t.after(async () => {
    await call('DELETE', session).catch(() => {})
  })
  const run = <Result>(body: string, ...values: readonly unknown[]) =>
    call('POST', `${session}/execute/sync`, { script: body, args: values }) as Promise<Result>
  return {
    run,
    call: (method, path, body) => call(method, session + path, body),
    go: async address => {
      await call('POST', `${session}/url`, { url: address })
    },
    until: expression =>
      waitFor(
        () => run<boolean>(`return Boolean(${expression})`),
        `${expression} holds`,
        () => run<string>('return document.body.innerText.slice(0, 500)')
      ),
    picture: async () => Buffer.from((await call('GET', `${session}/screenshot`)) as string, 'base64')
  }
}

async function waitFor(isSo: () => Promise<boolean>, what: string, explain?: () => Promise<string>) {
  const deadline = Date.now() + patience
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}. ${(await explain?.()) ?? ''}`)
    await sleep(50)
  }
}

/** Starts an X server without a screen on the first display that is free. */
async function startDisplay(t: Teardown): Promise<string> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.after(() => end(server))
  const number = await new Promise<string>((resolve, reject) => {
    let text = ''
    server.on('error', reject)
    server.on('exit', code => reject(new Error(`Xvfb ended with ${code}`)))
    server.stdout?.on('data', chunk => {
      text += String(chunk)
      if (text.includes('\n')) resolve(text.trim())
    })
  })
  return `:${number}`
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill()
  await ended
}
