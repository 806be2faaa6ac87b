import { table } from '#domain/table.ts'
import type { FieldRule, Part, RdfMapping, RelationRule } from './mapping-rule.ts'
import type { Name } from './vocabularies.ts'

/*
 * The RDF of each type of record. A type has the rows of its umbrella and its own; a type of a
 * model file is a schema:Thing with its name.
 *
 * Works are LRMoo F1 and BIBFRAME hubs, expressions F2 and BIBFRAME works, manifestations F3 and
 * instances: BIBFRAME draws its line between a work and its carrier one level lower than LRM.
 * schema.org has one kind of creative work, with examples.
 */

const title: Part = { name: 'title', by: 'bf:title', is: 'bf:Title' }
const publication: Part = { name: 'publication', by: 'bf:provisionActivity', is: 'bf:Publication' }
const address: Part = { name: 'address', by: 'schema:address', is: 'schema:PostalAddress' }
const place: Part = { name: 'geo', by: 'schema:geo', is: 'schema:GeoCoordinates' }
const offer: Part = { name: 'offer', by: 'schema:offers', is: 'schema:Offer', perValueOf: 'price' }
const amenity: Part = {
  name: 'amenity',
  by: 'schema:amenityFeature',
  is: 'schema:LocationFeatureSpecification',
  each: true
}
/** The sale of tickets: one offer for each tariff. */
const tickets: Readonly<Record<string, readonly FieldRule[]>> = {
  price: [
    { predicates: ['schema:price'], as: 'amount', in: offer },
    { predicates: ['schema:priceCurrency'], as: 'currency', in: offer },
    { predicates: ['schema:name'], as: 'tariff', in: offer }
  ],
  on_sale_from: [{ predicates: ['schema:validFrom', 'schema:availabilityStarts'], as: 'moment', in: offer }],
  url: [
    { predicates: ['schema:url'], as: 'address' },
    { predicates: ['schema:url'], as: 'address', in: offer }
  ]
}
const identifier = (name: string, is: Name): Part => ({ name, by: 'bf:identifiedBy', is, each: true })
const labelled = (name: string, by: Name, is: Name) => [
  { predicates: ['rdfs:label'], in: { name, by, is, each: true } } as const
]

const classed = (name: string, is: Name) => [
  { predicates: ['bf:classificationPortion'], in: { name, by: 'bf:classification', is, each: true } } as const
]
/** A number that is no longer valid, or never was: BIBFRAME gives it a status. */
const cancelled = (name: string, is: Name): readonly FieldRule[] => {
  const part = identifier(`cancelled-${name}`, is)
  return [
    { predicates: ['rdf:value'], in: part },
    { predicates: ['bf:status'], as: 'cancelled', in: part }
  ]
}
const cartographic: Part = { name: 'cartographic', by: 'bf:cartographicAttributes', is: 'bf:Cartographic' }

const name = [{ predicates: ['schema:name', 'rdfs:label'] }] as const
const titled = [{ predicates: ['schema:name', 'rdfs:label'] }, { predicates: ['bf:mainTitle'], in: title }] as const
const madeIn = [{ predicates: ['schema:dateCreated', 'bf:originDate'], as: 'year' }] as const

const to = (...predicates: readonly Name[]): readonly RelationRule[] => [{ predicates }]
const people: readonly RelationRule[] = [{ roles: 'ofWork' }]
const aroundContent: Readonly<Record<string, readonly RelationRule[]>> = table({
  refLanguages: to('schema:inLanguage', 'bf:language'),
  refTargetAudiences: to('schema:audience', 'bf:intendedAudience'),
  refSisos: to('schema:about', 'bf:classification'),
  refZizos: [{ predicates: ['schema:about', 'bf:classification'], follow: true }]
})

const otherNames = [{ predicates: ['schema:alternateName'] }] as const

