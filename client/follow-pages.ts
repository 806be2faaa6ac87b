import type { CallOptions, Sender } from './send-request.ts'

/** A page of anything: what it holds, and where the next one is. */
interface Page {
  readonly next?: string
}

/** The pages that follow a first one, and the first: each is asked for when the one before was used. */
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
