import { createHash } from 'node:crypto'

import { type ProblemCode, problemKinds } from './errors.ts'

/* Static pages. They are generated here, contain no script and load nothing. */

/** The only style of these pages; the content security policy has its digest. */
const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d1f24,#e6e6ea);--soft:light-dark(#5b606b,#a5a9b4);--line:light-dark(#d9dce3,#3a3d46);--page:light-dark(#fff,#16181d);--mark:light-dark(#0b5cad,#7fb8ff)}
body{font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:64rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.7rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:1.6rem 0 .2rem}
a{color:var(--mark)}nav ul{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;list-style:none;padding:0}p,li{color:var(--ink)}caption{text-align:left;color:var(--soft);font-size:.9rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}td{border-top:1px solid var(--line);padding:.25rem .8rem .25rem 0;vertical-align:top}
pre{overflow:auto;border:1px solid var(--line);padding:.6rem;font-size:.88rem}summary{cursor:pointer;color:var(--soft)}
.tools{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:end;position:sticky;top:0;background:var(--page);padding:.6rem 0;border-bottom:1px solid var(--line)}.tools label{display:grid;font-size:.9rem;color:var(--soft)}.tools input[type=search]{width:min(22rem,80vw)}
input,select,textarea,button{font:inherit;color:inherit;background:var(--page);border:1px solid var(--soft);border-radius:.3rem;padding:.3rem .5rem}button{cursor:pointer}textarea{width:100%;min-height:8rem;box-sizing:border-box;font-family:ui-monospace,monospace;font-size:.88rem}
.try{display:grid;gap:.6rem;border:1px solid var(--line);border-radius:.4rem;padding:.8rem;margin:.6rem 0}.try label{display:grid;gap:.2rem}[hidden]{display:none}
img{max-width:100%;height:auto}th{text-align:left;padding-right:.8rem}code,td,h3,li{overflow-wrap:anywhere}td:nth-child(2):not(:last-child){overflow-wrap:normal}code{font-family:ui-monospace,monospace;font-size:.92em}.method{color:var(--mark);font-weight:700}
.reference{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem}.reference nav ul{display:block}.reference nav li{margin:.15rem 0 .15rem .8rem;font-size:.88rem}.reference article{scroll-margin-top:5rem}.reference nav .method{font-size:.75rem}
.tree,.tree ul{list-style:none;padding-left:1rem;font-size:.92rem}.tree summary{color:var(--ink)}
@media(min-width:60rem){body:has(.reference){max-width:84rem}.reference{grid-template-columns:18rem minmax(0,1fr)}.reference header,.reference .tools{grid-column:1/-1}.reference nav{position:sticky;top:5rem;align-self:start;max-height:calc(100vh - 6rem);overflow:auto}}
`

const styleDigest = createHash('sha256').update(style).digest('base64')

export const pageHeaders = { 'content-security-policy': policy() }

/** The headers of a document, which has pictures and a search form. */
export const helpHeaders = {
  'content-security-policy': policy("img-src 'self'").replace("form-action 'none'", "form-action 'self'")
}

/** The headers of a page with the script of the web page, which asks only this service. */
export const scriptedPageHeaders = {
  'content-security-policy': policy(
    "script-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  )
}

function policy(...further: readonly string[]): string {
  const always = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
  return ["default-src 'none'", `style-src 'sha256-${styleDigest}'`, ...further, ...always].join('; ')
}

/** The explanation of one problem, for people who follow the `type` of an error. */
export function problemPage(code: ProblemCode): string {
  const { title, status, explanation, clientCode } = problemKinds[code]
  return page(
    title,
    `<main><h1>${escapeHtml(title)}</h1><p>${inlineCode(explanation)}</p><p>Status ${status}, code <code>${code}</code>, <code>${clientCode}</code> in <code>message</code>.</p></main>`
  )
}

/** Replaces the web page where it was not built. */
export function missingPage(): string {
  return page(
    'Libretto',
    '<main><h1>Libretto</h1><p>The service runs, but its web page was not built here. <code>npm start</code> and <code>npm run build</code> build it. The interface is at <a href="docs">docs</a>, the documentation at <a href="help">help</a>.</p></main>'
  )
}

export const inlineCode = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A whole document; `head` is markup of our own. */
export const page = (title: string, body: string, head = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><style>${style}</style>${head}</head><body>${body}</body></html>
`
