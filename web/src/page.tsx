import { notifyManager } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App, preloadRoute } from './app.tsx'
import { readFirstAnswers } from './first-answers.ts'
import { loadTexts } from './i18n/locale.tsx'
import { applyTheme } from './shell/language-and-theme.tsx'
import './styles/fonts.css'
import './styles/look.css'
import './styles/parts.css'
import './styles/print.css'

/* Draws the page once the words of its language and the script of its first route are there. */

applyTheme()
// Answers are drawn at once, not after a timer.
notifyManager.setScheduler(queueMicrotask)

/** Milliseconds that answers which are about to arrive are waited for. */
const maxPatience = 50
const pause = new Promise(resolve => setTimeout(resolve, maxPatience))
const firstAnswers = Promise.race([readFirstAnswers().catch(() => {}), pause])

// Not awaited here: the script of a route waits for this one, which would wait for it.
Promise.all([loadTexts(), preloadRoute(), firstAnswers]).then(() => {
  const place = document.getElementById('page')
  if (place)
    createRoot(place).render(
      <StrictMode>
        <App />
      </StrictMode>
    )
})
