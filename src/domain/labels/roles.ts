/** The roles of people and places, by the words and MARC codes under which records have them. */
export const roles: readonly {
  readonly names: readonly string[]
  readonly en: string
  readonly nl: string
  readonly fr: string
  readonly de: string
}[] = [
  { names: ['author', 'aut'], en: 'author', nl: 'auteur', fr: 'auteur', de: 'Autor' },
  { names: ['playwright'], en: 'playwright', nl: 'toneelschrijver', fr: 'dramaturge', de: 'Dramatiker' },
  { names: ['translator', 'trl'], en: 'translator', nl: 'vertaler', fr: 'traducteur', de: 'Übersetzer' },
  { names: ['director', 'drt'], en: 'director', nl: 'regisseur', fr: 'metteur en scène', de: 'Regisseur' },
  { names: ['composer', 'cmp'], en: 'composer', nl: 'componist', fr: 'compositeur', de: 'Komponist' },
  { names: ['librettist', 'lbt'], en: 'librettist', nl: 'librettist', fr: 'librettiste', de: 'Librettist' },
  { names: ['adapter', 'adp'], en: 'adapter', nl: 'bewerker', fr: 'adaptateur', de: 'Bearbeiter' },
  { names: ['actor', 'act'], en: 'actor', nl: 'acteur', fr: 'acteur', de: 'Schauspieler' },
  { names: ['performer', 'prf'], en: 'performer', nl: 'uitvoerder', fr: 'interprète', de: 'Mitwirkender' },
  { names: ['narrator', 'nrt'], en: 'narrator', nl: 'verteller', fr: 'narrateur', de: 'Erzähler' },
  { names: ['editor', 'edt'], en: 'editor', nl: 'redacteur', fr: 'éditeur scientifique', de: 'Herausgeber' },
  { names: ['illustrator', 'ill'], en: 'illustrator', nl: 'illustrator', fr: 'illustrateur', de: 'Illustrator' },
  { names: ['collector', 'col'], en: 'collector', nl: 'verzamelaar', fr: 'collecteur', de: 'Sammler' },
  { names: ['cartographer', 'ctg'], en: 'cartographer', nl: 'cartograaf', fr: 'cartographe', de: 'Kartograf' },
  { names: ['choreographer', 'chr'], en: 'choreographer', nl: 'choreograaf', fr: 'chorégraphe', de: 'Choreograf' },
  { names: ['conductor', 'cnd'], en: 'conductor', nl: 'dirigent', fr: 'chef d’orchestre', de: 'Dirigent' },
  { names: ['dramaturge', 'drg'], en: 'dramaturge', nl: 'dramaturg', fr: 'dramaturg', de: 'Dramaturg' },
  {
    names: ['stage designer', 'std'],
    en: 'stage designer',
    nl: 'decorontwerper',
    fr: 'scénographe',
    de: 'Bühnenbildner'
  },
  {
    names: ['costume designer', 'cst'],
    en: 'costume designer',
    nl: 'kostuumontwerper',
    fr: 'costumier',
    de: 'Kostümbildner'
  },
  {
    names: ['lighting designer', 'lgd'],
    en: 'lighting designer',
    nl: 'lichtontwerper',
    fr: 'éclairagiste',
    de: 'Lichtgestalter'
  },
  { names: ['singer', 'sng'], en: 'singer', nl: 'zanger', fr: 'chanteur', de: 'Sänger' },
  { names: ['dancer', 'dnc'], en: 'dancer', nl: 'danser', fr: 'danseur', de: 'Tänzer' },
  { names: ['musician', 'mus'], en: 'musician', nl: 'muzikant', fr: 'musicien', de: 'Musiker' },
  { names: ['photographer', 'pht'], en: 'photographer', nl: 'fotograaf', fr: 'photographe', de: 'Fotograf' },
  {
    names: ['production company', 'prn'],
    en: 'production company',
    nl: 'productiehuis',
    fr: 'société de production',
    de: 'Produktionsfirma'
  },
  { names: ['birth'], en: 'birth', nl: 'geboorte', fr: 'naissance', de: 'Geburt' },
  { names: ['death'], en: 'death', nl: 'overlijden', fr: 'décès', de: 'Tod' },
  { names: ['country'], en: 'country', nl: 'land', fr: 'pays', de: 'Land' },
  { names: ['residence'], en: 'residence', nl: 'woonplaats', fr: 'résidence', de: 'Wohnort' },
  { names: ['contributor', 'ctb'], en: 'contributor', nl: 'medewerker', fr: 'contributeur', de: 'Beiträger' }
]
