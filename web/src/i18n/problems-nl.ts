import type { ProblemSentences, WarningSentences } from './problems-en.ts'

export const problemsNl: ProblemSentences = {
  invalid: 'Sommige waarden zijn niet geldig. Verbeter ze en probeer opnieuw.',
  description_too_long: 'De korte beschrijving is te lang: hoogstens 500 tekens. Gebruik de lange beschrijving.',
  invalid_filter: 'De zoekopdracht is niet geldig. Wis de filters en probeer opnieuw.',
  unknown_filter_type: 'De zoekopdracht gebruikt een filter dat deze dienst niet kent.',
  bad_request: 'Het verzoek is niet geldig.',
  malformed_json: 'De dienst kon het verzoek niet lezen.',
  unauthenticated: 'Je sessie is afgelopen. Meld je opnieuw aan.',
  sign_in_failed: 'Aanmelden is mislukt. Probeer opnieuw.',
  forbidden: 'Je hebt hier geen toestemming voor. Vraag ze aan de beheerder.',
  not_found: 'Het record bestaat niet, of je mag het niet lezen.',
  incomplete_wem: 'De expressie of het werk van deze publicatie ontbreekt.',
  several_matches: 'Meerdere publicaties hebben dit nummer.',
  no_such_path: 'De dienst biedt dit niet aan.',
  method_not_allowed: 'De dienst biedt dit niet aan.',
  not_acceptable: 'De dienst kan niet in dit formaat antwoorden.',
  request_timeout: 'Het verzoek deed er te lang over. Controleer je verbinding en probeer opnieuw.',
  identifier_taken: 'Een ander record heeft deze identificatie al.',
  still_referenced: 'Andere records verwijzen naar dit record.',
  patch_not_applicable: 'De wijziging past niet bij het record zoals het nu is. Laad het opnieuw.',
  cursor_expired: 'Deze lijst is te veel veranderd sinds ze geopend werd. Laad ze opnieuw.',
  key_reused: 'Dit verzoek is al eens met andere inhoud verstuurd. Laad de pagina opnieuw.',
  version_mismatch: 'Iemand anders wijzigde het record intussen. Laad het opnieuw.',
  offset_mismatch: 'De upload werd elders onderbroken. Begin opnieuw.',
  checksum_mismatch: 'Het bestand raakte onderweg beschadigd. Upload het opnieuw.',
  media_too_large: 'Het bestand is te groot.',
  body_too_large: 'Het verzoek is te groot. Verstuur minder in één keer.',
  uri_too_long: 'De zoekopdracht is te lang. Gebruik minder woorden of filters.',
  unsupported_media_type: 'De dienst aanvaardt geen bestanden van deze soort.',
  range_not_satisfiable: 'Dit deel van het bestand bestaat niet.',
  unsupported_tus_version: 'Het uploadprotocol van deze pagina is verouderd. Laad de pagina opnieuw.',
  rate_limited: 'Te veel verzoeken. Wacht even en probeer opnieuw.',
  too_many_imports: 'Er wachten te veel van je imports. Stuur het bestand als er een klaar is, of stop er een.',
  headers_too_large: 'Het verzoek is te groot.',
  internal:
    'Er ging onverwacht iets mis in de dienst. Probeer opnieuw; meld het aan de beheerder als het blijft gebeuren.',
  query_timeout: 'Zoeken duurde te lang. Verfijn de zoekopdracht en probeer opnieuw.',
  unavailable: 'De dienst is bezig of start op. Probeer het zo dadelijk opnieuw.',
  storage_full: 'De opslag van de dienst is vol. Meld het aan de beheerder.'
}

export const warningsNl: WarningSentences = {
  doubtful_value: (name, value) => `${name}: “${value}” lijkt niet juist; het is bewaard zoals getypt`,
  undeclared_name: (_, value) => `Dit soort record heeft geen “${value}”; het is bewaard zoals getypt`,
  second_value: name => `${name} heeft één waarde; een tweede is weggelaten`,
  unsafe_markup: (name, value) => `${name}: onveilige opmaak is verwijderd (${value})`,
  default_category: (name, value) => `${name} werd “${value}”`,
  missing_target: (_, value) => `Een relatie met “${value}” is niet hersteld: het record is weg`,
  duplicate: (_, value) => `“${value}” is misschien hetzelfde record`
}
