/*
 * The fields of bibliographic records in MARC 21: tag, whether it may be repeated (R, or N), the
 * values of both indicators (# for a blank, a range as 0-9), the letters of its subfields, and its
 * name. Of letters with a slash, those before it may not be repeated within the field. Subfields
 * with digits are control subfields, which nearly every field may have.
 */
const table = `
001 N - - - Control number
003 N - - - Control number identifier
005 N - - - Date and time of latest transaction
006 R - - - Additional material characteristics
007 R - - - Physical description fixed field
008 N - - - General information
010 N # # a/bz Library of Congress control number
013 R # # abc/def Patent control information
015 R # # aqz National bibliography number
016 R #7 # a/z National bibliographic agency control number
017 R # 8# bdi/az Copyright or legal deposit number
018 N # # a/ Copyright article-fee code
020 R # # ac/qz International standard book number
022 R #01 # al/myz International standard serial number
023 R #01 # ayz Cluster ISSN
024 R 0123478 #01 acd/qz Other standard identifier
025 R # # a Overseas acquisition number
026 R # # abce/d Fingerprint identifier
027 R # # a/qz Standard technical report number
028 R 0123456 0123 ab/q Publisher or distributor number
030 R # # a/z CODEN
031 R # # abcegmnopr/dqstuyz Musical incipits information
032 R # # ab/ Postal registration number
033 R #012 #012 abcp Date and place of an event
034 R 013 #01 adefgjkmnprxyz/bchst Coded cartographic mathematical data
035 R # # a/z System control number
036 N # # ab/ Original study number for computer data files
037 R #23 # ab/cfgn Source of acquisition
038 N # # a/ Record content licensor
040 N # # abc/de Cataloguing source
041 R #01 #7 abdefghijkmnpqrt Language code
042 N # # a Authentication code
043 N # # abc Geographic area code
044 N # # abc Country of publishing or producing entity
045 N #012 # abc Time period of content
046 R #123 # abcdejklmnop/xz Special coded dates
047 R # #7 a Form of musical composition
048 R # #7 ab Number of musical instruments or voices
050 R #01 04 b/a Library of Congress call number
051 R # # abc/ Library of Congress copy, issue, offprint statement
052 R #17 # a/bd Geographic classification
055 R #01 0-9 ab/ Classification numbers assigned in Canada
060 R #01 04 b/a National Library of Medicine call number
061 R # # bc/a National Library of Medicine copy statement
066 N # # ab/c Character sets present
070 R #01 # b/a National Agricultural Library call number
071 R # # bc/a National Agricultural Library copy statement
072 R # 07 a/x Subject category code
074 R # # a/z GPO item number
080 R #01 # ab/x Universal Decimal Classification number
082 R 017 #04 bmq/a Dewey Decimal Classification number
083 R 017 # mq/acyz Additional Dewey Decimal Classification number
084 R # # bq/a Other classification number
085 R # # abcfrstuvwyz Synthesized classification number components
086 R #01 # a/z Government document classification number
088 R # # a/z Report number
100 N 013 # abdflqtu/cegjknp Main entry: personal name
110 N 012 # afltu/bcdegknp Main entry: corporate name
111 N 012 # aflqtu/cdegjknp Main entry: meeting name
130 N 0-9 # afhlort/dgkmnps Main entry: uniform title
210 R 01 #0 ab/ Abbreviated title
222 R # 0-9 ab/ Key title
240 N 01 0-9 afhlor/dgkmnps Uniform title
242 R 01 0-9 abchy/np Translation of title by cataloguing agency
243 N 01 0-9 afhlor/dgkmnps Collective uniform title
245 N 01 0-9 abcfghs/knp Title statement
246 R 0123 #012345678 abfhi/gnp Varying form of title
247 R 01 01 abfhx/gnp Former title
250 R # # ab/ Edition statement
251 R # # a Version information
254 N # # a/ Musical presentation statement
255 R # # abcdefg/ Cartographic mathematical data
256 N # # a/ Computer file characteristics
257 R # # a Country of producing entity
258 R # # ab/ Philatelic issue data
260 R #23 # d/abcefg Publication, distribution (imprint)
261 N # # abdef Imprint statement for films
262 N # # abckl/ Imprint statement for sound recordings
263 N # # a/ Projected publication date
264 R #23 01234 abc Production, publication, distribution, manufacture, copyright
270 R #12 #07 bcdefghi/ajklmnpqrz Address
300 R # # be/acfg Physical description
306 N # # a Playing time
307 R #8 # ab/ Hours
310 R # # ab/ Current publication frequency
321 R # # ab/ Former publication frequency
335 R # # ab Extension plan
336 R # # ab Content type
337 R # # ab Media type
338 R # # ab Carrier type
340 R # # abcdefghijklmnopq Physical medium
341 R #01 # a/bcde Accessibility content
342 R 01 012345678 abcdghijklmnopqrstuvw/ef Geospatial reference data
343 R # # abcdefghi/ Planar coordinate data
344 R # # abcdefghij Sound characteristics
345 R # # abcd Moving image characteristics
346 R # # ab Video characteristics
347 R # # abcdef Digital file characteristics
348 R # # abcd Notated music characteristics
351 R # # c/ab Organization and arrangement of materials
352 R # # adefgi/bcq Digital graphic representation
353 R # # ab Supplementary content characteristics
355 R 01234589 # adefgh/bcj Security classification control
357 N # # a/bcg Originator dissemination control
361 R #01 # afklosuxyz Structured ownership and custodial history
362 R 01 # az/ Dates of publication and sequential designation
363 R #01 #01 abcdefghijklmuv/xz Normalized date and sequential designation
365 R # # abcdefghijkm/ Trade price
366 R # # abcdefgjkm/h Trade availability information
370 R # # st/cfgiuv Associated place
377 R # #7 al Associated language
380 R # # a Form of work
381 R # # auv Other distinguishing characteristics
382 R #0123 #01 rst/abdenpv Medium of performance
383 R # # de/abc Numeric designation of musical work
384 R #01 # a/ Key
385 R # # mn/ab Audience characteristics
386 R # # mn/abi Creator or contributor characteristics
387 R # # abcdefghijklm Representative expression characteristics
388 R #12 # a Time period of creation
440 R # 0-9 anpvwx Series statement and added entry
490 R 01 # l/avxyz Series statement
500 R # # a/ General note
501 R # # a/ With note
502 R # # abcd/go Dissertation note
504 R # # ab/ Bibliography note
505 R 0128 #0 a/grtu Formatted contents note
506 R #01 # a/bcdefgqu Restrictions on access
507 N # # ab/ Scale note for graphic material
508 R # # a/ Creation and production credits
510 R 01234 # abcx/u Citation and references
511 R 01 # a/ Participant or performer note
513 R # # ab/ Type of report and period covered
514 N # # adefim/bcghjkuz Data quality note
515 R # # a/ Numbering peculiarities note
516 R #8 # a/ Type of computer file or data
518 R # # a/dop Date, time and place of an event
520 R #012348 # abc/u Summary
521 R #012348 # b/a Target audience note
522 R #8 # a/ Geographic coverage note
524 R #8 # a/ Preferred citation of described materials
525 R # # a/ Supplement note
526 R 08 # abcdi/xz Study programme information
530 R # # abcd/u Additional physical form available
532 R 0128 # a/ Accessibility note
533 R # # ade/bcfmny Reproduction note
534 R # # abcelmpt/fknoxz Original version note
535 R 12 # ag/bcd Location of originals or duplicates
536 R # # a/bcdefgh Funding information
538 R # # ai/u System details
540 R # # abcdq/fgu Terms governing use and reproduction
541 R #01 # abcdefh/no Immediate source of acquisition
542 R #01 # abcgijlmoqrs/defhknpu Information relating to copyright status
544 R #01 # abcden Location of other archival materials
545 R #01 # ab/u Biographical or historical data
546 R # # a/b Language note
547 R # # a/ Former title complexity note
550 R # # a/ Issuing body note
552 R # # abcdghijklmn/efopuz Entity and attribute information
555 R #08 # acd/bu Cumulative index or finding aids
556 R #8 # a/z Information about documentation
561 R #01 # a/u Ownership and custodial history
562 R # # abcde Copy and version identification
563 R # # a/u Binding information
565 R #08 # a/bcde Case file characteristics
567 R #8 # a/b Methodology
580 R # # a/ Linking entry complexity
581 R #8 # a/z Publications about described materials
583 R #01 # a/bcdefhijklnouxz Action note
584 R # # ab Accumulation and frequency of use
585 R # # a/ Exhibitions note
586 R #8 # a/ Awards note
588 R #01 # a/ Source of description
600 R 013 01234567 abdfhloqrtu/cegjkmnpsvxyz Subject: personal name
610 R 012 01234567 afhlortu/bcdegkmnpsvxyz Subject: corporate name
611 R 012 01234567 afhlqtu/cdegjknpsvxyz Subject: meeting name
630 R 0-9 01234567 afhlort/degkmnpsvxyz Subject: uniform title
647 R # 01234567 ad/cgvxyz Subject: named event
648 R #01 01234567 a/vxyz Subject: chronological term
650 R #012 01234567 abcde/gvxyz Subject: topical term
651 R # 01234567 a/egvxyz Subject: geographic name
653 R #012 #0123456 a Index term: uncontrolled
654 R #012 # abcevyz Subject: faceted topical terms
655 R #0 01234567 a/bcvxyz Index term: genre or form
656 R # 7 ak/vxyz Index term: occupation
657 R # 7 a/vxyz Index term: function
658 R # # acd/b Index term: curriculum objective
662 R # # bd/acefgh Subject: hierarchical place name
688 R #7 #7 a/egz Subject: type of entity unspecified
700 R 013 #2 abdfhloqrtux/cegijkmnps Added entry: personal name
710 R 012 #2 afhlortux/bcdegikmnps Added entry: corporate name
711 R 012 #2 afhlqtux/cdegijknps Added entry: meeting name
720 R #12 # a/e Added entry: uncontrolled name
730 R 0-9 #2 afhlortx/dgikmnps Added entry: uniform title
740 R 0-9 #2 ah/np Added entry: uncontrolled related title
751 R #123 # a/eg Added entry: geographic name
752 R # # bd/acefgh Added entry: hierarchical place name
753 R # # abc/ System details access to computer files
754 R # # acdxz Added entry: taxonomic identification
758 R # # a/i Resource identifier
760 R 01 #8 abcdhmstxy/ginow Main series entry
762 R 01 #8 abcdhmstxy/ginow Subseries entry
765 R 01 #8 abcdhmstuxy/giknorwz Original language entry
767 R 01 #8 abcdhmstuxy/giknorwz Translation entry
770 R 01 #8 abcdhmstuxy/giknorwz Supplement or special issue entry
772 R 01 #08 abcdhmstuxy/giknorwz Supplement parent entry
773 R 01 #8 abdhmpqstuxy/giknorwz Host item entry
774 R 01 #8 abcdhmstuxy/giknorwz Constituent unit entry
775 R 01 #8 abcdefhmstuxy/giknorwz Other edition entry
776 R 01 #8 abcdhmstuxy/giknorwz Additional physical form entry
777 R 01 #8 abcdhmstxy/giknow Issued with entry
780 R 01 01234567 abcdhmstuxy/giknorwz Preceding entry
785 R 01 012345678 abcdhmstuxy/giknorwz Succeeding entry
786 R 01 #8 abcdhjmpstuvxy/giknorwz Data source entry
787 R 01 #8 abcdhmstuxy/giknorwz Other relationship entry
788 R 1 # abdeinstwx Parallel description in another language
800 R 013 # abdfhloqrtuvx/cegjkmnpsw Series added entry: personal name
810 R 012 # afhlortuvx/bcdegkmnpsw Series added entry: corporate name
811 R 012 # afhlqtuvx/cdegjknpsw Series added entry: meeting name
830 R # 0-9 afhlortvx/dgkmnpsw Series added entry: uniform title
841 N - - abe Holdings coded data values
842 N # # a Textual physical form designator
843 R # # abcdefmn Reproduction note
844 N # # a Name of unit
845 R # # abcdfgqu Terms governing use and reproduction
850 R # # a Holding institution
852 R #012345678 #012 ahjlnpqt/bcdefgikmsuxz Location
853 R #0123 #0123 abcdefghijklmnopqrstuvwxyz Captions and pattern: basic unit
854 R #0123 #0123 abcdefghijklmnopqrstuvwxyz Captions and pattern: supplementary material
855 R # # abcdefghijklmnopqrstuvwxyz Captions and pattern: indexes
856 R #012347 #012348 hjklnopqr/abcdefgimstuvwxyz Electronic location and access
857 R #147 #01234 abcdefghlmnqrstuxyz Electronic archive location and access
863 R #345 #01234 abcdefghijklmnopqstuvwxz Enumeration and chronology: basic unit
864 R #345 #01234 abcdefghijklmnopqstuvwxz Enumeration and chronology: supplementary material
865 R #45 #13 abcdefghijklmnopqstuvwxz Enumeration and chronology: indexes
866 R #345 01278 axz Textual holdings: basic unit
867 R #345 01278 axz Textual holdings: supplementary material
868 R #345 01278 axz Textual holdings: indexes
876 R # # abcdehjlprtxyz Item information: basic unit
877 R # # abcdehjlprtxyz Item information: supplementary material
878 R # # abcdehjlprtxyz Item information: indexes
880 R ? ? ? Alternate graphic representation
881 R # # abcdefghijklmnopqrstuvwxyz Manifestation statements
882 N # # aiw Replacement record information
883 R #012 # acdqux/w Metadata provenance
884 R # # agkq/u Description conversion information
885 R # # abcd/wxz Matching information
886 R 012 # ab/cdefghijklmnopqrstuvwxyz Foreign MARC information field
887 R # # a/ Non-MARC information field`

