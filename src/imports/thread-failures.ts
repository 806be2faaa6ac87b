/* The reasons for which the threads of an import are terminated. */

const stays = 'what it wrote so far stays, and can be undone'

/** The import needed more memory than its threads may use. */
export class OutOfMemory extends Error {
  constructor() {
    super('The import needs more memory than it may use. What it wrote so far stays, and can be undone')
  }
}

export const noResponse = (milliseconds: number) =>
  `The import has not responded for ${milliseconds / 1000} seconds and was stopped; ${stays}`

export const endlessWork = (milliseconds: number) =>
  `The import has not responded during ${milliseconds / 1000} seconds of work on the same records and was stopped; ${stays}`