/** The statements about records of authority files, in SKOS and beside it. */
const authority: Readonly<Record<string, readonly FieldRule[]>> = {
  non_preferred_name: [{ predicates: ['schema:alternateName', 'skos:altLabel'] }],
  scheme: [{ predicates: ['skos:inScheme'], as: 'scheme' }],
  note: [{ predicates: ['skos:note'] }],
  source: [{ predicates: ['skos:editorialNote'] }],
  link: [{ predicates: ['schema:url'], as: 'link' }],
  same_as: [{ predicates: ['skos:closeMatch'], as: 'link' }],
  scope_note: [{ predicates: ['skos:scopeNote'] }],
  biography: [{ predicates: ['schema:description'] }],
  active_dates: [{ predicates: ['bf:date'] }],
  field_of_activity: [{ predicates: ['schema:knowsAbout'] }],
  occupation: [{ predicates: ['schema:jobTitle'] }],
  name_kind: [{ predicates: ['rdf:type'], as: 'nameKind' }]
}
const related: readonly RelationRule[] = [{ predicates: ['skos:related'], back: ['skos:related'] }]
const authorityRelations: Readonly<Record<string, readonly RelationRule[]>> = {
  refBroader: [{ predicates: ['skos:broader'], back: ['skos:narrower'] }],
  refSameAs: [{ predicates: ['skos:closeMatch'], back: ['skos:closeMatch'] }],
  refRelated: related,
  refEarlier: related,
  refPseudonymOf: related,
  refMemberOf: [{ predicates: ['schema:memberOf'], back: ['schema:member'] }, ...related],
  refPlaces: to('bf:place'),
  refLanguages: to('schema:knowsLanguage')
}
/** Records that refer to an authority as narrower, later or by another name. */
const authorityReferrers = {
  refBroader: {},
  refSameAs: {},
  refRelated: {},
  refEarlier: {},
  refPseudonymOf: {}
} as const
const labelledName = [{ predicates: ['schema:name', 'rdfs:label', 'skos:prefLabel'] }] as const

const onStage: Readonly<Record<string, readonly RelationRule[]>> = {
  refLanguages: to('schema:inLanguage'),
  refSurtitles: to('schema:subtitleLanguage'),
  refSubscriptions: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'] }],
  refTours: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'] }],
  refAuthors: [{ roles: 'ofEvent' }]
}
const rooms: Readonly<Record<string, readonly FieldRule[]>> = {
  capacity: [{ predicates: ['schema:maximumAttendeeCapacity'], as: 'whole' }],
  accessibility: [{ predicates: ['schema:name'], as: 'words', in: amenity }]
}

const organisation: RdfMapping = {
  classes: ['schema:Organization', 'bf:Organization'],
  fields: {
    name,
    website: [{ predicates: ['schema:url'], as: 'address' }],
    email: [{ predicates: ['schema:email'], as: 'mailbox' }],
    phone: [{ predicates: ['schema:telephone'] }],
    city: [{ predicates: ['schema:addressLocality'], in: address }],
    country: [{ predicates: ['schema:addressCountry'], in: address }]
  }
}
const named = (mapping: RdfMapping): RdfMapping => ({
  ...mapping,
  fields: { ...mapping.fields, non_preferred_name: otherNames }
})
const term = (...classes: readonly Name[]): RdfMapping => ({
  classes: ['schema:DefinedTerm', 'skos:Concept', ...classes],
  fields: { ...authority, name: labelledName },
  relations: authorityRelations,
  referrers: authorityReferrers
})

