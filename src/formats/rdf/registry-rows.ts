import type { ReadName } from './graph-view.ts'

/*
 * The properties and classes of the RDA registry and of IFLA LRM (lrmer), each with its path in the
 * vocabularies that `rdf-to-marc.ts` reads. https://www.rdaregistry.info/Elements/ and
 * https://www.iflastandards.info/lrm/lrmer: the numbers, and the lexical aliases of 2014, which
 * many files have instead.
 */

/** A path: the property itself, or a node in between and its property. */
export interface Path {
  readonly property: ReadName
  /** The property to the node in between, and its class. */
  readonly via?: ReadName
  readonly of?: ReadName
  /** Whether each value has a node in between of its own. */
  readonly isAlone?: boolean
  /** Whether the value must be a node: a text becomes the label of one. */
  readonly isNode?: boolean
  /** The role of the agent, as a MARC relator. */
  readonly role?: string
}

const title = { via: 'bf:title', property: 'bf:mainTitle' } as const
const variant = { ...title, of: 'bf:VariantTitle', isAlone: true } as const
const link = (property: ReadName): Path => ({ property, isNode: true })
const agent = (role?: string): Path => ({
  via: 'bf:contribution',
  isAlone: true,
  property: 'bf:agent',
  isNode: true,
  ...(role === undefined ? {} : { role })
})
const event = (of: ReadName) => ({
  place: { via: 'bf:provisionActivity', of, property: 'bf:place', isNode: true } as Path,
  agent: { via: 'bf:provisionActivity', of, property: 'bf:agent', isNode: true } as Path,
  date: { via: 'bf:provisionActivity', of, property: 'bf:date' } as Path
})
const [publication, distribution, manufacture, production] = [
  event('bf:Publication'),
  event('bf:Distribution'),
  event('bf:Manufacture'),
  event('bf:Production')
]

/** A number, whose kind its text says: `ISBN 90-254-9967-8`. */
export const numberPath: Path = { via: 'bf:identifiedBy', isAlone: true, property: 'rdf:value' }
/** A number of an agent, or its name with dates. */
export const agentNumberPath: Path = link('owl:sameAs')

type Rows = Readonly<Record<string, Path | ReadName>>

