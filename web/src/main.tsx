import { notifyManager } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { applyTheme } from './shell/language-and-theme.tsx'
import './styles/fonts.css'
import './styles/look.css'
import './styles/parts.css'
import './styles/print.css'

applyTheme()
// Answers are drawn at once, not after a timer.
notifyManager.setScheduler(queueMicrotask)

const place = document.getElementById('page')
if (place)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
