import type { Level } from '#domain/entity/publication.ts'
import { memoize } from '#domain/memoize.ts'
import type { Role } from './description.ts'

/*
 * Roles by their MARC relator codes (https://www.loc.gov/marc/relators/): the level that each
 * contributes to, its name, and the words that catalogues write for it. UNIMARC's codes have three
 * digits and stand beside them; some libraries write them with four (`0070`).
 */

interface RoleRow {
  readonly code: string
  readonly level: Level
  readonly wording: string
  readonly unimarc?: string
  /** As they occur in $e, folded, without full stops. */
  readonly words?: readonly string[]
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const roles: readonly RoleRow[] = [
  // Creators of the work itself.
  { code: 'aut', level: 'work', wording: 'author', unimarc: '070', words: ['joint author', 'co-author', 'coauthor', 'auteur', 'autor', 'autore', 'verfasser', 'verf', 'schrijver', 'forfatter', 'forfattare', 'supposed author', 'writer', 'text', 'tekst', 'texte'] },
  { code: 'cre', level: 'work', wording: 'creator', words: ['maker', 'schepper'] },
  { code: 'dub', level: 'work', wording: 'dubious author' },
  { code: 'aus', level: 'work', wording: 'screenwriter', unimarc: '690', words: ['author of screenplay', 'scenarist', 'scenario', 'scenariste', 'drehbuchautor'] },
  { code: 'aud', level: 'work', wording: 'author of dialog', unimarc: '090' },
  { code: 'cmp', level: 'work', wording: 'composer', unimarc: '230', words: ['komponist', 'compositeur', 'componist', 'compositor', 'music'] },
  { code: 'lbt', level: 'work', wording: 'librettist', unimarc: '480', words: ['libretto'] },
  { code: 'lyr', level: 'work', wording: 'lyricist', unimarc: '520', words: ['songwriter', 'tekstschrijver', 'parolier', 'words'] },
  { code: 'art', level: 'work', wording: 'artist', unimarc: '040', words: ['kunstenaar', 'artiste', 'kunstler', 'visual artist'] },
  { code: 'pht', level: 'work', wording: 'photographer', unimarc: '600', words: ['fotograaf', 'photographe', 'fotograf', 'photos'] },
  { code: 'ctg', level: 'work', wording: 'cartographer', unimarc: '180', words: ['cartograaf', 'cartographe', 'kartograph'] },
  { code: 'chr', level: 'work', wording: 'choreographer', unimarc: '200' },
  { code: 'drt', level: 'work', wording: 'director', unimarc: '300', words: ['regisseur', 'realisateur', 'metteur en scene', 'television director', 'regie'] },
  { code: 'fmd', level: 'work', wording: 'film director' },
  { code: 'pro', level: 'work', wording: 'producer', unimarc: '630', words: ['producent', 'producteur'] },
  { code: 'fmp', level: 'work', wording: 'film producer' },
  { code: 'prn', level: 'work', wording: 'production company', words: ['film company'] },
  { code: 'ivr', level: 'work', wording: 'interviewer', unimarc: '470' },
  { code: 'ive', level: 'work', wording: 'interviewee', unimarc: '460' },
  { code: 'prg', level: 'work', wording: 'programmer', unimarc: '635' },
  { code: 'pra', level: 'work', wording: 'praeses', unimarc: '555' },
  { code: 'rsp', level: 'work', wording: 'respondent' },
  { code: 'dis', level: 'work', wording: 'dissertant', unimarc: '305' },
  { code: 'inv', level: 'work', wording: 'inventor' },
  { code: 'arc', level: 'work', wording: 'architect' },
  { code: 'dsr', level: 'work', wording: 'designer' },
  { code: 'fmo', level: 'manifestation', wording: 'former owner' },
  // Contributors to the text, and performers.
  { code: 'trl', level: 'expression', wording: 'translator', unimarc: '730', words: ['tr', 'transl', 'trans', 'vertaler', 'vert', 'traducteur', 'trad', 'traductor', 'traduttore', 'ubersetzer', 'ubers', 'oversetter', 'overs', 'oversattare', 'пер', 'переводчик'] },
  { code: 'edt', level: 'expression', wording: 'editor', unimarc: '340', words: ['ed', 'joint ed', 'joint editor', 'redacteur', 'red', 'herausgeber', 'hrsg', 'hg', 'editeur scientifique', 'eds', 'ред', 'volume editor'] },
  { code: 'pbd', level: 'expression', wording: 'publishing director', unimarc: '651' },
  { code: 'com', level: 'expression', wording: 'compiler', unimarc: '220', words: ['comp', 'samensteller', 'samenst', 'zusammenstellender', 'сост', 'կազմ'] },
  { code: 'adp', level: 'expression', wording: 'adapter', unimarc: '010', words: ['bewerker', 'bew', 'adaptateur', 'bearbeiter'] },
  { code: 'abr', level: 'expression', wording: 'abridger' },
  { code: 'ant', level: 'expression', wording: 'author of the original', unimarc: '100', words: ['author of original', 'original author', 'author of original work', 'auteur de l oeuvre originale', 'oorspronkelijke auteur', 'verfasser der vorlage'] },
  { code: 'arr', level: 'expression', wording: 'arranger', unimarc: '030', words: ['arranger of music', 'arr'] },
  { code: 'ill', level: 'expression', wording: 'illustrator', unimarc: '440', words: ['illustrations', 'illus', 'illustrateur', 'illustrateurs', 'tekeningen', 'ил', 'tegner', 'illustrasjoner'] },
  { code: 'clr', level: 'expression', wording: 'colorist' },
  { code: 'ltr', level: 'expression', wording: 'letterer' },
  { code: 'aui', level: 'expression', wording: 'author of introduction', unimarc: '080', words: ['author of foreword', 'author of preface', 'foreword', 'preface', 'introduction', 'prefacier', 'предисл', 'author of prologue', 'voorwoord', 'inleider'] },
  { code: 'win', level: 'expression', wording: 'writer of introduction' },
  { code: 'wpr', level: 'expression', wording: 'writer of preface' },
  { code: 'oth', level: 'expression', wording: 'other', unimarc: '570' },
  { code: 'bnd', level: 'manifestation', wording: 'binder', unimarc: '110', words: ['bookbinder', 'boekbinder', 'relieur', 'buchbinder'] },
  { code: 'wfw', level: 'expression', wording: 'writer of foreword' },
  { code: 'aft', level: 'expression', wording: 'author of afterword', unimarc: '075', words: ['postfacier', 'nawoord', 'writer of afterword'] },
  { code: 'ann', level: 'expression', wording: 'annotator', unimarc: '020' },
  { code: 'cmm', level: 'expression', wording: 'commentator', unimarc: '210' },
  { code: 'wac', level: 'expression', wording: 'writer of added commentary', unimarc: '212' },
  { code: 'wat', level: 'expression', wording: 'writer of added text' },
  { code: 'ctb', level: 'expression', wording: 'contributor', unimarc: '205', words: ['medewerker', 'medew', 'collaborateur', 'mitwirkender', 'medarb', 'contrib'] },
  { code: 'nrt', level: 'expression', wording: 'narrator', unimarc: '550', words: ['reader', 'verteller', 'voorlezer', 'voorl', 'lezer', 'recitant', 'narrateur', 'sprecher', 'read by'] },
  { code: 'spk', level: 'expression', wording: 'speaker', unimarc: '710' },
  { code: 'prf', level: 'expression', wording: 'performer', unimarc: '590', words: ['uitvoerder', 'interprete', 'utover', 'interpret'] },
  { code: 'act', level: 'expression', wording: 'actor', unimarc: '005', words: ['acteur', 'schauspieler', 'cast'] },
  { code: 'vac', level: 'expression', wording: 'voice actor' },
  { code: 'sng', level: 'expression', wording: 'singer', unimarc: '721', words: ['vocalist', 'zanger', 'chanteur', 'sanger'] },
  { code: 'mus', level: 'expression', wording: 'musician', unimarc: '545', words: ['muzikant', 'musicien', 'gitar'] },
  { code: 'itr', level: 'expression', wording: 'instrumentalist' },
  { code: 'cnd', level: 'expression', wording: 'conductor', unimarc: '250', words: ['dirigent', 'chef dorchestre', 'direction'] },
  { code: 'dnc', level: 'expression', wording: 'dancer', unimarc: '275' },
  { code: 'cng', level: 'expression', wording: 'cinematographer', unimarc: '140', words: ['director of photography', 'camera'] },
  { code: 'flm', level: 'expression', wording: 'film editor', unimarc: '370', words: ['montage'] },
  { code: 'cst', level: 'expression', wording: 'costume designer', unimarc: '633' },
  { code: 'hst', level: 'expression', wording: 'host' },
  { code: 'mod', level: 'expression', wording: 'moderator', unimarc: '700' },
  { code: 'rce', level: 'expression', wording: 'recording engineer', unimarc: '670' },
  { code: 'res', level: 'expression', wording: 'researcher', unimarc: '677' },
  { code: 'trc', level: 'expression', wording: 'transcriber' },
  { code: 'egr', level: 'expression', wording: 'engraver', unimarc: '350', words: ['graveur'] },
  { code: 'rev', level: 'expression', wording: 'reviewer' },
  { code: 'cor', level: 'expression', wording: 'collection registrar' },
  { code: 'crp', level: 'work', wording: 'correspondent', unimarc: '260' },
  { code: 'ths', level: 'expression', wording: 'thesis advisor', unimarc: '727', words: ['degree supervisor', 'promotor', 'directeur de these'] },
  { code: 'hnr', level: 'work', wording: 'honoree' },
  { code: 'dte', level: 'work', wording: 'dedicatee', unimarc: '280' },
  // Roles in the making of the publication.
  { code: 'pbl', level: 'manifestation', wording: 'publisher', unimarc: '650', words: ['uitgever', 'editeur', 'verlag', 'verleger'] },
  { code: 'isb', level: 'manifestation', wording: 'issuing body', words: ['issuing agency', 'issuingbody'] },
  { code: 'dst', level: 'manifestation', wording: 'distributor', unimarc: '310', words: ['film distributor', 'distributeur'] },
  { code: 'prt', level: 'manifestation', wording: 'printer', unimarc: '610', words: ['drukker', 'imprimeur', 'drucker'] },
  { code: 'mfr', level: 'manifestation', wording: 'manufacturer' },
  { code: 'bkd', level: 'manifestation', wording: 'book designer', unimarc: '120' },
  { code: 'cov', level: 'manifestation', wording: 'cover designer' },
  { code: 'bsl', level: 'manifestation', wording: 'bookseller', unimarc: '160' },
  { code: 'spn', level: 'manifestation', wording: 'sponsor', unimarc: '723', words: ['sponsoring body'] },
  { code: 'fnd', level: 'manifestation', wording: 'funder' },
  { code: 'own', level: 'manifestation', wording: 'owner', words: ['current owner'] },
  { code: 'dnr', level: 'manifestation', wording: 'donor', unimarc: '320' },
  { code: 'dpt', level: 'manifestation', wording: 'depositor' },
  { code: 'rps', level: 'manifestation', wording: 'repository' },
  { code: 'his', level: 'manifestation', wording: 'host institution' },
  { code: 'cph', level: 'manifestation', wording: 'copyright holder' },
  { code: 'asn', level: 'manifestation', wording: 'associated name' },
  { code: 'prd', level: 'expression', wording: 'production personnel' }
]

/** The level of an unknown role: the record does not show that the agent created the work. */
const otherLevel: Level = 'expression'

const byCode = new Map(roles.map(each => [each.code, each]))
const byUnimarc = new Map(roles.flatMap(each => (each.unimarc === undefined ? [] : [[each.unimarc, each]])))
const byWord = new Map(roles.flatMap(each => [each.wording, ...(each.words ?? [])].map(word => [word, each])))

export interface FoundRole extends Role {
  readonly level: Level
  readonly isKnown: boolean
}

/** The role of a code or a word. An unknown role keeps its word. */
export const findRole = memoize(1000, (text): FoundRole | undefined => {
  const bare = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[.,;:|()[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^.*\/relators\//, '')
    .trim()
  if (bare === '') return undefined
  const row = byCode.get(bare) ?? byUnimarc.get(bare.replace(/^0(?=\d{3}$)/, '')) ?? byWord.get(bare)
  if (row !== undefined) return { code: row.code, wording: row.wording, level: row.level, isKnown: true }
  return { code: /^[a-z]{3}$/.test(bare) ? bare : 'oth', wording: bare, level: otherLevel, isKnown: false }
})

/** Words in a statement of responsibility that introduce the role of the names after them. */
const cues: readonly (readonly [role: string, cue: RegExp])[] = [
  [
    'trl',
    /\btransl|\btrad(?:uit|uzione|ucci|otto|uç)|\bvert(?:aald|aling|\.)|[uü]bers(?:etz|\.)|\boverse[t]+|\bövers|\btr\. /i
  ],
  ['ill', /\billus|\bge[iï]ll|\btekening|\bill\. |\bdessins?\b|\bbilder\b|\bzeichnungen\b|\bdrawings\b|\bpictures\b/i],
  ['nrt', /\bread by\b|\bnarrated\b|\bgelesen\b|\bvoorgelezen\b|\blu par\b/i],
  [
    'edt',
    /\bedited\b|\beditors?\b|\bredactie\b|\bhrsg|\bherausgegeben\b|\bunder redaktion\b|\bed\. by\b|\bsous la direction\b/i
  ],
  [
    'aui',
    /\bintrod(?:uction\b|uced\b|\.)|\bforeword\b|\bpreface\b|\bpréface\b|\bvoorwoord\b|\binleiding\b|\bvorwort\b|\beinleitung\b/i
  ],
  ['adp', /\badapted\b|\badaptation\b|\bbewerk|\bbearb|\bretold\b|\bdramati[sz]ed\b/i],
  ['com', /\bcompiled\b|\bselected\b|\bsamengesteld\b|\bchosen by\b/i]
]

/**
 * The role of a name without one, from the statement of responsibility, whose parts are separated
 * by semicolons.
 */
export function roleInStatement(statement: string, name: string): FoundRole | undefined {
  const [surname = ''] = name.split(',')
  if (surname.trim().length < 2) return undefined
  const part = statement.split(';').find(each => each.includes(surname.trim()))
  if (part === undefined) return undefined
  const cue = cues.find(([, pattern]) => pattern.test(part.slice(0, part.indexOf(surname.trim()))))
  return cue === undefined ? undefined : findRole(cue[0])
}
