/*
 * The usual names of columns in programmes of houses, in the languages of their readers: folded,
 * with blanks between words. A mapping is proposed from them.
 */

export interface ColumnName {
  readonly type: string
  /** The field that the column fills; `identifier` for the number of the record. */
  readonly key: string
  readonly names: readonly string[]
  /** Whether such a column tells that the table is not one of publications. */
  readonly isTelling?: true
}

/** The type that a table with titles is about; one with names only is about the other type. */
export const titledType = 'production'
export const namedType = 'venue'

/** Words in the name of a file that tell which records a table with names only is about. */
export const namedTypes: readonly { readonly type: string; readonly words: readonly string[] }[] = [
  {
    type: 'booking_agency',
    words: [
      'agency',
      'agencies',
      'agents',
      'agence',
      'agences',
      'agentur',
      'agenturen',
      'impresariaat',
      'impresariaten'
    ]
  },
  {
    type: 'company',
    words: ['company', 'companies', 'gezelschap', 'gezelschappen', 'compagnies', 'artists', 'ensembles', 'orchestras']
  },
  { type: 'person', words: ['person', 'persons', 'people', 'personen', 'personnes', 'makers', 'cast'] }
]

/** The type of people, and the relation of a production to them. */
export const castType = 'person'
export const castRelation = 'refAuthors'

/** The name of the record inside a venue that columns of halls are about, beside one of venues. */
export const hallType = 'hall'
export const hallNames = ['zaal', 'hall', 'salle', 'saal', 'hall name', 'podium']

/** Columns with names of people, by their roles. The names of the roles themselves count too. */
export const castNames: readonly { readonly role: string; readonly names: readonly string[] }[] = [
  { role: 'director', names: ['regie', 'direction', 'directed by', 'mise en scene', 'inszenierung'] },
  { role: 'author', names: ['auteur', 'author', 'autor', 'geschreven door', 'written by', 'ecrit par'] },
  { role: 'composer', names: ['muziek van', 'music by', 'musique de', 'musik von'] },
  { role: 'conductor', names: ['muzikale leiding', 'direction musicale', 'musikalische leitung', 'chef'] },
  { role: 'choreographer', names: ['choreografie', 'choreography', 'choregraphie'] },
  { role: 'dramaturge', names: ['dramaturgie', 'dramaturgy'] },
  {
    role: 'stage designer',
    names: ['decor', 'scenografie', 'scenography', 'scenographie', 'set design', 'buhnenbild']
  },
  { role: 'costume designer', names: ['kostuums', 'kostuum', 'costumes', 'kostume'] },
  { role: 'lighting designer', names: ['licht', 'lichtontwerp', 'lighting', 'lumieres', 'lumiere'] },
  {
    role: 'actor',
    names: [
      ...['cast', 'spel', 'spelers', 'acteurs', 'actors', 'distribution', 'besetzung', 'darsteller'],
      ...['met', 'with', 'avec', 'mit']
    ]
  },
  {
    role: 'musician',
    names: [
      ...['solist', 'solisten', 'soloist', 'soloists', 'soliste', 'solistes'],
      ...['musici', 'muzikanten', 'musicians', 'musiciens', 'musiker']
    ]
  }
]

/** Columns beside those of people, with a detail of each. */
export const detailNames: Readonly<Record<string, readonly string[]>> = {
  part: ['rol', 'rollen', 'personage', 'part', 'character', 'personnage', 'rolle'],
  instrument: ['instrument', 'instrumenten', 'instruments', 'instrumente']
}

/** The meaning of dates, and other meanings in tables without dates. */
export const dateMeaning = 'performance start'
export const withoutDates: Readonly<Record<string, string>> = { 'performance price': 'production price' }

/** The key of columns that identify a record. */
export const identifierColumn = 'identifier'

