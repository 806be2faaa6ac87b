/* The namespaces of the XML formats of records, apart from the writers, which are large. */

export const dublinCoreNamespace = 'http://purl.org/dc/elements/1.1/'
export const oaiDublinCoreNamespace = 'http://www.openarchives.org/OAI/2.0/oai_dc/'
export const sruDublinCoreNamespace = 'info:srw/schema/1/dc-schema'
export const marcXmlNamespace = 'http://www.loc.gov/MARC21/slim'
export const modsNamespace = 'http://www.loc.gov/mods/v3'
export const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
/** The namespace of our own records. */
export const recordNamespace = 'urn:libretto:record:1'
export const schemaInstanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'
