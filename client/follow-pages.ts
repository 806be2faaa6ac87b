import type { CallOptions, Sender } from './send-request.ts'

/** A page of a list, with the address of the next one. */
interface Page {
  readonly next?: string
}

/** Yields the first page and those that follow; each is fetched when the previous one was used. */
export async function* followPages<Each extends Page>(
  sender: Sender,
  first: () => Promise<Each>,
  options: CallOptions & { readonly body?: unknown } = {}
): AsyncGenerator<Each, void> {
  let page = await first()
  yield page
  while (page.next !== undefined) {
    page = (await sender.follow<Each>(page.next, options)).data
    yield page
  }
}
