import type { Entity, Json, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { recordNamespace } from '../xml/namespaces.ts'
import { element, elementOf, type Xml } from '../xml/write-xml.ts'

/**
 * Writes an entity as XML, with everything in its JSON, and its address. `recordSchema` describes
 * it.
 */
export function writeRecordXml(entity: Entity, address?: string): Xml {
  const { created, updated } = entity.audit
  return element(
    'record',
    { xmlns: recordNamespace, id: entity.id, uuid: entity._id, type: entity.type, version: entity.version, address },
    ...entity.identifiers.map(identifier => element('identifier', {}, identifier)),
    ...entity.metadata.flatMap(fieldOf),
    ...entity.relations.map(relationOf),
    element('created', { at: created.at, by: created.by }),
    element('updated', { at: updated.at, by: updated.by })
  )
}

/** A value that is neither text, number nor boolean is written as JSON. */
function fieldOf({ key, value, lang }: MetadataEntry): Xml[] {
  const attributes = { key, kind: kindOf(value), lang }
  return typeof value === 'string' && value === ''
    ? [element('field', attributes)]
    : elementOf('field', typeof value === 'string' ? value : JSON.stringify(value), attributes)
}

const kindOf = (value: Json) =>
  typeof value === 'string' ? undefined : typeof value === 'object' ? 'json' : typeof value

const relationOf = ({ type, key, metadata = [] }: Relation) =>
  element('relation', { type, key }, ...metadata.flatMap(fieldOf))

/** The schema of these documents, for validation and code generation. */
export const recordSchema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${recordNamespace}" targetNamespace="${recordNamespace}" elementFormDefault="qualified">
  <xs:element name="record">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="identifier" type="xs:string" minOccurs="2" maxOccurs="unbounded"/>
        <xs:element name="field" type="Field" minOccurs="0" maxOccurs="unbounded"/>
        <xs:element name="relation" minOccurs="0" maxOccurs="unbounded">
          <xs:complexType>
            <xs:sequence>
              <xs:element name="field" type="Field" minOccurs="0" maxOccurs="unbounded"/>
            </xs:sequence>
            <xs:attribute name="type" type="xs:string" use="required"/>
            <xs:attribute name="key" type="xs:string" use="required"/>
          </xs:complexType>
        </xs:element>
        <xs:element name="created" type="Stamp"/>
        <xs:element name="updated" type="Stamp"/>
      </xs:sequence>
      <xs:attribute name="id" type="xs:string" use="required"/>
      <xs:attribute name="uuid" type="xs:string" use="required"/>
      <xs:attribute name="type" type="xs:string" use="required"/>
      <xs:attribute name="version" type="xs:positiveInteger" use="required"/>
      <xs:attribute name="address" type="xs:anyURI"/>
    </xs:complexType>
  </xs:element>
  <xs:complexType name="Field">
    <xs:simpleContent>
      <xs:extension base="xs:string">
        <xs:attribute name="key" type="xs:string" use="required"/>
        <xs:attribute name="kind">
          <xs:simpleType>
            <xs:restriction base="xs:string">
              <xs:enumeration value="number"/>
              <xs:enumeration value="boolean"/>
              <xs:enumeration value="json"/>
            </xs:restriction>
          </xs:simpleType>
        </xs:attribute>
        <xs:attribute name="lang" type="xs:string"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:complexType name="Stamp">
    <xs:attribute name="at" type="xs:dateTime" use="required"/>
    <xs:attribute name="by" type="xs:string" use="required"/>
  </xs:complexType>
</xs:schema>
`
