/** Path of the XML schema of our records. */
export const recordSchemaPath = '/oai/libretto.xsd'
