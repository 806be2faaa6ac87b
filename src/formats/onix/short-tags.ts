import { table } from '#domain/table.ts'

/*
 * ONIX has two names for every element: the reference name and a short tag. These are the elements
 * that we read, of 3.0 and of 2.1. The short tag of a composite is its reference name in lower
 * case.
 */

/** Elements with a code of their own. */
// biome-ignore format: a list
const codes: Readonly<Record<string, string>> = table({
  a001: 'RecordReference', a002: 'NotificationType', x298: 'SenderName', m174: 'FromCompany',
  b221: 'ProductIDType', b244: 'IDValue', b233: 'IDTypeName', b012: 'ProductForm', b333: 'ProductFormDetail', b385: 'ProductContentType', x416: 'PrimaryContentType',
  b211: 'EpubType', b014: 'ProductFormDescription', b202: 'TitleType', x409: 'TitleElementLevel', b203: 'TitleText', b030: 'TitlePrefix',
  b031: 'TitleWithoutPrefix', b029: 'Subtitle', x410: 'PartNumber', b028: 'DistinctiveTitle', b034: 'SequenceNumber', b035: 'ContributorRole', b036: 'PersonName',
  b037: 'PersonNameInverted', b038: 'TitlesBeforeNames', b039: 'NamesBeforeKey', b247: 'PrefixToKey', b040: 'KeyNames', b041: 'NamesAfterKey', b047: 'CorporateName',
  x415: 'NameIDType', b390: 'PersonNameIDType', x417: 'ContributorDateRole', b305: 'PersonDateRole', b306: 'Date', b049: 'ContributorStatement', x419: 'EditionType',
  b056: 'EditionTypeCode', b057: 'EditionNumber', b058: 'EditionStatement', b253: 'LanguageRole', b252: 'LanguageCode', b059: 'LanguageOfText', b060: 'OriginalLanguage',
  b218: 'ExtentType', b219: 'ExtentValue', b220: 'ExtentUnit', b061: 'NumberOfPages', b062: 'IllustrationsNote', b067: 'SubjectSchemeIdentifier', b171: 'SubjectSchemeName',
  b069: 'SubjectCode', b070: 'SubjectHeadingText', b191: 'MainSubjectSchemeIdentifier', b064: 'BASICMainSubject', b065: 'BICMainSubject', b073: 'AudienceCode',
  b204: 'AudienceCodeType', b206: 'AudienceCodeValue', b207: 'AudienceDescription', b074: 'AudienceRangeQualifier', b075: 'AudienceRangePrecision',
  b076: 'AudienceRangeValue', x329: 'CollectionType', x344: 'CollectionIDType', b273: 'SeriesIDType', b016: 'SeriesISSN', b018: 'TitleOfSeries', b019: 'NumberWithinSeries', b291: 'PublishingRole', b081: 'PublisherName', b079: 'ImprintName',
  b209: 'CityOfPublication', x448: 'PublishingDateRole', b003: 'PublicationDate', b088: 'YearFirstPublished', b087: 'CopyrightYear', x454: 'WorkRelationCode', b201: 'WorkIDType',
  x426: 'TextType', d102: 'TextTypeCode', d104: 'Text', b044: 'BiographicalNote',
  x436: 'ResourceContentType', x437: 'ResourceMode', x435: 'ResourceLink', f114: 'MediaFileTypeCode', f116: 'MediaFileLinkTypeCode', f117: 'MediaFileLink',
  g126: 'PrizeName', g127: 'PrizeYear', g128: 'PrizeCountry', g129: 'PrizeCode', x503: 'PrizeStatement', b394: 'PublishingStatus', j141: 'AvailabilityCode',
  j396: 'ProductAvailability', x462: 'PriceType', j148: 'PriceTypeCode', j151: 'PriceAmount', j152: 'CurrencyCode'
})

// biome-ignore format: a list
const composites = [
  'Header', 'Sender', 'Product', 'ProductIdentifier', 'DescriptiveDetail', 'PublishingDetail', 'RelatedMaterial', 'Title', 'TitleDetail', 'TitleElement', 'Contributor', 'NameIdentifier',
  'PersonNameIdentifier', 'ContributorDate', 'PersonDate', 'Language', 'Extent', 'Subject', 'MainSubject', 'NameAsSubject', 'PersonAsSubject', 'Audience', 'AudienceRange', 'Collection',
  'CollectionIdentifier', 'Series', 'SeriesIdentifier', 'Publisher', 'Imprint', 'PublishingDate', 'RelatedWork', 'WorkIdentifier', 'CollateralDetail', 'TextContent', 'OtherText',
  'SupportingResource', 'ResourceVersion', 'MediaFile', 'Prize', 'ProductSupply', 'SupplyDetail', 'Price'
]

const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(codes),
  ...composites.map(each => [each.toLowerCase(), each] as const)
])

/** The reference name of an element, by either of its names, without a prefix. */
export function elementName(tag: string): string {
  const bare = tag.slice(tag.indexOf(':') + 1)
  return names.get(bare) ?? bare
}
