import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { firefox } from 'playwright-core'

import { findProgram, needDebian } from '../support/machines/debian.ts'
import type { Engine } from './stage.ts'

/*
 * Debian's Firefox ESR, driven by Playwright over WebDriver BiDi. The protocol that Playwright uses
 * otherwise needs a Firefox of its own making, which is not a package of Debian.
 */

export const firefoxEngine: Engine = {
  whyNot() {
    let why: string | false = false
    const skip = (reason?: string) => {
      why = reason ?? 'there is no firefox-esr'
    }
    if (findProgram('firefox-esr') === undefined) needDebian({ skip }, ['firefox-esr', 'fonts-liberation'])
    return why
  },
  async launch() {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'libretto-firefox-'))
    const starter = join(folder.path, 'firefox')
    const program = fileURLToPath(new URL('firefox-program.ts', import.meta.url))
    const command = [process.execPath, program, findProgram('firefox-esr') ?? 'firefox-esr']
    writeFileSync(starter, `#!/bin/sh\nexec ${command.map(part => `'${part}'`).join(' ')} "$@"\n`, { mode: 0o755 })
    return await firefox.launch({
      channel: 'moz-firefox',
      executablePath: starter,
      firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 }
    })
  }
}
