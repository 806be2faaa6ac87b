import { createContext, type ReactNode, use } from 'react'
import { useNavigate } from './router.tsx'

import { useStable } from './use-stable.ts'

const GoToContext = createContext<((address: string) => void) | undefined>(undefined)

/**
 * Navigates to an address of the page. The function has a stable identity, so components that use
 * it are not redrawn with every navigation, as each `Link` is.
 */
export function useGoTo(): (address: string) => void {
  const goTo = use(GoToContext)
  if (!goTo) throw new Error('There is no GoToProvider above')
  return goTo
}

export function GoToProvider({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate()
  const goTo = useStable((address: string) => {
    navigate(address)
  })
  return <GoToContext value={goTo}>{children}</GoToContext>
}
