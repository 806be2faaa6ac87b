import { readFileSync } from 'node:fs'

const { homepage, repository, bugs } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8')
) as {
  readonly homepage: string
  readonly repository: { readonly url: string }
  readonly bugs: { readonly url: string }
}

const source = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** The addresses of the project. A maintainer changes them in package.json only. */
export const addressTables: Readonly<Record<string, string>> = {
  addresses: [
    `- Home page: <${homepage}>`,
    `- Source: <${source}>`,
    `- Questions and faults: <${bugs.url}>`,
    `- Vulnerabilities, privately: <${source}/security>`
  ].join('\n')
}
