/** The part of the address of a form that leads to one of its fields. */
export const fieldAnchor = (key: string) => `#field-${key}`

/** The field that the address of the page leads to. */
export const anchoredField = () => /^#field-(\w+)$/.exec(location.hash)?.[1]
