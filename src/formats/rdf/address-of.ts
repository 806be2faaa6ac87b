/** The IRI of an entity: its address, by its id, which never changes. */
export const addressOf = (publicUrl: string, id: string) =>
  `${publicUrl}/entities/${encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%40', '@')}`

/** The address of the page of a record, for people. */
export const pageOf = (publicUrl: string, id: string) => `${publicUrl}/record/${encodeURIComponent(id)}`
