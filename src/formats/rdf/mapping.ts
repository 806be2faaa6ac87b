import type { Part, RdfMapping, RelationRule } from './mapping-rule.ts'
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
const offer: Part = { name: 'offer', by: 'schema:offers', is: 'schema:Offer' }
const identifier = (name: string, is: Name): Part => ({ name, by: 'bf:identifiedBy', is, each: true })
const labelled = (name: string, by: Name, is: Name) => [
  { says: ['rdfs:label'], in: { name, by, is, each: true } } as const
]

const name = [{ says: ['schema:name', 'rdfs:label'] }] as const
const titled = [{ says: ['schema:name', 'rdfs:label'] }, { says: ['bf:mainTitle'], in: title }] as const
const madeIn = [{ says: ['schema:dateCreated', 'bf:originDate'], as: 'year' }] as const

const to = (...says: readonly Name[]): readonly RelationRule[] => [{ says }]
const people: readonly RelationRule[] = [{ roles: 'ofWork' }]
const aroundContent: Readonly<Record<string, readonly RelationRule[]>> = {
  refLanguages: to('schema:inLanguage', 'bf:language'),
  refTargetAudiences: to('schema:audience', 'bf:intendedAudience'),
  refSisos: to('schema:about', 'bf:classification'),
  refZizos: [{ says: ['schema:about', 'bf:classification'], follow: true }]
}

const organisation: RdfMapping = {
  classes: ['schema:Organization', 'bf:Organization'],
  fields: {
    name,
    website: [{ says: ['schema:url'], as: 'address' }],
    email: [{ says: ['schema:email'], as: 'mailbox' }],
    phone: [{ says: ['schema:telephone'] }],
    city: [{ says: ['schema:addressLocality'], in: address }],
    country: [{ says: ['schema:addressCountry'], in: address }]
  }
}
const term = (...classes: readonly Name[]): RdfMapping => ({
  classes: ['schema:DefinedTerm', 'skos:Concept', ...classes],
  fields: { name: [{ says: ['schema:name', 'rdfs:label', 'skos:prefLabel'] }] }
})

