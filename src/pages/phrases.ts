import type { Sort } from '#domain/find/find-state.ts'

/** Reasons why a page cannot be shown, each with its own words. */
export type ErrorReason =
  | 'noPage'
  | 'badAddress'
  | 'notAllowed'
  | 'tooMany'
  | 'indexing'
  | 'unavailable'
  | 'slow'
  | 'fault'

/** The phrases of the public pages in one language. */
export interface Phrases {
  readonly catalogue: string
  readonly search: string
  readonly searchHint: string
  readonly suggestions: string
  readonly signIn: string
  readonly everything: string
  readonly newTitles: string
  readonly onStage: string
  readonly nothingOnStage: string
  readonly noResults: string
  readonly notUnderstood: (what: string) => string
  readonly instead: string
  readonly withoutWords: (words: string) => string
  readonly withoutFilter: (name: string) => string
  readonly years: string
  readonly yearFrom: string
  readonly yearTo: string
  readonly sort: string
  readonly sortBy: Readonly<Record<Sort, string>>
  readonly apply: string
  readonly isbnFaults: Readonly<Record<'length' | 'check_digit', string>>
  readonly results: (count: number, written: string) => string
  readonly next: string
  readonly previous: string
  readonly first: string
  readonly editions: string
  readonly noEditions: string
  readonly editionsOfWork: (count: number, written: string) => string
  readonly nextPerformance: (when: string) => string
  readonly work: string
  readonly performances: string
  readonly calendar: string
  readonly cite: string
  readonly formats: string
  readonly feed: string
  readonly feedOfSearch: string
  readonly minutes: (minutes: string) => string
  readonly localTime: (city: string) => string
  readonly yes: string
  readonly no: string
  readonly more: (count: string) => string
  readonly gone: string
  readonly goneDetail: string
  readonly missing: string
  readonly missingDetail: string
  readonly errors: Readonly<Record<ErrorReason, { readonly title: string; readonly detail: string }>>
  readonly reloads: string
  readonly tryAgain: string
  readonly toFirstPage: string
  readonly requestId: (id: string) => string
  readonly languages: string
  readonly skipToContent: string
  /** Labels of groups of links. */
  readonly kinds: string
  readonly narrow: string
  readonly pages: string
}

export const languages = ['en', 'nl', 'fr'] as const
export type Language = (typeof languages)[number]
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  nl: 'Nederlands',
  fr: 'Français'
}

