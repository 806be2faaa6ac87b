import { type ComponentType, lazy, type LazyExoticComponent, useState } from 'react'

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

/** A part of the page could not be loaded, also not after the page was loaded again. */
export class LostPartError extends Error {
  override readonly name = 'LostPartError'
}

/** Session storage key that is set while a part is missing: the page was reloaded for it. */
const reloadKey = (name: string) => `libretto-reloaded-for-${name}`

/**
 * Loads a part of the page. After an upgrade of the service the files of the page have other
 * names, so a part that cannot be loaded reloads the whole page, once. Offline there is nothing to
 * reload from, so the failure is reported at once.
 */
export async function loadPart<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    const module = await load()
    sessionStorage.removeItem(reloadKey(name))
    return module
  } catch (error) {
    if (!navigator.onLine || sessionStorage.getItem(reloadKey(name)) !== null)
      throw new LostPartError(`The part "${name}" cannot be loaded`, { cause: error })
    sessionStorage.setItem(reloadKey(name), new Date().toISOString())
    location.reload()
    // The page is about to go away.
    return new Promise(() => {})
  }
}

/** A component whose script is loaded when it is first shown. */
export function lazyPart<Props>(name: string, load: Load<Props>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadPart(name, load))
}

/**
 * Pages whose common script is loaded when the first of them is opened, or earlier by `preload`. A
 * page that is loaded already is drawn at once: React's `lazy` would wait 300 ms to avoid a flash.
 */
export function lazyPages<Module extends Record<string, ComponentType<object>>>(
  name: string,
  load: () => Promise<Module>
) {
  let loaded: Module | undefined
  const open = async () => {
    loaded = await loadPart(name, load)
    return loaded
  }
  return {
    page(key: keyof Module & string): ComponentType<object> {
      const Lazy = lazy(async () => ({ default: (await open())[key] as ComponentType<object> }))
      return function Page() {
        // Chosen once, so that an open page does not start again when its script arrives.
        const [{ Chosen }] = useState({ Chosen: loaded?.[key] ?? Lazy })
        return <Chosen />
      }
    },
    /** Loads the script ahead of time; a failure is reported when a page is opened. */
    async preload() {
      loaded = await load()
    }
  }
}
