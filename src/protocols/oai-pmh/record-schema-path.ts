/** Where the schema of records in our own XML is published. */
export const recordSchemaPath = '/oai/libretto.xsd'
