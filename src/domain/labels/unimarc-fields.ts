import { readFieldTable } from './marc-fields.ts'

/** Notes that consist of one text: tag and subject. */
const notes = `300 General note
301 Note: identification numbers
302 Note: coded information
303 Note: description
304 Note: title and responsibility
305 Note: edition
306 Note: publication
307 Note: physical description
308 Note: series
310 Note: binding and availability
311 Note: linked records
312 Note: related titles
313 Note: subject access
314 Note: responsibility
315 Note: type of material
316 Note: copy in hand
317 Note: provenance
320 Note: bibliographies and indexes
322 Note: credits
323 Note: cast
324 Note: original version
330 Summary
331 Preferred citation of described materials
332 Preferred citation of described materials
333 Target audience note
334 Awards note
336 Type of computer file
337 System details
338 Funding information
340 Biographical or historical data
345 Source of acquisition
346 Note: language
371 Restrictions on access`

/** Relations to other records: tag and name. */
const links = `410 Series
411 Subseries
412 Source of an excerpt
413 Excerpt or offprint
421 Supplement
422 Parent of a supplement
423 Issued with
424 Updated by
425 Updates
430 Continues
431 Continues in part
432 Supersedes
433 Supersedes in part
434 Absorbed
435 Absorbed in part
436 Formed by merger of
437 Separated from
440 Continued by
441 Continued in part by
442 Superseded by
443 Superseded in part by
444 Absorbed by
445 Absorbed in part by
446 Split into
447 Merged to form
448 Changed back to
451 Other edition in the same medium
452 Other edition in another medium
453 Translated as
454 Translation of
455 Reproduction of
456 Reproduced as
461 Set
462 Subset
463 Piece
464 Piece analysed
470 Item reviewed
481 Also bound in this volume
482 Bound with
488 Other related work`

/** Other titles of the publication: tag and name. */
const titles = `511 Half title
512 Cover title
513 Added title-page title
514 Caption title
515 Running title
516 Spine title
517 Other variant title
518 Title in modern spelling
541 Translated title`

const linesWith = (list: string, rest: (tag: string) => string) =>
  list
    .split('\n')
    .map(line => `${line.slice(0, 3)} ${rest(line.slice(0, 3))} ${line.slice(4)}`)
    .join('\n')

/*
 * The fields of bibliographic records in UNIMARC, in the form of the table of MARC 21. An indicator
 * that editions of the format define differently may have any value.
 */
