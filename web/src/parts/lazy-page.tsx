import { type ComponentType, lazy, useState } from 'react'

type Load = () => Promise<{ readonly default: ComponentType }>

/**
 * A page whose script is loaded when it is first gone to, or before, by `preload`. One that is there already is drawn at once: React itself would wait with
 * it for 300 ms, so that what it shows meanwhile does not flash.
 */
export function lazyPage(load: Load) {
  let loaded: ComponentType | undefined
  const preload = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(preload)
  function Page() {
    // Chosen once: a page that is open does not begin anew.
    const [{ Chosen }] = useState({ Chosen: loaded ?? Lazy })
    return <Chosen />
  }
  return { Page, preload }
}
