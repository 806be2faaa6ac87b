/*
 * A page holds at most so many records, and at most so many bytes. It ends before the record with
 * which it would hold more; the next page begins with that one.
 */

/** Maximum bytes of the documents in one page. A document that is larger is a page of its own. */
export const maxPageBytes = 16 * 1_048_576

/**
 * The rows of a page, of those that were read for it. There is more when one was read that is not
 * in the page.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  textOf: (row: Row) => string | null
): { readonly page: Row[]; readonly hasMore: boolean } {
  let bytes = 0
  let size = 0
  for (const row of rows) {
    if (size === limit) break
    bytes += lengthOf(textOf(row))
    if (bytes > maxPageBytes && size > 0) break
    size++
  }
  return { page: rows.slice(0, size), hasMore: size < rows.length }
}

/**
 * Letters stand for bytes: what is bounded is memory, and counting bytes would read every text once
 * more.
 */
export const lengthOf = (text: string | null): number => text?.length ?? 0
