/* Written by `npm run docs` from src/domain/labels. Change it there. */

/** The roles of people, by the words and the MARC codes under which records have them. */
export const roles: readonly {
  readonly names: readonly string[]
  readonly en: string
  readonly nl: string
  readonly fr: string
}[] = [
  { names: ['author', 'aut'], en: 'author', nl: 'auteur', fr: 'auteur' },
  { names: ['playwright'], en: 'playwright', nl: 'toneelschrijver', fr: 'dramaturge' },
  { names: ['translator', 'trl'], en: 'translator', nl: 'vertaler', fr: 'traducteur' },
  { names: ['director', 'drt'], en: 'director', nl: 'regisseur', fr: 'metteur en scène' },
  { names: ['composer', 'cmp'], en: 'composer', nl: 'componist', fr: 'compositeur' },
  { names: ['librettist', 'lbt'], en: 'librettist', nl: 'librettist', fr: 'librettiste' },
  { names: ['adapter', 'adp'], en: 'adapter', nl: 'bewerker', fr: 'adaptateur' },
  { names: ['actor', 'act'], en: 'actor', nl: 'acteur', fr: 'acteur' },
  { names: ['performer', 'prf'], en: 'performer', nl: 'uitvoerder', fr: 'interprète' },
  { names: ['narrator', 'nrt'], en: 'narrator', nl: 'verteller', fr: 'narrateur' },
  { names: ['editor', 'edt'], en: 'editor', nl: 'redacteur', fr: 'éditeur scientifique' },
  { names: ['illustrator', 'ill'], en: 'illustrator', nl: 'illustrator', fr: 'illustrateur' },
  { names: ['collector', 'col'], en: 'collector', nl: 'verzamelaar', fr: 'collecteur' },
  { names: ['cartographer', 'ctg'], en: 'cartographer', nl: 'cartograaf', fr: 'cartographe' },
  { names: ['choreographer', 'chr'], en: 'choreographer', nl: 'choreograaf', fr: 'chorégraphe' },
  { names: ['conductor', 'cnd'], en: 'conductor', nl: 'dirigent', fr: 'chef d’orchestre' },
  { names: ['dramaturge', 'drg'], en: 'dramaturge', nl: 'dramaturg', fr: 'dramaturg' },
  { names: ['stage designer', 'std'], en: 'stage designer', nl: 'decorontwerper', fr: 'scénographe' },
  { names: ['costume designer', 'cst'], en: 'costume designer', nl: 'kostuumontwerper', fr: 'costumier' },
  { names: ['lighting designer', 'lgd'], en: 'lighting designer', nl: 'lichtontwerper', fr: 'éclairagiste' },
  { names: ['singer', 'sng'], en: 'singer', nl: 'zanger', fr: 'chanteur' },
  { names: ['dancer', 'dnc'], en: 'dancer', nl: 'danser', fr: 'danseur' },
  { names: ['musician', 'mus'], en: 'musician', nl: 'muzikant', fr: 'musicien' },
  { names: ['photographer', 'pht'], en: 'photographer', nl: 'fotograaf', fr: 'photographe' },
  {
    names: ['production company', 'prn'],
    en: 'production company',
    nl: 'productiehuis',
    fr: 'société de production'
  },
  { names: ['contributor', 'ctb'], en: 'contributor', nl: 'medewerker', fr: 'contributeur' }
]
