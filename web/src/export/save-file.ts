/** Called with the number of bytes received. */
type Told = (bytes: number) => void

interface SavePicker {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<WritableStream<Uint8Array>>
  }>
}

/**
 * Saves a response as a file. Where the browser can, the response is streamed to a place on the
 * disk that the user chooses before the first byte is fetched; otherwise the browser collects it
 * and offers a download. The token is in no address either way.
 */
export async function saveFile(
  name: string,
  isLarge: boolean,
  ask: () => Promise<Response>,
  tell: Told
): Promise<'saved' | 'called off'> {
  const browser: object = globalThis
  if (isLarge && canPick(browser)) {
    const place = await browser
      .showSaveFilePicker({ suggestedName: name })
      .catch((error: unknown) =>
        error instanceof DOMException && error.name === 'AbortError' ? ('called off' as const) : undefined
      )
    if (place === 'called off') return place
    if (place) {
      const { body } = await ask()
      // A file that was cut short is not closed, so an existing file stays as it was.
      await body?.pipeThrough(counting(tell)).pipeTo(await place.createWritable())
      return 'saved'
    }
    // The browser has no such dialog here, as in a frame of another site.
  }
  const response = await ask()
  const type = response.headers.get('content-type') ?? ''
  const bytes = await new Response(response.body?.pipeThrough(counting(tell)) ?? null).blob()
  offer(new Blob([bytes], { type }), name)
  return 'saved'
}

const canPick = (global: object): global is SavePicker => 'showSaveFilePicker' in global

function counting(tell: Told): TransformStream<Uint8Array, Uint8Array> {
  let count = 0
  return new TransformStream({
    transform(piece, controller) {
      count += piece.byteLength
      tell(count)
      controller.enqueue(piece)
    }
  })
}

function offer(bytes: Blob, name: string) {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the download has started.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
