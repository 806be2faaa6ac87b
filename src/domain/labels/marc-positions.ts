/*
 * The positions of the fixed fields of MARC 21 and UNIMARC, each with its name and its codes. A
 * line `= LDR authority` begins a field; `18*4` are four positions with a code each, `15+3` one
 * value of three characters, which is typed where no codes are listed. # stands for a blank. A list
 * that several positions have is defined by `@name` and used by it.
 */
const table = `
@yes: 0 no; 1 yes
@audience: # unknown; a preschool; b primary; c pre-adolescent; d adolescent; e adult; f specialized; g general; j juvenile
@form: # none of these; a microfilm; b microfiche; c microopaque; d large print; f braille; o online; q direct electronic; r regular print reproduction; s electronic
@government: # not a government publication; a autonomous or semi-autonomous component; c multilocal; f federal or national; i international; l local; m multistate; o level undetermined; s state or provincial; u unknown; z other
@contents: # not specified; 2 offprints; 5 calendars; 6 comics; a abstracts; b bibliographies; c catalogues; d dictionaries; e encyclopedias; f handbooks; g legal articles; h biography; i indexes; j patent documents; k discographies; l legislation; m theses; n surveys of literature; o reviews; p programmed texts; q filmographies; r directories; s statistics; t technical reports; u standards; v legal cases; w law reports; y yearbooks; z treaties
@frequency: # no determinable frequency; a annual; b every two months; c twice a week; d daily; e every two weeks; f twice a year; g every two years; h every three years; i three times a week; j three times a month; k continuously updated; m monthly; q quarterly; s twice a month; t three times a year; u unknown; w weekly; z other

= LDR publication
5 Record status: n new; c corrected; a raised encoding level; d deleted; p raised from prepublication
6 Type of record: a text; c notated music; d manuscript music; e map; f manuscript map; g projected medium; i spoken sound; j musical sound; k picture; m computer file; o kit; p mixed materials; r object; t manuscript text
7 Bibliographic level: a component of a monograph; b component of a serial; c collection; d subunit of a collection; i integrating resource; m monograph; s serial
8 Type of control: # none; a archival
9 Character coding: # MARC-8; a Unicode
17 Encoding level: # full; 1 full, item not seen; 2 less than full, item not seen; 3 abbreviated; 4 core; 5 preliminary; 7 minimal; 8 prepublication; u unknown; z not applicable; I full (OCLC); J deleted (OCLC); K minimal (OCLC); L full, batch (OCLC); M less than full, batch (OCLC)
18 Form of cataloguing: # not ISBD; a AACR2; c ISBD without punctuation; i ISBD with punctuation; n not ISBD, without punctuation; u unknown
19 Record of a part: # not applicable; a set; b part with its own title; c part with a dependent title

= LDR authority
5 Record status: n new; c corrected; a raised encoding level; d deleted; o obsolete; s split; x replaced
9 Character coding: # MARC-8; a Unicode
17 Encoding level: n complete; o incomplete
18 Punctuation: # not known; c without punctuation; i with punctuation; u unknown

= LDR unimarc
5 Record status: n new; c corrected; d deleted; o higher level issued before; p issued before as incomplete
6 Type of record: a text; b manuscript text; c notated music; d manuscript music; e map; f manuscript map; g projected medium; i spoken sound; j musical sound; k picture; l electronic resource; m multimedia; r object
7 Bibliographic level: a analytic; c collection; i integrating resource; m monograph; s serial
8 Hierarchical level: # not defined; 0 no hierarchy; 1 highest level; 2 below the highest level
17 Encoding level: # full; 1 sublevel 1; 2 sublevel 2; 3 sublevel 3
18 Form of cataloguing: # full ISBD; i partial ISBD; n not ISBD

= LDR unimarcAuthority
5 Record status: n new; c corrected; d deleted
6 Type of record: x authority entry; y reference entry; z general explanatory entry
9 Type of entity: # not defined; a person; b corporate body; c geographic name; d trademark; e family; f uniform title; g collective uniform title; h name and title; i name and collective title; j topical subject; k place of publication; l form or genre
17 Encoding level: # full; 3 partial

= 008 publication
0+6 Date entered
6 Type of date: b BC dates; c current serial; d ceased serial; e detailed date; i dates of a collection; k range of a collection; m multiple dates; n unknown dates; p distribution and production; q questionable date; r reprint and original; s single date; t publication and copyright; u serial of unknown status
7+4 Date 1
11+4 Date 2
15+3 Place of publication
35+3 Language
38 Modified record: # not modified; d dashed-on information; o romanised; r romanised, cards in script; s shortened; x missing characters
39 Cataloguing source: # national bibliographic agency; c cooperative programme; d other; u unknown

= BK
18*4 Illustrations: # none; a illustrations; b maps; c portraits; d charts; e plans; f plates; g music; h facsimiles; i coats of arms; j genealogical tables; k forms; l samples; m sound recording; o photographs; p illuminations
22 Target audience: @audience
23 Form of item: @form
24*4 Nature of contents: @contents
28 Government publication: @government
29 Conference publication: @yes
30 Festschrift: @yes
31 Index: @yes
33 Literary form: 0 not fiction; 1 fiction; d drama; e essays; f novels; h humour, satires; i letters; j short stories; m mixed forms; p poetry; s speeches; u unknown
34 Biography: # none; a autobiography; b of one person; c of several persons; d contains biographical information

= CR
18 Frequency: @frequency
19 Regularity: n normalized irregular; r regular; u unknown; x completely irregular
21 Type of continuing resource: # none of these; d database; g magazine; h blog; j journal; l loose-leaf; m monographic series; n newspaper; p periodical; r repository; s newsletter; t directory; w website
22 Form of original: @form, e newspaper format
23 Form of item: @form
24 Nature of entire work: @contents
25*3 Nature of contents: @contents
28 Government publication: @government
29 Conference publication: @yes
33 Script of the title: # not specified; a basic Latin; b extended Latin; c Cyrillic; d Japanese; e Chinese; f Arabic; g Greek; h Hebrew; i Thai; j Devanagari; k Korean; l Tamil; u unknown; z other
34 Entry convention: 0 successive; 1 latest; 2 integrated

= MU
18+2 Form of composition
20 Format of music: a full score; b miniature score; c accompaniment reduced for keyboard; d voice score; e condensed score; g close score; h chorus score; i condensed score (obsolete); j performer-conductor part; k vocal score; l score; m multiple formats; n not applicable; p piano score; u unknown; z other
21 Music parts: # none; d instrumental and vocal; e instrumental; f vocal; n not applicable; u unknown
22 Target audience: @audience
23 Form of item: @form
24*6 Accompanying matter: # none; a discography; b bibliography; c thematic index; d libretto or text; e biography of the composer; f biography of the performer; g history of instruments; h technical information on music; i historical information; k ethnological information; r instructional materials; s music; z other
30*2 Literary text: # not a literary text; a autobiography; b biography; c conference proceedings; d drama; e essays; f fiction; g reporting; h history; i instruction; j language instruction; k comedy; l lectures; m memoirs; n not applicable; o folktales; p poetry; r rehearsals; s sounds; t interviews; z other
33 Transposition: # not specified; a arrangement; b transposition; c arrangement and transposition; n not applicable; u unknown

= MP
18*4 Relief: # none; a contours; b shading; c gradient tints; d hachures; e soundings; f form lines; g spot heights; i pictorially; j land forms; k isolines; m rock drawings; z other
22+2 Projection
25 Type of map: a single map; b map series; c map serial; d globe; e atlas; f supplement to another work; g bound in another work; u unknown; z other
28 Government publication: @government
29 Form of item: @form
31 Index: @yes
33*2 Special format: # none; e manuscript; j picture card; k calendar; l puzzle; n game; o wall map; p playing cards; r loose-leaf; z other

= VM
18+3 Running time (minutes)
22 Target audience: @audience
28 Government publication: @government
29 Form of item: @form
33 Type of visual material: a original art; b kit; c art reproduction; d diorama; f filmstrip; g game; i picture; k graphic; l technical drawing; m motion picture; n chart; o flash card; p microscope slide; q model; r object; s slide; t transparency; v video recording; w toy; z other
34 Technique: a animation; c animation and live action; l live action; n not applicable; u unknown; z other

= CF
22 Target audience: @audience
23 Form of item: # not specified; o online; q direct electronic
26 Type of computer file: a numeric data; b computer program; c representational; d document; e bibliographic data; f font; g game; h sound; i interactive multimedia; j online system or service; m combination; u unknown; z other
28 Government publication: @government

= MX
23 Form of item: @form

= 008 authority
0+6 Date entered
6 Geographic subdivision: # not subdivided; d direct; i indirect; n not applicable
7 Romanisation: a international; b national; c of a library association; d of a library; e local; f conventional; g local conventional; n not applicable
8 Language of catalogue: # not specified; b English and French; e English; f French
9 Kind of record: a established heading; b reference, untraced; c reference, traced; d subdivision; e node label; f established heading and subdivision; g reference and subdivision
10 Descriptive rules: a earlier rules; b AACR1; c AACR2; d AACR2 compatible; n not applicable; z other
11 Subject headings: a LCSH; b LC for children; c MeSH; d NAL; k Canadian Subject Headings; n not applicable; r Art & Architecture Thesaurus; s Sears; v RVM; z other
12 Type of series: a series; b multipart item; c phrase like a series; n not applicable; z other
13 Numbered series: a numbered; b unnumbered; c varies; n not applicable
14 Heading for main entry: a appropriate; b not appropriate
15 Heading for subject entry: a appropriate; b not appropriate
16 Heading for series entry: a appropriate; b not appropriate
17 Subject subdivision: a topical; b form; c chronological; d geographic; e language; n not applicable
28 Government agency: # none; a autonomous or semi-autonomous component; c multilocal; f federal or national; i international; l local; m multistate; o level undetermined; s state or provincial; u unknown; z other
29 Reference evaluation: a consistent; b not necessarily consistent; n not applicable
31 Record update: a can be used; b is being changed
32 Undifferentiated name: a one person; b several persons; n not applicable
33 Level of establishment: a fully established; b memorandum; c provisional; d preliminary; n not applicable
38 Modified record: # not modified; s shortened; x missing characters
39 Cataloguing source: # national bibliographic agency; c cooperative programme; d other; u unknown

= 007
0 Category of material: a map; c electronic resource; d globe; f tactile material; g projected graphic; h microform; k nonprojected graphic; m motion picture; o kit; q notated music; r remote-sensing image; s sound recording; t text; v video recording; z not specified

= 007 a
1 Specific material: d atlas; g diagram; j map; k profile; q model; r remote-sensing image; s section; u not specified; y view; z other
3 Colour: a one colour; c several colours
4 Physical medium: a paper; b wood; c stone; d metal; e synthetic; f skin; g textile; p plaster; q flexible base, photographic, positive; r flexible base, photographic, negative; s non-flexible base, photographic, positive; t non-flexible base, photographic, negative; u unknown; v leather; w parchment; x not applicable; y other photographic; z other
5 Type of reproduction: f facsimile; n not applicable; u unknown; z other
6 Details of production: a photocopy, blueline; b photocopy; c preproduction; d film; u unknown; z other
7 Positive or negative: a positive; b negative; m mixed; n not applicable

= 007 c
1 Specific material: a tape cartridge; b chip cartridge; c optical disc cartridge; d computer disc; e disc cartridge; f tape cassette; h tape reel; j magnetic disc; k computer card; m magneto-optical disc; o optical disc; r remote; s standalone device; u not specified; z other
3 Colour: a one colour; b black and white; c several colours; g grey scale; m mixed; n not applicable; u unknown; z other
4 Dimensions: a 3 1/2 in.; e 12 in.; g 4 3/4 in. or 12 cm; i 1 1/8 x 2 3/8 in.; j 3 7/8 x 2 1/2 in.; n not applicable; o 5 1/4 in.; u unknown; v 8 in.; z other
5 Sound: # silent; a sound; u unknown
6+3 Image bit depth
9 File formats: a one; m several; u unknown
10 Quality assurance: a absent; n not applicable; p present; u unknown
11 Source: a from original; b from microform; c from electronic resource; d from an intermediate; m mixed; n not applicable; u unknown
12 Compression: a uncompressed; b lossless; d lossy; m mixed; u unknown
13 Quality of reformatting: a access; n not applicable; p preservation; r replacement; u unknown

= 007 h
1 Specific material: a aperture card; b microfilm cartridge; c microfilm cassette; d microfilm reel; e microfiche; f microfiche cassette; g microopaque; h microfilm slip; j microfilm roll; u not specified; z other
3 Positive or negative: a positive; b negative; m mixed; u unknown
4 Dimensions: a 8 mm; d 16 mm; f 35 mm; g 70 mm; h 105 mm; l 3 x 5 in.; m 4 x 6 in.; o 6 x 9 in.; p 3 1/4 x 7 3/8 in.; u unknown; z other
9 Colour: b black and white; c several colours; m mixed; u unknown; z other

= 007 q
1 Specific material: u not specified

= 007 s
1 Specific material: b belt; d disc; e cylinder; g cartridge; i film; o roll; q roll (obsolete); r remote; s cassette; t tape reel; u not specified; w wire; z other
3 Speed: a 16 rpm; b 33 1/3 rpm; c 45 rpm; d 78 rpm; e 8 rpm; f 1.4 m/s; h 120 rpm; i 160 rpm; k 15/16 ips; l 1 7/8 ips; m 3 3/4 ips; n not applicable; o 7 1/2 ips; p 15 ips; r 30 ips; u unknown; z other
4 Channels: m monaural; q quadraphonic; s stereophonic; u unknown; z other
5 Groove: m microgroove; n not applicable; s coarse; u unknown; z other
6 Dimensions: a 3 in.; b 5 in.; c 7 in.; d 10 in.; e 12 in.; f 16 in.; g 4 3/4 in. or 12 cm; j 3 7/8 x 2 1/2 in.; n not applicable; o 5 1/4 x 3 7/8 in.; s 2 3/4 x 4 in.; u unknown; z other
10 Kind of disc or tape: a master tape; b duplication master; d disc master; i instantaneous; m mass-produced; n not applicable; r mother; s stamper; t test pressing; u unknown; z other
12 Playback: a NAB; b CCIR; c Dolby-B; d dbx; e digital; f Dolby-A; g Dolby-C; h CX; n not applicable; u unknown; z other

= 007 t
1 Specific material: a regular print; b large print; c braille; d loose-leaf; u not specified; z other

= 007 v
1 Specific material: c cartridge; d disc; f cassette; r tape reel; u not specified; z other
3 Colour: a one colour; b black and white; c several colours; m mixed; n not applicable; u unknown; z other
4 Format: a Beta; b VHS; c U-matic; d EIAJ; e Type C; f Quadruplex; g Laserdisc; h CED; i Betacam; j Betacam SP; k Super-VHS; m M-II; o D-2; p 8 mm; q Hi-8; s Blu-ray; u unknown; v DVD; z other
5 Sound: # silent; a on the medium; b separate; u unknown
7 Dimensions: a 8 mm; m 1/4 in.; o 1/2 in.; p 1 in.; q 2 in.; r 3/4 in.; u unknown; z other
8 Channels: k mixed; m monaural; n not applicable; q multichannel; s stereophonic; u unknown; z other

= 100 unimarc
0+8 Date entered
8 Type of date: a current serial; b ceased serial; c serial of unknown status; d monograph of one year; e reproduction; f questionable date; g monograph of several years; h publication and copyright; i release and production; j detailed date; k publication and printing; l range of a collection; u unknown dates
9+4 Date 1
13+4 Date 2
17*3 Target audience: # none; a juvenile; b preschool; c primary; d pre-adolescent; e adolescent; k adult, serious; m adult; u unknown
20 Government publication: a federal or national; b state or provincial; c county; d local; e multistate; f international; g government in exile; h level undetermined; u unknown; y not a government publication; z other
21 Modified record: 0 not modified; 1 modified
22+3 Language of cataloguing
25 Romanisation: a ISO; b other; c several; y none
26+4 Character coding
34+2 Script of the title: ba Latin; ca Cyrillic; da Japanese; db kanji; dc kana; ea Chinese; fa Arabic; ga Greek; ha Hebrew; ia Thai; ja Devanagari; ka Korean; la Tamil; ma Georgian; mb Armenian; zz other

= 100 unimarcAuthority
0+8 Date entered
8 Status of the heading: a established; b undifferentiated; c provisional; x not applicable
9+3 Language of cataloguing
12 Romanisation: a ISO; b other; c several; y none
13+4 Character coding

= 105 unimarc
0*4 Illustrations: # not specified; a illustrations; b maps; c portraits; d charts; e plans; f plates; g music; h facsimiles; i coats of arms; j genealogical tables; k forms; l samples; m sound recording; n transparencies; o illuminations; y none
4*4 Nature of contents: # not specified; a bibliographies; b catalogues; c indexes; d abstracts; e dictionaries; f encyclopedias; g directories; h project description; i statistics; j programmed texts; k patent documents; l standards; m theses; n legislation; o numeric tables; p technical reports; q examination papers; r surveys of literature; s treaties; t comics; v revised theses; w religious texts; z other
8 Conference publication: @yes
9 Festschrift: @yes
10 Index: @yes
11 Literary form: a fiction; b drama; c essays; d humour, satires; e letters; f short stories; g poetry; h speeches; i libretto; y not a literary text; z mixed forms
12 Biography: a autobiography; b of one person; c of several persons; d contains biographical information; y none

= 106 unimarc
0 Form of item: d large print; e newspaper format; f braille; g microprint; h handwritten; i multimedia; j mini print; r regular print; s electronic; t microform; z other

= 110 unimarc
0 Type of continuing resource: a periodical; b monographic series; c newspaper; d directory; e loose-leaf; f database; g website; h blog; i repository; j journal; m magazine; n newsletter; z other
1 Frequency: a daily; b twice a week; c weekly; d every two weeks; e twice a month; f monthly; g every two months; h quarterly; i three times a year; j twice a year; k annual; l every two years; m every three years; n three times a week; o three times a month; p continuously updated; u unknown; y no determinable frequency; z other
2 Regularity: a regular; b normalized irregular; u unknown; y completely irregular
7 Conference publication: @yes
`