export const mappings: Readonly<Record<string, RdfMapping>> = table<RdfMapping>({
  work: {
    classes: ['lrmoo:F1_Work', 'bf:Hub', 'schema:CreativeWork'],
    fields: {
      title: titled,
      original_title: [
        { predicates: ['schema:alternateName'] },
        { predicates: ['bf:mainTitle'], in: { name: 'original-title', by: 'bf:title', is: 'bf:VariantTitle' } }
      ],
      literary_type: [{ predicates: ['schema:genre'] }],
      reading_level: [{ predicates: ['schema:educationalLevel'] }],
      year: madeIn,
      geographic_area: labelled('area', 'bf:geographicCoverage', 'bf:GeographicCoverage'),
      scale: labelled('scale', 'bf:scale', 'bf:Scale'),
      coordinates: [{ predicates: ['bf:coordinates'], in: cartographic }],
      work_number: [{ predicates: ['bf:musicOpusNumber'] }],
      medium: labelled('medium', 'bf:musicMedium', 'bf:MusicMedium')
    },
    relations: {
      ...aroundContent,
      refAuthors: people,
      refSubjects: to('schema:about', 'bf:subject'),
      refGenres: to('schema:genre', 'bf:genreForm'),
      refPlaces: to('schema:spatialCoverage', 'bf:geographicCoverage'),
      refTimes: to('schema:temporalCoverage', 'bf:temporalCoverage'),
      refUniformTitles: to('bf:title'),
      refParts: [{ predicates: ['schema:hasPart', 'bf:hasPart'], back: ['schema:isPartOf', 'bf:partOf'] }],
      refPrecededBy: [{ predicates: ['bf:precededBy'], back: ['bf:succeededBy'] }],
      refSupplementTo: [{ predicates: ['bf:supplementTo'], back: ['bf:supplement'] }],
      refTranslationOf: [
        {
          predicates: ['bf:translationOf', 'schema:translationOfWork'],
          back: ['bf:translation', 'schema:workTranslation']
        }
      ],
      refBasedOn: [{ predicates: ['bf:derivativeOf', 'schema:isBasedOn'], back: ['bf:hasDerivative'] }],
      refRelatedWorks: to('bf:relatedTo')
    },
    referrers: {
      refWork: {},
      refParts: {},
      refPrecededBy: {},
      refSupplementTo: {},
      refTranslationOf: {},
      refBasedOn: {}
    }
  },
  work_word: { classes: [] },
  work_music: { classes: ['schema:MusicComposition'] },
  work_map: { classes: ['schema:Map'] },
  work_serial: { classes: ['schema:Periodical'] },
  work_footage: { classes: ['schema:Movie'] },

  expression: {
    classes: ['lrmoo:F2_Expression', 'bf:Work', 'schema:CreativeWork'],
    fields: { title: titled, content_type: labelled('content', 'bf:content', 'bf:Content'), year: madeIn },
    relations: {
      ...aroundContent,
      refWork: [
        {
          predicates: ['lrmoo:R3i_realises', 'bf:expressionOf', 'schema:exampleOfWork'],
          back: ['lrmoo:R3_is_realised_in', 'bf:hasExpression', 'schema:workExample'],
          follow: true
        }
      ],
      refAuthors: people
    },
    referrers: { refExpressions: {} }
  },
  expression_word: { classes: ['bf:Text'] },
  expression_music: { classes: ['bf:Audio'] },
  expression_map: { classes: ['bf:Cartography'] },
  expression_footage: { classes: ['bf:MovingImage'] },
  expression_mixed_material: { classes: ['bf:MixedMaterial'] },
  expression_computer_file: { classes: ['bf:Multimedia'] },
  reading: { classes: ['bf:Text'] },
  easy_reading: { classes: ['bf:Text'] },
  listening: { classes: ['bf:Audio'] },
  watching: { classes: ['bf:MovingImage'] },
  orienting: { classes: ['bf:Cartography'] },

  manifestation: {
    classes: ['lrmoo:F3_Manifestation', 'bf:Instance', 'schema:CreativeWork'],
    fields: {
      title: titled,
      subtitle: [{ predicates: ['schema:alternativeHeadline'] }, { predicates: ['bf:subtitle'], in: title }],
      isbn: [
        { predicates: ['schema:isbn'], as: 'isbn' },
        { predicates: ['rdf:value'], as: 'isbn', in: identifier('isbn', 'bf:Isbn') }
      ],
      isbn_qualifier: [
        { predicates: ['rdf:value'], as: 'qualified', in: identifier('qualified-isbn', 'bf:Isbn') },
        { predicates: ['bf:qualifier'], as: 'qualifier', in: identifier('qualified-isbn', 'bf:Isbn') }
      ],
      issn: [{ predicates: ['schema:issn'] }, { predicates: ['rdf:value'], in: identifier('issn', 'bf:Issn') }],
      ean: [{ predicates: ['schema:gtin13'] }, { predicates: ['rdf:value'], in: identifier('ean', 'bf:Ean') }],
      year_of_publication: [
        { predicates: ['schema:datePublished'], as: 'year' },
        { predicates: ['bf:date'], as: 'year', in: publication }
      ],
      publication_date: [{ predicates: ['bflc:simpleDate'], in: publication }],
      copyright_date: [{ predicates: ['bf:copyrightDate'] }],
      distribution: labelled('distribution', 'bf:provisionActivity', 'bf:Distribution'),
      edition: [{ predicates: ['schema:bookEdition', 'bf:editionStatement'] }],
      extent: [...labelled('extent', 'bf:extent', 'bf:Extent'), { predicates: ['schema:numberOfPages'], as: 'pages' }],
      material_type: labelled('carrier', 'bf:carrier', 'bf:Carrier'),
      media_type: labelled('media', 'bf:media', 'bf:Media'),
      terms_of_availability: [{ predicates: ['bf:acquisitionTerms'] }],
      series_statement: [{ predicates: ['bf:seriesStatement'] }],
      responsibility: [{ predicates: ['schema:creditText', 'bf:responsibilityStatement'] }],
      summary: [{ predicates: ['schema:abstract'] }, ...labelled('summary', 'bf:summary', 'bf:Summary')],
      contents: labelled('contents', 'bf:tableOfContents', 'bf:TableOfContents'),
      note: labelled('note', 'bf:note', 'bf:Note'),
      award: [{ predicates: ['schema:award', 'bf:awards'] }],
      cover_link: [{ predicates: ['schema:image'], as: 'link' }],
      performers: [{ predicates: ['bf:credits'] }],
      credits: [{ predicates: ['bf:credits'] }],
      thesis: labelled('thesis', 'bf:dissertation', 'bf:Dissertation'),
      duration: [{ predicates: ['schema:timeRequired', 'bf:duration'], as: 'minutes' }],
      link: [{ predicates: ['schema:url', 'bf:electronicLocator'], as: 'link' }],
      access: [
        { predicates: ['schema:conditionsOfAccess'] },
        ...labelled('access', 'bf:usageAndAccessPolicy', 'bf:UsageAndAccessPolicy')
      ],
      dewey: classed('dewey', 'bf:ClassificationDdc'),
      lcc: classed('lcc', 'bf:ClassificationLcc'),
      udc: classed('udc', 'bf:ClassificationUdc'),
      lccn: [{ predicates: ['rdf:value'], in: identifier('lccn', 'bf:Lccn') }],
      publisher_number: [{ predicates: ['rdf:value'], in: identifier('publisher-number', 'bf:MusicPublisherNumber') }],
      cancelled_isbn: cancelled('isbn', 'bf:Isbn'),
      cancelled_issn: cancelled('issn', 'bf:Issn'),
      host: labelled('host', 'bf:partOf', 'bf:Instance'),
      preceding_title: labelled('preceding', 'bf:precededBy', 'bf:Instance'),
      succeeding_title: labelled('succeeding', 'bf:succeededBy', 'bf:Instance'),
      frequency: labelled('frequency', 'bf:frequency', 'bf:Frequency'),
      numbering: [{ predicates: ['bf:firstIssue'] }],
      other_version: labelled('other-version', 'bf:otherPhysicalFormat', 'bf:Instance'),
      provenance: [{ predicates: ['bf:custodialHistory'] }],
      technical_details: labelled('system', 'bf:systemRequirement', 'bf:SystemRequirement'),
      classification: classed('class', 'bf:Classification'),
      other_number: [{ predicates: ['rdf:value'], in: identifier('number', 'bf:Identifier') }],
      parallel_title: [
        { predicates: ['schema:alternateName'] },
        ...labelled('parallel-title', 'bf:title', 'bf:ParallelTitle')
      ],
      other_title: [
        { predicates: ['schema:alternateName'] },
        { predicates: ['bf:mainTitle'], in: { name: 'other-title', by: 'bf:title', is: 'bf:VariantTitle', each: true } }
      ]
    },
    relations: {
      ...aroundContent,
      refExpressions: [
        {
          predicates: ['lrmoo:R4_embodies', 'bf:instanceOf'],
          back: ['lrmoo:R4i_is_embodied_in', 'bf:hasInstance'],
          follow: true
        }
      ],
      refPublishers: [{ predicates: ['schema:publisher'] }, { predicates: ['bf:agent'], in: publication }],
      refSeries: [{ predicates: ['schema:isPartOf', 'bf:hasSeries'], back: ['schema:hasPart', 'bf:seriesOf'] }],
      refHost: [{ predicates: ['schema:isPartOf', 'bf:partOf'], back: ['schema:hasPart', 'bf:hasPart'] }],
      refPlaces: [{ predicates: ['bf:place'], in: publication }],
      refAuthors: people
    },
    // Readers of schema.org expect author, translator and language of a book here, not two levels
    // up.
    reaches: [
      { by: ['refExpressions', 'refWork'], predicates: ['schema:exampleOfWork'], back: ['schema:workExample'] },
      { by: ['refExpressions', 'refWork', 'refAuthors'], roles: 'ofWork' },
      { by: ['refExpressions', 'refAuthors'], roles: 'ofWork' },
      { by: ['refExpressions', 'refLanguages'], predicates: ['schema:inLanguage'] }
    ],
    referrers: { refManifestation: { follow: true }, refHost: {} }
  },
  manifestation_word: { classes: ['schema:Book'] },
  manifestation_map: { classes: ['schema:Map'] },
  manifestation_serial: { classes: ['schema:Periodical'] },
  manifestation_footage: { classes: ['schema:Movie'] },

  series: {
    classes: ['schema:CreativeWorkSeries', 'bf:Series'],
    fields: {
      name,
      non_preferred_name: otherNames,
      issn: [{ predicates: ['schema:issn'] }, { predicates: ['rdf:value'], in: identifier('issn', 'bf:Issn') }]
    },
    referrers: { refSeries: {} }
  },
  language: {
    classes: ['schema:Language', 'bf:Language'],
    fields: { name, code: [{ predicates: ['schema:alternateName', 'bf:code'] }] }
  },
  person: {
    classes: ['schema:Person', 'bf:Person'],
    fields: {
      ...authority,
      name: [
        ...labelledName,
        { predicates: ['schema:familyName'], as: 'familyName' },
        { predicates: ['schema:givenName'], as: 'givenName' }
      ],
      fuller_name: [{ predicates: ['schema:alternateName'] }],
      life_dates: [
        { predicates: ['bf:date'] },
        { predicates: ['schema:birthDate'], as: 'birth' },
        { predicates: ['schema:deathDate'], as: 'death' }
      ]
    },
    relations: authorityRelations,
    referrers: authorityReferrers
  },
  corporation: {
    ...organisation,
    fields: { ...organisation.fields, ...authority, name: labelledName },
    relations: authorityRelations,
    referrers: authorityReferrers
  },
  publisher: named(organisation),
  subject: term('bf:Topic'),
  genre: term('bf:GenreForm'),
  time: term('bf:Temporal'),
  place: { ...term('bf:Place'), classes: ['schema:Place', 'bf:Place'] },
  target_audience: {
    classes: ['schema:Audience', 'bf:IntendedAudience'],
    fields: {
      name: [{ predicates: ['schema:name', 'schema:audienceType', 'rdfs:label'] }],
      non_preferred_name: otherNames
    }
  },
  title: {
    classes: ['bf:Title'],
    fields: {
      ...authority,
      title: [{ predicates: ['bf:mainTitle', 'rdfs:label', 'skos:prefLabel'] }],
      subtitle: [{ predicates: ['bf:subtitle'] }]
    },
    relations: authorityRelations,
    referrers: authorityReferrers
  },
  siso: {
    classes: ['schema:DefinedTerm', 'skos:Concept', 'bf:Classification'],
    fields: {
      code: [{ predicates: ['schema:termCode', 'skos:notation', 'bf:classificationPortion', 'rdfs:label'] }],
      land_or_language: [{ predicates: ['schema:description'] }]
    }
  },
  zizo: {
    classes: ['schema:DefinedTerm', 'skos:Concept', 'bf:Classification'],
    fields: {
      title: [{ predicates: ['schema:name', 'rdfs:label', 'skos:prefLabel'] }],
      code: [{ predicates: ['schema:termCode', 'skos:notation', 'bf:classificationPortion'] }]
    },
    relations: { refParentZizo: [{ predicates: ['skos:broader'], back: ['skos:narrower'], follow: true }] }
  },
  code_wording: {
    classes: ['schema:DefinedTerm', 'bf:Role'],
    fields: {
      code: [{ predicates: ['schema:termCode', 'bf:code'] }],
      wording: [{ predicates: ['schema:name', 'rdfs:label'] }]
    }
  },

  item: {
    classes: ['lrmoo:F5_Item', 'bf:Item'],
    fields: {
      shelf_mark: labelled('shelf-mark', 'bf:shelfMark', 'bf:ShelfMark'),
      barcode: [{ predicates: ['rdf:value'], in: identifier('barcode', 'bf:Barcode') }],
      location: labelled('location', 'bf:sublocation', 'bf:Sublocation'),
      volume: labelled('volume', 'bf:enumerationAndChronology', 'bf:EnumerationAndChronology'),
      status: labelled('status', 'bf:status', 'bf:Status'),
      note: labelled('note', 'bf:note', 'bf:Note'),
      link: [{ predicates: ['bf:electronicLocator'], as: 'link' }],
      licence: labelled('licence', 'bf:usageAndAccessPolicy', 'bf:UsageAndAccessPolicy')
    },
    relations: {
      refManifestation: [
        {
          predicates: ['lrmoo:R7_exemplifies', 'bf:itemOf'],
          back: ['lrmoo:R7i_is_exemplified_by', 'bf:hasItem']
        }
      ],
      refLibrary: to('bf:heldBy')
    }
  },
  library: {
    ...organisation,
    classes: ['schema:Library', 'bf:Organization'],
    fields: {
      ...organisation.fields,
      code: [{ predicates: ['schema:identifier', 'bf:code'] }],
      non_preferred_name: otherNames,
      address: [{ predicates: ['schema:streetAddress'], in: address }],
      postal_code: [{ predicates: ['schema:postalCode'], in: address }]
    }
  },

  production: {
    classes: ['schema:TheaterEvent', 'schema:EventSeries'],
    fields: {
      title: name,
      subtitle: [{ predicates: ['schema:alternateName'] }],
      description: [{ predicates: ['schema:description'], as: 'html' }],
      description_short: [{ predicates: ['schema:disambiguatingDescription'], as: 'html' }],
      duration: [{ predicates: ['schema:duration'], as: 'minutes' }],
      premiere_date: [{ predicates: ['schema:startDate'], as: 'date' }],
      age_category: [{ predicates: ['schema:typicalAgeRange'], as: 'ages' }],
      price: tickets.price ?? [],
      rights: [{ predicates: ['schema:copyrightNotice'] }]
    },
    relations: {
      refVenues: to('schema:location'),
      refCompanies: to('schema:organizer', 'schema:performer'),
      refBookingAgency: to('schema:contributor'),
      refGenres: to('schema:keywords'),
      refSeasons: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'] }],
      refCoproducers: to('schema:organizer'),
      refSupporters: to('schema:sponsor'),
      refWorks: to('schema:workPerformed'),
      ...onStage
    },
    referrers: { refProduction: { follow: true }, refProductions: {} }
  },
  performance: {
    classes: ['schema:TheaterEvent'],
    fields: {
      start: [{ predicates: ['schema:startDate'], as: 'moment' }],
      end: [{ predicates: ['schema:endDate'], as: 'moment' }],
      doors: [{ predicates: ['schema:doorTime'], as: 'moment' }],
      former_start: [{ predicates: ['schema:previousStartDate'], as: 'moment' }],
      event_type: [{ predicates: ['schema:additionalType'], as: 'eventType' }],
      attendance: [{ predicates: ['schema:eventAttendanceMode'], as: 'attendance' }],
      accessibility: [{ predicates: ['schema:accessibilityFeature'], as: 'words' }],
      status: [
        { predicates: ['schema:eventStatus'], as: 'eventStatus' },
        { predicates: ['schema:availability'], as: 'availability', in: offer }
      ],
      availability: [{ predicates: ['schema:availability'], as: 'availability', in: offer }],
      ...tickets
    },
    relations: {
      refProduction: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'], follow: true }],
      refVenues: to('schema:location'),
      refHalls: to('schema:location'),
      ...onStage
    },
    reaches: [{ by: ['refProduction'], name: true }]
  },
  venue: {
    classes: ['schema:PerformingArtsTheater'],
    fields: {
      ...organisation.fields,
      address: [{ predicates: ['schema:streetAddress'], in: address }],
      postal_code: [{ predicates: ['schema:postalCode'], in: address }],
      latitude: [{ predicates: ['schema:latitude'], as: 'decimal', in: place }],
      longitude: [{ predicates: ['schema:longitude'], as: 'decimal', in: place }],
      ...rooms
    }
  },
  hall: {
    classes: ['schema:Place'],
    fields: { name, ...rooms },
    relations: {
      refVenues: [{ predicates: ['schema:containedInPlace'], back: ['schema:containsPlace'], follow: true }]
    }
  },
  company: { ...organisation, classes: ['schema:TheaterGroup'] },
  booking_agency: organisation,
  season: {
    classes: ['schema:EventSeries'],
    fields: {
      name,
      start_date: [{ predicates: ['schema:startDate'], as: 'date' }],
      end_date: [{ predicates: ['schema:endDate'], as: 'date' }]
    },
    referrers: { refSeasons: {} }
  },
  subscription: {
    classes: ['schema:EventSeries'],
    fields: { name, description: [{ predicates: ['schema:description'], as: 'html' }], ...tickets },
    relations: { refSeasons: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'] }] },
    referrers: { refSubscriptions: {} }
  },
  tour: {
    classes: ['schema:EventSeries'],
    fields: {
      name,
      description: [{ predicates: ['schema:description'], as: 'html' }],
      start_date: [{ predicates: ['schema:startDate'], as: 'date' }],
      end_date: [{ predicates: ['schema:endDate'], as: 'date' }],
      url: [{ predicates: ['schema:url'], as: 'address' }]
    },
    relations: {
      refCompanies: to('schema:organizer', 'schema:performer'),
      refBookingAgency: to('schema:contributor'),
      refSeasons: [{ predicates: ['schema:superEvent'], back: ['schema:subEvent'] }]
    },
    referrers: { refTours: {} }
  },
  mediafile: {
    classes: ['schema:MediaObject'],
    fields: {
      title: name,
      description: [{ predicates: ['schema:description'] }],
      credit: [{ predicates: ['schema:creditText'] }],
      copyright: [{ predicates: ['schema:copyrightNotice'] }],
      mimetype: [{ predicates: ['schema:encodingFormat'] }],
      size: [{ predicates: ['schema:contentSize'] }],
      sha256: [{ predicates: ['schema:sha256'] }],
      width: [{ predicates: ['schema:width'] }],
      height: [{ predicates: ['schema:height'] }],
      external_url: [{ predicates: ['schema:contentUrl'], as: 'address' }]
    },
    relations: { refProductions: [{ predicates: ['schema:about'], back: ['schema:subjectOf'] }] }
  }
})
