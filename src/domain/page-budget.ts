/*
 * A page has a maximum of records and of bytes. It ends before the record that would exceed them;
 * the next page begins with that one.
 */

/** Maximum bytes of the documents in one page. A document that is larger is a page of its own. */
export const maxPageBytes = 16 * 1_048_576

/**
 * Cuts a page from the rows that were read for it. There is more when a row was read that is not in
 * the page.
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
 * Characters stand for bytes: memory is what is limited, and counting bytes would read every text.
 */
export const lengthOf = (text: string | null): number => text?.length ?? 0