/** A field of MARC 21. */
export interface MarcFieldRule {
  readonly name: string
  readonly isRepeatable: boolean
  /** The characters that each indicator may be; undefined where any is allowed. */
  readonly indicators: readonly [string | undefined, string | undefined]
  /** The letters of its subfields; undefined where any is allowed. */
  readonly subfields: string | undefined
  /** The letters of subfields that a field has at most once. */
  readonly once: string
}

const valuesOf = (text: string) =>
  text === '?' || text === '-' ? undefined : text === '0-9' ? '0123456789' : text.replace('#', ' ')

/** Reads a table of fields: a line for each, as described above. */
export const readFieldTable = (lines: string): ReadonlyMap<string, MarcFieldRule> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .map(line => {
        const [tag = '', repeats, first = '', second = '', letters = '', ...name] = line.split(' ')
        const [once = '', others] = letters.split('/')
        const subfields = letters === '?' || letters === '-' ? undefined : [...once, ...(others ?? '')].sort().join('')
        return [
          tag,
          {
            name: name.join(' '),
            isRepeatable: repeats === 'R',
            indicators: [valuesOf(first), valuesOf(second)],
            subfields,
            once: others === undefined ? '' : once
          }
        ] as const
      })
  )

/** The fields of bibliographic records in MARC 21, by tag. */
export const marcFields = readFieldTable(table)