/** By prefix, then by number with the lexical aliases. Earlier rows for a title or name count. */
// biome-ignore format: a table
export const registryRows: Readonly<Record<string, Rows>> = {
  rdaw: {
    'P10078 expressionOfWork': link('lrmoo:R3_is_realised_in'),
    'P10223 preferredTitleForTheWork preferredTitleOfWork': title,
    'P10088 titleOfTheWork titleOfWork': title,
    'P10086 variantTitleForTheWork variantTitleOfWork': variant,
    'P10061 author': agent('aut'),
    'P10065 creator': agent('cre'),
    'P10053 composer': agent('cmp'),
    'P10055 compiler': agent('com'),
    'P10204 lyricist': agent('lyr'),
    'P10205 librettist': agent('lbt'),
    'P10203 screenwriter': agent('aus'),
    'P10058 artist': agent('art'),
    'P10056 photographer': agent('pht'),
    'P10052 cartographer': agent('ctg'),
    'P10060 choreographer': agent('chr'),
    'P10062 architect': agent('arc'),
    'P10063 filmmaker': agent('fmk'),
    'P10013 filmDirector': agent('fmd'),
    'P10066 director': agent('drt'),
    'P10064 producer': agent('pro'),
    'P10057 interviewer': agent('ivr'),
    'P10059 interviewee': agent('ive'),
    'P10256 subject': 'dcterms:subject',
    'P10004 formOfWork categoryOfWork': 'bf:genreForm',
    'P10217 intendedAudience': 'bf:intendedAudience',
    'P10353 languageOfRepresentativeExpression': 'dcterms:language',
    'P10330 noteOnWork': 'bf:note',
    'P10209 dissertationOrThesisInformation': 'bf:dissertation'
  },
  rdae: {
    'P20231 workExpressed': link('lrmoo:R3i_realises'),
    'P20059 manifestationOfExpression': link('lrmoo:R4i_is_embodied_in'),
    'P20141 translationOf': link('bf:translationOf'),
    'P20312 titleOfExpression': title,
    'P20006 languageOfExpression': 'dcterms:language',
    'P20007 languageOfTheContent': 'dcterms:language',
    'P20001 contentType': 'bf:content',
    'P20037 translator': agent('trl'),
    'P20048 editor': agent('edt'),
    'P20051 illustrator': agent('ill'),
    'P20049 abridger': agent('abr'),
    'P20041 writerOfPreface': agent('wpr'),
    'P20045 writerOfIntroduction': agent('win'),
    'P20237 writerOfAfterword': agent('aft'),
    'P20044 writerOfAddedCommentary': agent('wac'),
    'P20022 narrator': agent('nrt'),
    'P20024 speaker': agent('spk'),
    'P20012 actor': agent('act'),
    'P20014 dancer': agent('dnc'),
    'P20025 singer': agent('sng'),
    'P20020 instrumentalist': agent('itr'),
    'P20011 conductor': agent('cnd'),
    'P20029 arrangerOfMusic': agent('arr'),
    'P20031 stageDirector': agent('sgd'),
    'P20039 performer': agent('prf'),
    'P20053 contributor': agent('ctb'),
    'P20069 summarizationOfTheContent': 'bf:summary',
    'P20071 noteOnExpression': 'bf:note',
    'P20206 supplementaryContent': 'bf:supplementaryContent',
    'P20322 intendedAudienceOfExpression': 'bf:intendedAudience',
    'P20219 duration': 'bf:duration',
    'P20008 artisticAndOrTechnicalCredit': 'bf:credits',
    'P20005 award': 'bf:awards'
  },
  rdam: {
    'P30139 expressionManifested': link('lrmoo:R4_embodies'),
    'P30103 exemplarOfManifestation': link('lrmoo:R7i_is_exemplified_by'),
    'P30156 titleProper': title,
    'P30134 title': title,
    'P30142 otherTitleInformation': { via: 'bf:title', property: 'bf:subtitle' },
    'P30203 parallelTitleProper': { ...variant, of: 'bf:ParallelTitle' },
    'P30128 variantTitle variantTitleOfManifestation': variant,
    'P30131 abbreviatedTitle': { ...variant, of: 'bf:AbbreviatedTitle' },
    'P30209 keyTitle': { ...variant, of: 'bf:KeyTitle' },
    'P30105 statementOfResponsibilityRelatingToTitleProper': 'bf:responsibilityStatement',
    'P30117 statementOfResponsibility': 'bf:responsibilityStatement',
    'P30133 designationOfEdition': 'bf:editionStatement',
    'P30107 editionStatement': 'bf:editionStatement',
    'P30004 identifierForTheManifestation identifierForManifestation': numberPath,
    'P30088 placeOfPublication': publication.place,
    'P30083 publisher': publication.agent,
    'P30176 publishersName': publication.agent,
    'P30011 dateOfPublication': publication.date,
    'P30111 publicationStatement': 'bf:publicationStatement',
    'P30085 placeOfDistribution': distribution.place,
    'P30080 distributor': distribution.agent,
    'P30173 distributorsName': distribution.agent,
    'P30008 dateOfDistribution': distribution.date,
    'P30087 placeOfManufacture': manufacture.place,
    'P30082 manufacturer': manufacture.agent,
    'P30078 printer': manufacture.agent,
    'P30175 manufacturersName': manufacture.agent,
    'P30010 dateOfManufacture': manufacture.date,
    'P30086 placeOfProduction': production.place,
    'P30174 producersName': production.agent,
    'P30009 dateOfProduction': production.date,
    'P30007 copyrightDate': 'bf:copyrightDate',
    'P30182 extent extentOfManifestation': 'bf:extent',
    'P30181 extentOfText': 'bf:extent',
    'P30178 extentOfNotatedMusic': 'bf:extent',
    'P30177 extentOfCartographicResource': 'bf:extent',
    'P30169 dimensions': 'bf:dimensions',
    'P30001 carrierType': 'bf:carrier',
    'P30002 mediaType': 'bf:media',
    'P30106 seriesStatement': 'bf:seriesStatement',
    'P30157 titleProperOfSeries': 'bf:seriesStatement',
    'P30014 numberingWithinSeries': 'bf:seriesEnumeration',
    'P30154 uniformResourceLocator': 'bf:electronicLocator',
    'P30145 restrictionsOnAccess': 'bf:usageAndAccessPolicy',
    'P30005 preferredCitation': 'bf:preferredCitation',
    'P30137 noteOnManifestation': 'bf:note',
    'P30214 noteOnCarrier': 'bf:note'
  },
  rdaa: {
    'P50094 identifierForThePerson identifierForPerson': agentNumberPath,
    'P50006 identifierForTheCorporateBody': agentNumberPath,
    'P50117 preferredNameForThePerson preferredNameOfPerson': 'rdfs:label',
    'P50111 nameOfThePerson nameOfPerson': 'rdfs:label',
    'P50041 preferredNameForTheCorporateBody': 'rdfs:label',
    'P50032 nameOfTheCorporateBody': 'rdfs:label',
    'P50065 preferredNameForTheFamily': 'rdfs:label',
    'P50061 nameOfTheFamily': 'rdfs:label',
    'P50385 nameOfAgent': 'rdfs:label',
    'P50121 dateOfBirth': 'schema:birthDate',
    'P50120 dateOfDeath': 'schema:deathDate',
    'P50107 dateAssociatedWithThePerson': 'bf:date'
  },
  rdax: { P00018: numberPath },
  rdan: { 'P80068 nomenString': 'rdfs:label' },
  rdap: { 'P70001 nameOfPlace': 'rdfs:label' },
  // FRBRer, in which files of the RDA registry often say what it lacks.
  frbrer: {
    summarizationOfTheContent: 'bf:summary',
    hasTitleOfTheExpression: title,
    hasAsSubjectConcept: 'dcterms:subject',
    hasAsSubjectEvent: 'dcterms:subject',
    hasAsSubjectPlace: 'bf:geographicCoverage',
    hasTermForTheConcept: 'rdfs:label',
    hasTermForTheEvent: 'rdfs:label',
    hasTermForThePlace: 'rdfs:label'
  },
  lrmer: {
    'R2 isRealizedThrough': link('lrmoo:R3_is_realised_in'),
    R2i: link('lrmoo:R3i_realises'),
    R3: link('lrmoo:R4i_is_embodied_in'),
    R3i: link('lrmoo:R4_embodies'),
    R4: link('lrmoo:R7i_is_exemplified_by'),
    R4i: link('lrmoo:R7_exemplifies'),
    R5: agent(),
    R6: agent('ctb'),
    R7: publication.agent,
    'R8 wasManufacturedBy': manufacture.agent,
    R9: distribution.agent,
    'R12 hasAsSubject': 'dcterms:subject',
    'R13 hasAppellation': 'rdfs:label',
    R33: publication.place,
    R35: publication.date,
    E9A2: 'rdfs:label',
    'E1A2 hasNote': 'bf:note',
    'E2A1 hasCategoryOfWork': 'bf:genreForm',
    'E3A1 hasCategoryOfExpression': 'bf:content',
    'E3A3 hasIntendedAudienceOfExpression': 'bf:intendedAudience',
    'E3A6 hasLanguageOfExpression': 'dcterms:language',
    'E4A1 hasCategoryOfCarrier': 'bf:carrier',
    'E4A2 hasExtentOfManifestation': 'bf:extent',
    'E4A4 hasManifestationStatement': 'bf:note'
  }
}