export const phrases: Readonly<Record<Language, Phrases>> = {
  en: {
    catalogue: 'Catalogue',
    search: 'Search',
    searchHint: 'Title, author, subject or ISBN',
    suggestions: 'Suggestions',
    signIn: 'Sign in',
    everything: 'All records',
    newTitles: 'New titles',
    onStage: 'On stage this week',
    nothingOnStage: 'No performances in the next seven days.',
    noResults: 'No records found. Check the spelling or use fewer words.',
    notUnderstood: what => `Not understood, and not used: ${what}`,
    instead: 'Try instead',
    withoutWords: words => `Without “${words}”`,
    withoutFilter: name => `Without the filter “${name}”`,
    years: 'years',
    yearFrom: 'From year',
    yearTo: 'to',
    sort: 'Order',
    sortBy: {
      relevance: 'Best match',
      title: 'Title',
      year: 'Year, newest first',
      newest: 'Last changed',
      created: 'First added',
      next: 'Next performance'
    },
    apply: 'Apply',
    isbnFaults: {
      length: 'This looks like an ISBN, but an ISBN has 10 or 13 digits.',
      check_digit: 'This looks like an ISBN, but one of its digits is wrong.'
    },
    results: (count, written) => (count === 1 ? '1 result' : `${written} results`),
    next: 'Next page',
    previous: 'Previous page',
    first: 'First page',
    editions: 'Editions',
    noEditions: 'No edition in this catalogue.',
    editionsOfWork: (count, written) => (count === 1 ? '1 edition' : `${written} editions`),
    nextPerformance: when => `next: ${when}`,
    work: 'Work',
    performances: 'Performances',
    calendar: 'Subscribe to the calendar (iCal)',
    cite: 'Cite',
    formats: 'Other formats',
    feed: 'New titles (Atom feed)',
    feedOfSearch: 'Follow this search (Atom feed)',
    minutes: minutes => `${minutes} minutes`,
    localTime: city => `local time in ${city}`,
    yes: 'yes',
    no: 'no',
    more: count => `Show all ${count}`,
    gone: 'Record deleted',
    goneDetail: 'This record was removed from the catalogue.',
    missing: 'Record not found',
    missingDetail: 'The catalogue has no record at this address.',
    errors: {
      noPage: { title: 'Page not found', detail: 'There is no page at this address. Search for the record instead.' },
      badAddress: {
        title: 'The address is not valid',
        detail: 'A part of the address is too long, out of date or not complete. Search again.'
      },
      notAllowed: { title: 'Not public', detail: 'This page can be read by people who sign in.' },
      tooMany: { title: 'Too many requests', detail: 'Too many requests came from your network. Wait a moment.' },
      indexing: { title: 'The catalogue is being prepared', detail: 'Searching works again in a few minutes.' },
      unavailable: { title: 'The catalogue is not available', detail: 'Its database does not answer at the moment.' },
      slow: { title: 'This took too long', detail: 'Many people are searching, or the search is very wide.' },
      fault: { title: 'Something went wrong', detail: 'The page could not be made. The fault has been recorded.' }
    },
    reloads: 'This page reloads by itself.',
    tryAgain: 'Try again',
    toFirstPage: 'Go to the first page',
    requestId: id => `Number of this request: ${id}`,
    languages: 'Language of this page',
    skipToContent: 'Skip to content',
    kinds: 'Kinds of records',
    narrow: 'Narrow the search',
    pages: 'Pages'
  },
  nl: {
    catalogue: 'Catalogus',
    search: 'Zoeken',
    searchHint: 'Titel, auteur, onderwerp of ISBN',
    suggestions: 'Suggesties',
    signIn: 'Aanmelden',
    everything: 'Alle records',
    newTitles: 'Nieuwe titels',
    onStage: 'Deze week te zien',
    nothingOnStage: 'Geen voorstellingen in de komende zeven dagen.',
    noResults: 'Niets gevonden. Controleer de spelling of gebruik minder woorden.',
    notUnderstood: what => `Niet begrepen, en niet gebruikt: ${what}`,
    instead: 'Probeer liever',
    withoutWords: words => `Zonder “${words}”`,
    withoutFilter: name => `Zonder het filter “${name}”`,
    years: 'jaren',
    yearFrom: 'Van jaar',
    yearTo: 'tot',
    sort: 'Volgorde',
    sortBy: {
      relevance: 'Beste resultaat',
      title: 'Titel',
      year: 'Jaar, nieuwste eerst',
      newest: 'Laatst gewijzigd',
      created: 'Eerst toegevoegd',
      next: 'Volgende voorstelling'
    },
    apply: 'Toepassen',
    isbnFaults: {
      length: 'Dit lijkt een ISBN, maar een ISBN heeft 10 of 13 cijfers.',
      check_digit: 'Dit lijkt een ISBN, maar een van de cijfers klopt niet.'
    },
    results: (count, written) => (count === 1 ? '1 resultaat' : `${written} resultaten`),
    next: 'Volgende pagina',
    previous: 'Vorige pagina',
    first: 'Eerste pagina',
    editions: 'Uitgaven',
    noEditions: 'Geen uitgave in deze catalogus.',
    editionsOfWork: (count, written) => (count === 1 ? '1 uitgave' : `${written} uitgaven`),
    nextPerformance: when => `eerstvolgende: ${when}`,
    work: 'Werk',
    performances: 'Voorstellingen',
    calendar: 'Abonneren op de kalender (iCal)',
    cite: 'Citeren',
    formats: 'Andere formaten',
    feed: 'Nieuwe titels (Atom-feed)',
    feedOfSearch: 'Deze zoekopdracht volgen (Atom-feed)',
    minutes: minutes => `${minutes} minuten`,
    localTime: city => `plaatselijke tijd in ${city}`,
    yes: 'ja',
    no: 'nee',
    more: count => `Toon alle ${count}`,
    gone: 'Record verwijderd',
    goneDetail: 'Dit record is uit de catalogus verwijderd.',
    missing: 'Record niet gevonden',
    missingDetail: 'De catalogus heeft geen record op dit adres.',
    errors: {
      noPage: { title: 'Pagina niet gevonden', detail: 'Er is geen pagina op dit adres. Zoek het record op.' },
      badAddress: {
        title: 'Het adres is niet geldig',
        detail: 'Een deel van het adres is te lang, verouderd of onvolledig. Zoek opnieuw.'
      },
      notAllowed: { title: 'Niet openbaar', detail: 'Deze pagina is te lezen voor wie zich aanmeldt.' },
      tooMany: { title: 'Te veel verzoeken', detail: 'Er kwamen te veel verzoeken van uw netwerk. Wacht even.' },
      indexing: { title: 'De catalogus wordt voorbereid', detail: 'Over enkele minuten kunt u weer zoeken.' },
      unavailable: {
        title: 'De catalogus is niet beschikbaar',
        detail: 'De databank antwoordt op dit ogenblik niet.'
      },
      slow: { title: 'Dit duurde te lang', detail: 'Er wordt veel gezocht, of de zoekopdracht is erg ruim.' },
      fault: { title: 'Er ging iets mis', detail: 'De pagina kon niet worden gemaakt. De fout is vastgelegd.' }
    },
    reloads: 'Deze pagina wordt vanzelf opnieuw geladen.',
    tryAgain: 'Opnieuw proberen',
    toFirstPage: 'Naar de eerste pagina',
    requestId: id => `Nummer van dit verzoek: ${id}`,
    languages: 'Taal van deze pagina',
    skipToContent: 'Naar de inhoud',
    kinds: 'Soorten records',
    narrow: 'Zoekresultaten beperken',
    pages: 'Pagina’s'
  },
  fr: {
    catalogue: 'Catalogue',
    search: 'Rechercher',
    searchHint: 'Titre, auteur, sujet ou ISBN',
    suggestions: 'Suggestions',
    signIn: 'Se connecter',
    everything: 'Toutes les notices',
    newTitles: 'Nouveautés',
    onStage: 'À l’affiche cette semaine',
    nothingOnStage: 'Aucune représentation dans les sept prochains jours.',
    noResults: 'Aucun résultat. Vérifiez l’orthographe ou utilisez moins de mots.',
    notUnderstood: what => `Non compris, et non utilisé : ${what}`,
    instead: 'Essayez plutôt',
    withoutWords: words => `Sans « ${words} »`,
    withoutFilter: name => `Sans le filtre « ${name} »`,
    years: 'années',
    yearFrom: 'De l’année',
    yearTo: 'à',
    sort: 'Tri',
    sortBy: {
      relevance: 'Pertinence',
      title: 'Titre',
      year: 'Année, les plus récentes d’abord',
      newest: 'Dernière modification',
      created: 'Premiers ajouts',
      next: 'Prochaine représentation'
    },
    apply: 'Appliquer',
    isbnFaults: {
      length: 'Cela ressemble à un ISBN, mais un ISBN a 10 ou 13 chiffres.',
      check_digit: 'Cela ressemble à un ISBN, mais un de ses chiffres est faux.'
    },
    results: (count, written) => (count === 1 ? '1 résultat' : `${written} résultats`),
    next: 'Page suivante',
    previous: 'Page précédente',
    first: 'Première page',
    editions: 'Éditions',
    noEditions: 'Aucune édition dans ce catalogue.',
    editionsOfWork: (count, written) => (count === 1 ? '1 édition' : `${written} éditions`),
    nextPerformance: when => `prochaine : ${when}`,
    work: 'Œuvre',
    performances: 'Représentations',
    calendar: 'S’abonner au calendrier (iCal)',
    cite: 'Citer',
    formats: 'Autres formats',
    feed: 'Nouveautés (flux Atom)',
    feedOfSearch: 'Suivre cette recherche (flux Atom)',
    minutes: minutes => `${minutes} minutes`,
    localTime: city => `heure locale de ${city}`,
    yes: 'oui',
    no: 'non',
    more: count => `Afficher les ${count}`,
    gone: 'Notice supprimée',
    goneDetail: 'Cette notice a été retirée du catalogue.',
    missing: 'Notice introuvable',
    missingDetail: 'Le catalogue n’a pas de notice à cette adresse.',
    errors: {
      noPage: { title: 'Page introuvable', detail: 'Il n’y a pas de page à cette adresse. Recherchez la notice.' },
      badAddress: {
        title: 'L’adresse n’est pas valable',
        detail: 'Une partie de l’adresse est trop longue, périmée ou incomplète. Recommencez la recherche.'
      },
      notAllowed: { title: 'Non public', detail: 'Cette page est réservée aux personnes qui se connectent.' },
      tooMany: {
        title: 'Trop de demandes',
        detail: 'Trop de demandes sont venues de votre réseau. Patientez un instant.'
      },
      indexing: {
        title: 'Le catalogue est en préparation',
        detail: 'La recherche fonctionnera dans quelques minutes.'
      },
      unavailable: {
        title: 'Le catalogue n’est pas disponible',
        detail: 'Sa base de données ne répond pas pour le moment.'
      },
      slow: {
        title: 'Cela a pris trop de temps',
        detail: 'Beaucoup de recherches sont en cours, ou celle-ci est très large.'
      },
      fault: {
        title: 'Une erreur s’est produite',
        detail: 'La page n’a pas pu être créée. L’erreur a été enregistrée.'
      }
    },
    reloads: 'Cette page se recharge d’elle-même.',
    tryAgain: 'Réessayer',
    toFirstPage: 'Aller à la première page',
    requestId: id => `Numéro de cette demande : ${id}`,
    languages: 'Langue de cette page',
    skipToContent: 'Aller au contenu',
    kinds: 'Types de notices',
    narrow: 'Affiner la recherche',
    pages: 'Pages'
  }
}