/** A position of a fixed field: `count` codes of `length` characters follow each other. */
export interface MarcPosition {
  readonly start: number
  readonly length: number
  readonly count: number
  readonly name: string
  /** The names of the codes; undefined for a value that is typed. */
  readonly codes: ReadonlyMap<string, string> | undefined
}

/** The rules that a record follows. */
export type MarcRules = 'publication' | 'authority' | 'unimarc' | 'unimarcAuthority'

const lists = new Map<string, string>()
const fields = new Map<string, MarcPosition[]>()
for (const line of table.split('\n').filter(each => each !== '')) {
  const [head = '', rest] = splitAt(line, ': ')
  if (head.startsWith('@')) lists.set(head, rest ?? '')
  else if (head.startsWith('= ')) fields.set(head.slice(2), [])
  else [...fields.values()].at(-1)?.push(readPosition(head, rest))
}

function splitAt(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)]
}

function readPosition(head: string, codes: string | undefined): MarcPosition {
  const [places, name = ''] = splitAt(head, ' ')
  const [, start, sign, size] = /^(\d+)(?:([*+])(\d+))?$/.exec(places) ?? []
  const listed = codes?.replace(/^@\w+/, list => lists.get(list) ?? list).replace(', e newspaper', '; e newspaper')
  return {
    start: Number(start),
    length: sign === '+' ? Number(size) : 1,
    count: sign === '*' ? Number(size) : 1,
    name,
    codes:
      listed === undefined
        ? undefined
        : new Map(
            listed.split('; ').map(each => {
              const [code, text = ''] = splitAt(each, ' ')
              return [code.replaceAll('#', ' '), text]
            })
          )
  }
}