const table = `
001 N - - - Control number
003 N - - - Persistent record identifier
005 N - - - Version identifier
010 R # # abdz International standard book number
011 R ? # abdfgyz International standard serial number
012 R # # a Fingerprint identifier
013 R # # abdz International standard music number
014 R # # az Article identifier
015 R # # abdz International standard technical report number
016 R # # abdz International standard recording code
017 R 78 ? abdz Other standard identifier
020 R # # abz National bibliography number
021 R # # abz Legal deposit number
022 R # # abz Government publication number
033 R # # adz Identifier in another system
035 R # # az System control number
036 R # # abcdefgmnopqrstuz Musical incipits information
040 R # # adz CODEN
071 R 0123456789# 01# abcdz Publisher or distributor number
072 R # #01 abcdz Universal product code
073 R # #01 abcdz International article number
100 N # # a General processing data
101 N 012# ? abcdefghijkl Language code
102 N # # abc Country of publishing or producing entity
105 N # # a Coded data: textual material
106 R # # a Coded data: form of item
110 N # # a Coded data: continuing resource
111 R # # a Coded data: physical form of a serial
115 R # # ab Coded data: moving image
116 R # # a Coded data: graphic
117 R # # a Coded data: object
120 N # # a Coded data: map
121 R # # ab Coded data: physical form of a map
122 R #012 # a Time period of content
123 R 013# ? abcdefghijkmnop Coded cartographic mathematical data
124 R # # abcdefg Coded data: designation of a map
125 R # # abc Coded data: sound recording and music
126 R # # ab Coded data: physical form of a recording
127 R # # a Playing time
128 R # # abcd Coded data: musical performance
130 R # # a Coded data: microform
131 R # # abcdefghijkl Coded data: geodetic grid
135 R # # a Coded data: electronic resource
140 R # # a Coded data: old book
141 R # # ab Coded data: copy of an old book
145 R ? ? abcdef Medium of performance
146 R ? ? abcdefghi Medium of performance
181 R ? ? abc Content type
182 R ? ? abc Media type
183 R ? ? abc Carrier type
200 N 01# # abcdefghivz Title statement
203 R # # abc Content type and media type
205 R # # abdfgz Edition statement
206 R ? # abcdef Cartographic mathematical data
207 R # 01# az Dates of publication and sequential designation
208 R # # ad Musical presentation statement
210 R ? ? abcdefghrsx Publication, distribution (imprint)
211 R # # a Projected publication date
214 R ? 01234# abcdrsx Production, publication, distribution, manufacture, copyright
215 R # # acde Physical description
225 R 012# # adefhivxz Series statement
230 R # # a Computer file characteristics
231 R # # abcdefg Digital file characteristics
281 R ? ? abc Content type
282 R ? ? abc Media type
283 R ? ? abc Carrier type
${linesWith(notes, tag => `R ? ? ${tag === '300' ? 'a' : 'abcu'}`)}
318 R # # abcdefhijklnopru Action note
321 R 01# # abux Citation and references
325 R ? # abcdefghijkmnuvxy Reproduction note
326 R # # ab Frequency
327 R 012# ? abcdefghipuz Formatted contents note
328 R ? 01# abcdetuz Dissertation note
${linesWith(links, () => 'R ? 01# abcdefghiklmnopqrstuvxyz')}
500 R 01# 01# abhijklmnqrsuvwxyz Uniform title
501 R ? ? abehijkmrsuwxyz Collective uniform title
503 R 01# # abcdefhijklmno Uniform conventional heading
506 R ? ? abcdefghijklmnoqrstuvwxyz Preferred title: work
507 R ? ? abcdefghijklmnoqrstuvwxyz Preferred title: expression
510 R 01# # aehijnz Parallel title
${linesWith(titles, () => 'R 01# # aehijnz')}
520 R 01# # aehijnx Former title
530 R 01# # abjv Key title
531 R # # abv Abbreviated title
532 R 01# 01234# az Expanded title
540 R 01# # aehi Title supplied by the cataloguer
545 R 01# # aehi Section title
560 R ? ? abz Artificial title
576 R ? ? abcdefghijklmnoqrstuvwxyz Name and title: work
577 R ? ? abcdefghijklmnoqrstuvwxyz Name and title: expression
600 R # 01# abcdfgjnoptvxyz Subject: personal name
601 R 01# 012# abcdefghjtvxyz Subject: corporate name
602 R # # acdfjtvxyz Subject: family
604 R # # abcdefghijklmnoprstuvwxyz Subject: name and title
605 R # # ahijklmnqrsuvwxyz Subject: uniform title
606 R 012# # ajxyz Subject: topical term
607 R ? # ajxyz Subject: geographic name
608 R ? # ajxyz Index term: genre or form
610 R 012# # a Index term: uncontrolled
615 R ? # amnx Subject category code
616 R # # acfjxyz Subject: trademark
617 R ? # abcdefghiklmnoxyz Subject: hierarchical place name
620 R # # abcdefghiklmno Hierarchical place name
621 R ? # abcdefgh Date and place of an event
626 R # # abc Technical details
631 R ? ? abcdfgjtxyz Subject: provisional
632 R ? ? abcdfgjtxyz Subject: provisional
640 R ? ? abcdef Place and date of publication
660 R # # a Geographic area code
661 R # # a Time period code
670 R # # bcdez PRECIS
675 R # # avz Universal Decimal Classification number
676 R # # avz Dewey Decimal Classification number
680 R # # ab Library of Congress call number
686 R # # abcvz Other classification number
700 N # 01# abcdfgknopqrt Main entry: personal name
701 R # 01# abcdfgknopqrt Alternative entry: personal name
702 R # 01# abcdfgknopqrt Added entry: personal name
703 R # 01# abcdfgknopqrt Owner: personal name
710 N 01# 012# abcdefghnopqrt Main entry: corporate name
711 R 01# 012# abcdefghnopqrt Alternative entry: corporate name
712 R 01# 012# abcdefghnopqrt Added entry: corporate name
713 R 01# 012# abcdefghnopqrt Owner: corporate name
716 R # # acfjxyz Added entry: trademark
720 N # # acdfot Main entry: family
721 R # # acdfot Alternative entry: family
722 R # # acdfot Added entry: family
723 R # # acdfot Owner: family
730 R 01# # a Added entry: name
740 R ? ? abcdefghijklmnot Uniform conventional heading
741 R ? ? abcdefghijklmnot Uniform conventional heading
742 R ? ? abcdefghijklmnot Uniform conventional heading
801 R # 0123# abcgh Cataloguing source
802 N # # a ISSN centre
830 R # # a Nonpublic general note
850 R # # a Holding institution
852 R ? ? abcdefghijklmnopqstxyz Location
856 R ? ? abcdefghijklmnopqrstuvwxyz Electronic location and access
886 R 012# # ? Foreign MARC information field`

