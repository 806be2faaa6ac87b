import { basePath } from './base-path.ts'
import { askEarly } from './session/early-answers.ts'

/* The application in a page for readers, whose visitor turned out to be signed in. */

void askEarly(basePath)
await import('./page.tsx')