/** Classes, by prefix and number. */
export const registryClasses: Readonly<Record<string, ReadName>> = {
  'rdac:C10001': 'lrmoo:F1_Work',
  'rdac:C10006': 'lrmoo:F2_Expression',
  'rdac:C10007': 'lrmoo:F3_Manifestation',
  'rdac:C10004': 'bf:Person',
  'rdac:C10005': 'bf:Organization',
  'rdac:C10008': 'bf:Family',
  'rdac:C10009': 'bf:Place',
  'lrmer:E2': 'lrmoo:F1_Work',
  'lrmer:E3': 'lrmoo:F2_Expression',
  'lrmer:E4': 'lrmoo:F3_Manifestation',
  'lrmer:E7': 'bf:Person',
  'lrmer:E8': 'bf:Organization',
  'lrmer:E10': 'bf:Place'
}

/** The classes of agents that only a name of this kind has. */
export const classOfName: Readonly<Record<string, ReadName>> = {
  P50041: 'bf:Organization',
  P50032: 'bf:Organization',
  P50065: 'bf:Family',
  P50061: 'bf:Family'
}

/** Terms of the RDA registry as the codes of MARC, by list in small letters: `1020=txt`. */
// biome-ignore format: a table
export const registryTerms: Readonly<Record<string, string>> = {
  rdacontenttype: '1001=crd 1002=cri 1003=crm 1004=crt 1005=crn 1006=crf 1007=cod 1008=cop 1009=ntv 1010=ntm 1011=prm 1012=snd 1013=spw 1014=sti 1015=tci 1016=tcm 1017=tcn 1018=tct 1019=tcf 1020=txt 1021=tdf 1022=tdm 1023=tdi',
  rdamediatype: '1001=s 1002=h 1003=c 1004=p 1005=g 1006=e 1007=n 1008=v',
  rdacarriertype: '1002=sg 1003=se 1004=sd 1005=si 1006=sq 1007=ss 1008=st 1011=ck 1012=cb 1013=cd 1014=ce 1015=ca 1016=cf 1017=ch 1018=cr 1021=ha 1022=he 1023=hf 1024=hb 1025=hc 1026=hd 1027=hh 1028=hg 1030=pp 1032=mc 1033=mf 1034=mr 1035=gd 1036=gf 1037=gc 1039=gt 1040=gs 1042=eh 1043=es 1045=no 1046=nn 1047=na 1048=nb 1049=nc 1051=vc 1052=vf 1053=vr 1056=hj 1059=nr 1060=vd 1069=mo'
}
