import { type Answer, adminToken, type TestService } from './start.ts'

/*
 * The public Python SDK of the platform whose interface this is, call by call: what it sends, and
 * what it makes of the answer. Methods have its names. Written from what it puts on the wire; no
 * line of it is here.
 */

export class NonUniqueException extends Error {}
export class NotFoundException extends Error {}

export class ExistingClient {
  readonly #service: TestService
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(service: TestService, options: { token?: string; base?: string } = {}) {
    this.#service = service
    this.#base = options.base ?? ''
    this.#headers = {
      authorization: `Bearer ${options.token ?? adminToken}`,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      'user-agent': 'python-requests/2.32.3',
      'x-tenant-id': 'podiumnet'
    }
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Answer> {
    return this.#service.call(method, `${this.#base}${path}`, {
      token: undefined,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
  }

  async add_object(collection: string, payload: unknown, query = '') {
    return readJson(await this.send('POST', `/${collection}${query}`, payload))
  }

  async get_object(collection: string, id: string) {
    return readJson(await this.send('GET', `/${collection}/${id}`))
  }

  async get_all_objects(collection: string) {
    return readJson(await this.send('GET', `/${collection}`))
  }

  async update_object(collection: string, id: string, payload: unknown, overwrite = true) {
    return readJson(await this.send(overwrite ? 'PUT' : 'PATCH', `/${collection}/${id}`, payload))
  }

  async delete_object(collection: string, id: string): Promise<string> {
    return readText(await this.send('DELETE', `/${collection}/${id}`))
  }

  async update_object_relations(collection: string, id: string, relations: readonly unknown[]) {
    return readJson(await this.send('PATCH', `/${collection}/${id}/relations`, relations))
  }

  async add_object_metadata(collection: string, id: string, payload: unknown) {
    if (collection !== 'entities') {
      return readJson(await this.send('PATCH', `/${collection}/${id}`, { metadata: [payload].flat() }))
    }
    const path = `/entities/${id}/metadata`
    const first = await this.send('PATCH', path, [payload].flat())
    const isWithout = first.status === 400 && String(JSON.parse(first.text).message).endsWith('has no metadata')
    return readJson(isWithout ? await this.send('POST', path, [payload].flat()) : first)
  }

  async add_entity_mediafiles(id: string, payload: unknown) {
    return readJson(await this.send('POST', `/entities/${id}/mediafiles`, payload))
  }

  async create_mediafile_with_filename(filename: string, institutionId?: string): Promise<Answer> {
    const answer = await this.send('POST', '/mediafiles', {
      filename,
      original_filename: filename,
      type: 'mediafile',
      technical_origin: 'original',
      ...(institutionId === undefined ? {} : { metadata: [{ key: 'institution', value: institutionId }] })
    })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer
  }

  async create_ticket(filename: string): Promise<string> {
    const answer = await this.send('POST', '/tickets', { filename })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.text.replaceAll('"', '')
  }

  async get_mediafiles_and_check_existence(ids: readonly string[]) {
    return Promise.all(ids.map(id => this.get_object('mediafiles', id)))
  }
}

function readText({ status, text }: Answer): string {
  if (status === 409) throw new NonUniqueException(text)
  if (status === 404) throw new NotFoundException(text)
  if (status < 200 || status > 299) throw new Error(`Something went wrong: ${text}`)
  return text
}

/** Fails, as the SDK does, for an answer without a body. */
function readJson(answer: Answer) {
  return JSON.parse(readText(answer))
}