/** The names of positions and codes, which other languages translate. */
export const positionNames = (): string[] => [
  ...new Set([...fields.values()].flat().flatMap(({ name, codes }) => [name, ...(codes?.values() ?? [])]))
]

/** The form of 008 and 006 by the type of record (leader/06); that of serials by leader/07. */
const forms: readonly (readonly [types: string, form: string])[] = [
  ['at', 'BK'],
  ['cdij', 'MU'],
  ['ef', 'MP'],
  ['gkor', 'VM'],
  ['m', 'CF'],
  ['p', 'MX'],
  ['s', 'CR']
]
const formOf = (type: string) => forms.find(([types]) => types.includes(type))?.[1] ?? ''

/**
 * The positions of a fixed field, in their order; none for other fields. `value` is the value of a
 * control field, or that of $a of a coded field of UNIMARC.
 */
export function positionsOf(tag: string, value: string, leader: string, rules: MarcRules): readonly MarcPosition[] {
  const positions = (name: string) => fields.get(name) ?? []
  if (rules !== 'publication' || tag === 'LDR') return positions(`${tag} ${rules}`)
  if (tag === '007') return [...positions('007'), ...positions(`007 ${value[0] ?? ''}`)]
  if (tag === '006') return positions(formOf(value[0] ?? '?')).map(each => ({ ...each, start: each.start - 17 }))
  if (tag !== '008') return []
  const [type = '?', level = '?'] = [leader[6], leader[7]]
  const form = type === 'a' && 'bis'.includes(level) ? 'CR' : formOf(type === 's' ? '?' : type)
  return [...positions('008 publication'), ...positions(form)].toSorted((one, other) => one.start - other.start)
}

/** The codes in a value that a position does not have. A fill character stands for any code. */
export function unknownCodes(value: string, { start, length, count, codes }: MarcPosition): string[] {
  if (codes === undefined) return []
  return Array.from({ length: count }, (_, place) =>
    value.slice(start + place * length, start + (place + 1) * length)
  ).filter(code => code.length === length && !codes.has(code) && !/^\|+$/.test(code))
}
