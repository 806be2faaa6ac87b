/** The IRI of an entity: its address, by its id, which never changes. */
export const addressOf = (publicUrl: string, id: string) =>
  `${publicUrl}/entities/${encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%40', '@')}`