export const mappings: Readonly<Record<string, RdfMapping>> = {
  work: {
    classes: ['lrmoo:F1_Work', 'bf:Hub', 'schema:CreativeWork'],
    fields: {
      title: titled,
      original_title: [
        { says: ['schema:alternateName'] },
        { says: ['bf:mainTitle'], in: { name: 'original-title', by: 'bf:title', is: 'bf:VariantTitle' } }
      ],
      literary_type: [{ says: ['schema:genre'] }],
      year: madeIn,
      scale: labelled('scale', 'bf:scale', 'bf:Scale')
    },
    relations: {
      ...aroundContent,
      refAuthors: people,
      refSubjects: to('schema:about', 'bf:subject'),
      refGenres: to('schema:genre', 'bf:genreForm'),
      refPlaces: to('schema:spatialCoverage', 'bf:geographicCoverage'),
      refTimes: to('schema:temporalCoverage', 'bf:temporalCoverage'),
      refUniformTitles: to('bf:title'),
      refRelatedWorks: to('bf:relatedTo')
    },
    referrers: { refWork: {} }
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
          says: ['lrmoo:R3i_realises', 'bf:expressionOf', 'schema:exampleOfWork'],
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
      subtitle: [{ says: ['schema:alternativeHeadline'] }, { says: ['bf:subtitle'], in: title }],
      isbn: [
        { says: ['schema:isbn'], as: 'isbn' },
        { says: ['rdf:value'], as: 'isbn', in: identifier('isbn', 'bf:Isbn') }
      ],
      issn: [{ says: ['schema:issn'] }, { says: ['rdf:value'], in: identifier('issn', 'bf:Issn') }],
      ean: [{ says: ['schema:gtin13'] }, { says: ['rdf:value'], in: identifier('ean', 'bf:Ean') }],
      year_of_publication: [
        { says: ['schema:datePublished'], as: 'year' },
        { says: ['bf:date'], as: 'year', in: publication }
      ],
      edition: [{ says: ['schema:bookEdition', 'bf:editionStatement'] }],
      extent: [...labelled('extent', 'bf:extent', 'bf:Extent'), { says: ['schema:numberOfPages'], as: 'pages' }],
      material_type: labelled('carrier', 'bf:carrier', 'bf:Carrier'),
      series_statement: [{ says: ['bf:seriesStatement'] }],
      responsibility: [{ says: ['schema:creditText', 'bf:responsibilityStatement'] }]
    },
    relations: {
      ...aroundContent,
      refExpressions: [
        {
          says: ['lrmoo:R4_embodies', 'bf:instanceOf'],
          back: ['lrmoo:R4i_is_embodied_in', 'bf:hasInstance'],
          follow: true
        }
      ],
      refPublishers: [{ says: ['schema:publisher'] }, { says: ['bf:agent'], in: publication }],
      refPlaces: [{ says: ['bf:place'], in: publication }],
      refAuthors: people
    },
    // Readers of schema.org expect author, translator and language of a book here, not two levels
    // up.
    reaches: [
      { by: ['refExpressions', 'refWork'], says: ['schema:exampleOfWork'], back: ['schema:workExample'] },
      { by: ['refExpressions', 'refWork', 'refAuthors'], roles: 'ofWork' },
      { by: ['refExpressions', 'refAuthors'], roles: 'ofWork' },
      { by: ['refExpressions', 'refLanguages'], says: ['schema:inLanguage'] }
    ]
  },
  manifestation_word: { classes: ['schema:Book'] },
  manifestation_map: { classes: ['schema:Map'] },
  manifestation_serial: { classes: ['schema:Periodical'] },
  manifestation_footage: { classes: ['schema:Movie'] },

  language: {
    classes: ['schema:Language', 'bf:Language'],
    fields: { name, code: [{ says: ['schema:alternateName', 'bf:code'] }] }
  },
  person: {
    classes: ['schema:Person', 'bf:Person'],
    fields: {
      name: [
        ...name,
        { says: ['schema:familyName'], as: 'familyName' },
        { says: ['schema:givenName'], as: 'givenName' }
      ],
      life_dates: [
        { says: ['bf:date'] },
        { says: ['schema:birthDate'], as: 'birth' },
        { says: ['schema:deathDate'], as: 'death' }
      ]
    }
  },
  corporation: organisation,
  publisher: organisation,
  subject: term('bf:Topic'),
  genre: term('bf:GenreForm'),
  time: term('bf:Temporal'),
  place: { classes: ['schema:Place', 'bf:Place'], fields: { name } },
  target_audience: {
    classes: ['schema:Audience', 'bf:IntendedAudience'],
    fields: { name: [{ says: ['schema:name', 'schema:audienceType', 'rdfs:label'] }] }
  },
  title: {
    classes: ['bf:Title'],
    fields: { title: [{ says: ['bf:mainTitle', 'rdfs:label'] }], subtitle: [{ says: ['bf:subtitle'] }] }
  },
  siso: {
    classes: ['schema:DefinedTerm', 'skos:Concept', 'bf:Classification'],
    fields: {
      code: [{ says: ['schema:termCode', 'skos:notation', 'bf:classificationPortion', 'rdfs:label'] }],
      land_or_language: [{ says: ['schema:description'] }]
    }
  },
  zizo: {
    classes: ['schema:DefinedTerm', 'skos:Concept', 'bf:Classification'],
    fields: {
      title: [{ says: ['schema:name', 'rdfs:label', 'skos:prefLabel'] }],
      code: [{ says: ['schema:termCode', 'skos:notation', 'bf:classificationPortion'] }]
    },
    relations: { refParentZizo: [{ says: ['skos:broader'], back: ['skos:narrower'], follow: true }] }
  },
  code_wording: {
    classes: ['schema:DefinedTerm', 'bf:Role'],
    fields: { code: [{ says: ['schema:termCode', 'bf:code'] }], wording: [{ says: ['schema:name', 'rdfs:label'] }] }
  },

  production: {
    classes: ['schema:TheaterEvent', 'schema:EventSeries'],
    fields: {
      title: name,
      subtitle: [{ says: ['schema:alternateName'] }],
      description: [{ says: ['schema:description'], as: 'html' }],
      description_short: [{ says: ['schema:disambiguatingDescription'], as: 'html' }],
      duration: [{ says: ['schema:duration'], as: 'minutes' }],
      premiere_date: [{ says: ['schema:startDate'], as: 'date' }],
      age_category: [{ says: ['schema:typicalAgeRange'], as: 'ages' }]
    },
    relations: {
      refVenues: to('schema:location'),
      refCompanies: to('schema:organizer', 'schema:performer'),
      refBookingAgency: to('schema:contributor'),
      refGenres: to('schema:keywords'),
      refSeasons: [{ says: ['schema:superEvent'], back: ['schema:subEvent'] }],
      refWorks: to('schema:workPerformed'),
      refAuthors: [{ roles: 'ofEvent' }]
    },
    referrers: { refProduction: { follow: true }, refProductions: {} }
  },
  performance: {
    classes: ['schema:TheaterEvent'],
    fields: {
      start: [{ says: ['schema:startDate'], as: 'moment' }],
      end: [{ says: ['schema:endDate'], as: 'moment' }],
      status: [
        { says: ['schema:eventStatus'], as: 'eventStatus' },
        { says: ['schema:availability'], as: 'availability', in: offer }
      ],
      url: [
        { says: ['schema:url'], as: 'address' },
        { says: ['schema:url'], as: 'address', in: offer }
      ]
    },
    relations: {
      refProduction: [{ says: ['schema:superEvent'], back: ['schema:subEvent'], follow: true }],
      refVenues: to('schema:location')
    },
    reaches: [{ by: ['refProduction'], name: true }]
  },
  venue: {
    classes: ['schema:PerformingArtsTheater'],
    fields: {
      ...organisation.fields,
      address: [{ says: ['schema:streetAddress'], in: address }],
      postal_code: [{ says: ['schema:postalCode'], in: address }],
      latitude: [{ says: ['schema:latitude'], as: 'decimal', in: place }],
      longitude: [{ says: ['schema:longitude'], as: 'decimal', in: place }],
      capacity: [{ says: ['schema:maximumAttendeeCapacity'], as: 'whole' }]
    }
  },
  company: { ...organisation, classes: ['schema:TheaterGroup'] },
  booking_agency: organisation,
  season: {
    classes: ['schema:EventSeries'],
    fields: {
      name,
      start_date: [{ says: ['schema:startDate'], as: 'date' }],
      end_date: [{ says: ['schema:endDate'], as: 'date' }]
    },
    referrers: { refSeasons: {} }
  },
  mediafile: {
    classes: ['schema:MediaObject'],
    fields: {
      title: name,
      description: [{ says: ['schema:description'] }],
      copyright: [{ says: ['schema:copyrightNotice'] }],
      mimetype: [{ says: ['schema:encodingFormat'] }],
      size: [{ says: ['schema:contentSize'] }],
      sha256: [{ says: ['schema:sha256'] }],
      width: [{ says: ['schema:width'] }],
      height: [{ says: ['schema:height'] }],
      external_url: [{ says: ['schema:contentUrl'], as: 'address' }]
    },
    relations: { refProductions: [{ says: ['schema:about'], back: ['schema:subjectOf'] }] }
  }
}
