/** Path of the context of our JSON-LD. */
export const contextPath = '/context.jsonld'