export const columnNames: readonly ColumnName[] = [
  {
    ...{ type: 'production', key: identifierColumn },
    names: ['id', 'nr', 'no', 'number', 'nummer', 'numero', 'show id', 'production id', 'voorstelling id', 'event id']
  },
  {
    ...{ type: 'production', key: 'title' },
    names: ['title', 'titel', 'titre', 'show name', 'show title', 'production title', 'voorstelling']
  },
  {
    ...{ type: 'production', key: 'title', isTelling: true },
    names: ['show', 'production', 'spectacle', 'stuck', 'productie', 'theaterstuck']
  },
  {
    ...{ type: 'production', key: 'subtitle' },
    names: ['subtitle', 'sub title', 'ondertitel', 'untertitel', 'sous titre']
  },
  {
    ...{ type: 'production', key: 'description' },
    names: ['description', 'description html', 'omschrijving', 'beschrijving', 'beschreibung', 'tekst', 'text']
  },
  {
    ...{ type: 'production', key: 'duration', isTelling: true },
    names: ['duration', 'duur', 'dauer', 'duree', 'running time', 'speelduur', 'length minutes']
  },
  {
    ...{ type: 'production', key: 'age_category' },
    names: ['age', 'leeftijd', 'vanaf', 'alter', 'age category', 'ab']
  },
  {
    ...{ type: 'production', key: 'premiere_date', isTelling: true },
    names: ['premiere', 'premiere date', 'opening', 'opening date', 'opening night', 'opened']
  },
  {
    ...{ type: 'performance', key: identifierColumn, isTelling: true },
    names: ['performance id', 'voorstellingsnummer', 'concert id']
  },
  {
    ...{ type: 'performance', key: 'start' },
    names: ['date', 'datum', 'dates', 'start', 'start date', 'datetime', 'date time', 'begin', 'beginn']
  },
  {
    ...{ type: 'performance', key: 'start', isTelling: true },
    names: ['speeldata', 'speeldatum', 'performance date', 'performance dates', 'show date', 'concert date']
  },
  {
    ...{ type: 'performance', key: 'start', isTelling: true },
    names: ['time', 'tijd', 'uur', 'aanvang', 'aanvangstijd', 'heure', 'uhrzeit', 'start time', 'curtain']
  },
  {
    ...{ type: 'performance', key: 'end' },
    names: ['end', 'end date', 'einde', 'ende', 'fin']
  },
  {
    ...{ type: 'performance', key: 'doors', isTelling: true },
    names: ['doors', 'deuren', 'deuren open', 'einlass', 'ouverture des portes']
  },
  { type: 'performance', key: 'status', names: ['status', 'statut'] },
  {
    ...{ type: 'performance', key: 'availability', isTelling: true },
    names: ['availability', 'beschikbaarheid', 'disponibilite', 'verfugbarkeit']
  },
  {
    ...{ type: 'performance', key: 'price' },
    names: ['price', 'prices', 'prijs', 'prijzen', 'prix', 'tarif', 'tarifs', 'tarief', 'preis', 'preise']
  },
  {
    ...{ type: 'performance', key: 'url', isTelling: true },
    names: ['tickets', 'ticket url', 'ticketlink', 'ticket link', 'booking url', 'kaarten']
  },
  {
    ...{ type: 'venue', key: identifierColumn },
    names: ['venue id', 'theatre id', 'theater id', 'hall id', 'zaal id']
  },
  {
    ...{ type: 'venue', key: 'name', isTelling: true },
    names: [
      ...['venue', 'theatre', 'theater', 'zaal', 'hall', 'salle', 'saal', 'locatie', 'schouwburg', 'podium'],
      ...['venue name', 'theatre name', 'theater name', 'hall name', 'spielort', 'lieu du spectacle']
    ]
  },
  { type: 'venue', key: 'address', names: ['address', 'adres', 'adresse', 'street', 'straat'] },
  { type: 'venue', key: 'postal_code', names: ['postal code', 'zip', 'zip code', 'postcode', 'code postal', 'plz'] },
  { type: 'venue', key: 'city', names: ['city', 'stad', 'ville', 'stadt', 'town', 'gemeente', 'woonplaats'] },
  { type: 'venue', key: 'country', names: ['country', 'land', 'pays'] },
  { type: 'venue', key: 'latitude', names: ['latitude', 'lat'] },
  { type: 'venue', key: 'longitude', names: ['longitude', 'lon', 'lng', 'long'] },
  {
    ...{ type: 'venue', key: 'capacity', isTelling: true },
    names: ['capacity', 'capaciteit', 'seats', 'kapazitat', 'capacite', 'stoelen', 'plaatsen']
  },
  {
    ...{ type: 'company', key: 'name', isTelling: true },
    names: [
      ...['company', 'gezelschap', 'artist', 'artists', 'compagnie', 'ensemble', 'orchestra', 'orkest', 'performer'],
      ...['artist name', 'company name', 'producer', 'producent', 'theatergroep']
    ]
  },
  { type: 'genre', key: 'name', names: ['genre', 'genres', 'category', 'categorie', 'discipline'] },
  { type: 'season', key: 'name', names: ['season', 'seizoen', 'saison', 'spielzeit'] }
]
