import { createContext, type ReactNode, use } from 'react'
import { useNavigate } from 'react-router'

import { useStable } from './use-stable.ts'

const GoToContext = createContext<((address: string) => void) | undefined>(undefined)

/** Goes to an address of the page. It is always the same function, so that what has it is not drawn again with every address, as each `Link` is. */
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
