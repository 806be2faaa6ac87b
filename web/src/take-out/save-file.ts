/** Told how many bytes are there so far. */
type Told = (bytes: number) => void

interface SavePicker {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<WritableStream<Uint8Array>>
  }>
}

/**
 * Saves an answer as a file. What is large goes straight to the disk, where the browser can do that: then somebody is asked for the place before the
 * first byte is. Everything else is gathered by the browser and offered as a download. No address holds the token either way.
 */
export async function saveFile(
  name: string,
  isLarge: boolean,
  ask: () => Promise<Response>,
  tell: Told
): Promise<'saved' | 'called off'> {
  const browser: object = globalThis
  if (isLarge && canPick(browser)) {
    const place = await browser.showSaveFilePicker({ suggestedName: name }).catch(() => undefined)
    if (place === undefined) return 'called off'
    const { body } = await ask()
    // Cut short, it is not closed: what was there before stays.
    await body?.pipeThrough(counting(tell)).pipeTo(await place.createWritable())
    return 'saved'
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
  // The download has begun by then; before, it would be taken from under it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