/** The fields of bibliographic records in UNIMARC, by tag. */
export const unimarcFields = readFieldTable(table)

/* Kinds of headings: the last two digits of the tag, its indicators, its subfields, its name. */
const headings = `00 # 01# abcdfgjkopqrstxyz personal name
10 01# 012# abcdefghjktxyz corporate name
15 # # ajktxyz geographic name
16 # # acfjkxyz trademark
20 # # acdfjkotxyz family
30 # # abhijklmnoqrsuvwxyz uniform title
31 ? ? abcdefghijklmnoqrstuvwxyz work
32 ? ? abcdefghijklmnoqrstuvwxyz expression
35 # # abehijkmrsuwxyz collective uniform title
40 # # abcdefghijklmnoprstuvwxyz name and title
41 ? ? abcdefghijklmnoqrstuvwxyz name and title of a work
42 ? ? abcdefghijklmnoqrstuvwxyz name and title of an expression
43 ? ? abcdefghijklmnot conventional heading
45 # # abcdefghijklmnoprstuvwxyz name and collective title
50 012# # ajknxyz topical term
60 # # abcdefghijklmno hierarchical place name
80 # # ajknxyz genre or form term`

const headingFields = [
  ['2', 'R', 'Heading'],
  ['4', 'R', 'See from'],
  ['5', 'R', 'See also'],
  ['7', 'R', 'Linking entry']
]
  .flatMap(([first, repeats, name]) =>
    headings.split('\n').map(line => {
      const [digits, one, two, letters, ...words] = line.split(' ')
      return `${first}${digits} ${repeats} ${one} ${two} ${letters} ${name}: ${words.join(' ')}`
    })
  )
  .join('\n')

/* The fields of authority records in UNIMARC. */
const authorityTable = `
001 N - - - Control number
003 N - - - Persistent record identifier
005 N - - - Version identifier
010 R # # az International standard name identifier
017 R 78# # abz Other standard identifier
033 R # # az Identifier in another system
035 R # # az System control number
036 R # # abcdefgmnopqrstuz Musical incipits information
050 R # # az Identifier of an entity
051 R # # az Identifier of an entity
052 R # # az Identifier of an entity
061 R # # ab Subject category code
100 N # # a General processing data
101 R # # acd Language code
102 R # # abc Nationality
103 R ? ? abcd Special coded dates
104 R # # a Coded data: time and place
105 R # # a Coded data: textual material
106 R # # abc Coded data: use as a subject
120 R # # ab Coded data: personal name
121 R # # abc Coded data: map
122 R #012 # a Time period of content
123 R 013# ? abcdefghijkmnop Coded cartographic mathematical data
125 R # # abc Coded data: sound recording and music
127 R # # a Playing time
128 R # # abcd Form of musical composition
140 R # # a Coded data: old book
145 R ? ? abcdef Medium of performance
146 R ? ? abcdefghi Medium of performance
150 R # # a Coded data: corporate name
151 R ? ? abc Form of work
152 R # # abc Rules and subject system
154 R # # ab Coded data: uniform title
160 R # # a Geographic area code
180 R # # a Coded data: form
${headingFields}
300 R ? # a General note
301 R ? # a General note
305 R ? # ab Complex see also reference
310 R ? # ab Complex see reference
320 R ? # a General explanatory reference
330 R ? # au Scope note
333 R ? # a Note: use
334 R ? # abcdu Awards note
339 R ? # a Note: use
340 R ? # au Biographical or historical data
341 R ? # aepcy Note: publishing activity
343 R ? # a Note: person
350 R ? # a Note: person
355 R ? # a Note: corporate body
356 R ? # a Geographic coverage note
370 R ? # a Note: family
640 R ? ? abcdef Place and date of publication
675 R # # avz Universal Decimal Classification number
676 R # # avz Dewey Decimal Classification number
680 R # # ab Library of Congress call number
686 R # # abcvz Other classification number
801 R # 0123# abcgh Cataloguing source
810 R # # ab Source data found
815 R # # a Source data not found
820 R # # a Note: use
822 R # # abuv Source data found
825 R # # a Subject example tracing note
830 R # # a Nonpublic general note
835 R # # abcd Deleted heading information
836 R # # bd Replacement record information
856 R ? ? abcdefghijklmnopqrstuvwxyz Electronic location and access
886 R 012# # ? Foreign MARC information field`

/** The fields of authority records in UNIMARC, by tag. */
export const unimarcAuthorityFields = readFieldTable(authorityTable)
