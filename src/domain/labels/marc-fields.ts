/*
 * The fields of bibliographic records in MARC 21: tag, whether it may be repeated (R, or N), the
 * values of both indicators (# for a blank, a range as 0-9), the letters of its subfields, and its
 * name. Subfields with digits are control subfields, which nearly every field may have.
 */
const table = `
001 N - - - Control number
003 N - - - Control number identifier
005 N - - - Date and time of latest transaction
006 R - - - Additional material characteristics
007 R - - - Physical description fixed field
008 N - - - General information
010 N # # abz Library of Congress control number
013 R # # abcdef Patent control information
015 R # # aqz National bibliography number
016 R #7 # az National bibliographic agency control number
017 R # 8# abdiz Copyright or legal deposit number
018 N # # a Copyright article-fee code
020 R # # acqz International standard book number
022 R #01 # almyz International standard serial number
023 R #01 # ayz Cluster ISSN
024 R 0123478 #01 acdqz Other standard identifier
025 R # # a Overseas acquisition number
026 R # # abcde Fingerprint identifier
027 R # # aqz Standard technical report number
028 R 0123456 0123 abq Publisher or distributor number
030 R # # az CODEN
031 R # # abcdegmnopqrstuyz Musical incipits information
032 R # # ab Postal registration number
033 R #012 #012 abcp Date and place of an event
034 R 013 #01 abcdefghjkmnprstxyz Coded cartographic mathematical data
035 R # # az System control number
036 N # # ab Original study number for computer data files
037 R #23 # abcfgn Source of acquisition
038 N # # a Record content licensor
040 N # # abcde Cataloguing source
041 R #01 #7 abdefghijkmnpqrt Language code
042 N # # a Authentication code
043 N # # abc Geographic area code
044 N # # abc Country of publishing or producing entity
045 N #012 # abc Time period of content
046 R #123 # abcdejklmnopxz Special coded dates
047 R # #7 a Form of musical composition
048 R # #7 ab Number of musical instruments or voices
050 R #01 04 ab Library of Congress call number
051 R # # abc Library of Congress copy, issue, offprint statement
052 R #17 # abd Geographic classification
055 R #01 0-9 ab Classification numbers assigned in Canada
060 R #01 04 ab National Library of Medicine call number
061 R # # abc National Library of Medicine copy statement
066 N # # abc Character sets present
070 R 01 # ab National Agricultural Library call number
071 R # # abc National Agricultural Library copy statement
072 R # 07 ax Subject category code
074 R # # az GPO item number
080 R #01 # abx Universal Decimal Classification number
082 R 017 #04 abmq Dewey Decimal Classification number
083 R 017 # acmqyz Additional Dewey Decimal Classification number
084 R # # abq Other classification number
085 R # # abcfrstuvwyz Synthesized classification number components
086 R #01 # az Government document classification number
088 R # # az Report number
100 N 013 # abcdefgjklnpqtu Main entry: personal name
110 N 012 # abcdefgklnptu Main entry: corporate name
111 N 012 # acdefgjklnpqtu Main entry: meeting name
130 N 0-9 # adfghklmnoprst Main entry: uniform title
210 R 01 #0 ab Abbreviated title
222 R # 0-9 ab Key title
240 N 01 0-9 adfghklmnoprs Uniform title
242 R 01 0-9 abchnpy Translation of title by cataloguing agency
243 N 01 0-9 adfghklmnoprs Collective uniform title
245 N 01 0-9 abcfghknps Title statement
246 R 0123 #012345678 abfghinp Varying form of title
247 R 01 01 abfghnpx Former title
250 R # # ab Edition statement
251 R # # a Version information
254 N # # a Musical presentation statement
255 R # # abcdefg Cartographic mathematical data
256 N # # a Computer file characteristics
257 R # # a Country of producing entity
258 R # # ab Philatelic issue data
260 R #23 # abcdefg Publication, distribution (imprint)
261 N # # abdef Imprint statement for films
262 N # # abckl Imprint statement for sound recordings
263 N # # a Projected publication date
264 R #23 01234 abc Production, publication, distribution, manufacture, copyright
270 R #12 #07 abcdefghijklmnpqrz Address
300 R # # abcefg Physical description
306 N # # a Playing time
307 R #8 # ab Hours
310 R # # ab Current publication frequency
321 R # # ab Former publication frequency
335 R # # ab Extension plan
336 R # # ab Content type
337 R # # ab Media type
338 R # # ab Carrier type
340 R # # abcdefghijklmnopq Physical medium
341 R #01 # abcde Accessibility content
342 R 01 012345678 abcdefghijklmnopqrstuvw Geospatial reference data
343 R # # abcdefghi Planar coordinate data
344 R # # abcdefghij Sound characteristics
345 R # # abcd Moving image characteristics
346 R # # ab Video characteristics
347 R # # abcdef Digital file characteristics
348 R # # abcd Notated music characteristics
351 R # # abc Organization and arrangement of materials
352 R # # abcdefgiq Digital graphic representation
353 R # # ab Supplementary content characteristics
355 R 01234589 # abcdefghj Security classification control
357 N # # abcg Originator dissemination control
361 R #01 # afklosuxyz Structured ownership and custodial history
362 R 01 # az Dates of publication and sequential designation
363 R #01 #01 abcdefghijklmuvxz Normalized date and sequential designation
365 R # # abcdefghijkm Trade price
366 R # # abcdefghjkm Trade availability information
370 R # # cfgistuv Associated place
377 R # #7 al Associated language
380 R # # a Form of work
381 R # # auv Other distinguishing characteristics
382 R #0123 #01 abdenprstv Medium of performance
383 R # # abcde Numeric designation of musical work
384 R #01 # a Key
385 R # # abmn Audience characteristics
386 R # # abimn Creator or contributor characteristics
387 R # # abcdefghijklm Representative expression characteristics
388 R #12 # a Time period of creation
440 R # 0-9 anpvwx Series statement and added entry
490 R 01 # alvxyz Series statement
500 R # # a General note
501 R # # a With note
502 R # # abcdgo Dissertation note
504 R # # ab Bibliography note
505 R 0128 #0 agrtu Formatted contents note
506 R #01 # abcdefgqu Restrictions on access
507 N # # ab Scale note for graphic material
508 R # # a Creation and production credits
510 R 01234 # abcux Citation and references
511 R 01 # a Participant or performer note
513 R # # ab Type of report and period covered
514 N # # abcdefghijkmuz Data quality note
515 R # # a Numbering peculiarities note
516 R #8 # a Type of computer file or data
518 R # # adop Date, time and place of an event
520 R #012348 # abcu Summary
521 R #012348 # ab Target audience note
522 R #8 # a Geographic coverage note
524 R #8 # a Preferred citation of described materials
525 R # # a Supplement note
526 R 08 # abcdixz Study programme information
530 R # # abcdu Additional physical form available
532 R 0128 # a Accessibility note
533 R # # abcdefmny Reproduction note
534 R # # abcefklmnoptxz Original version note
535 R 12 # abcdg Location of originals or duplicates
536 R # # abcdefgh Funding information
538 R # # aiu System details
540 R # # abcdfgqu Terms governing use and reproduction
541 R #01 # abcdefhno Immediate source of acquisition
542 R #01 # abcdefghijklmnopqrsu Information relating to copyright status
544 R #01 # abcden Location of other archival materials
545 R #01 # abu Biographical or historical data
546 R # # ab Language note
547 R # # a Former title complexity note
550 R # # a Issuing body note
552 R # # abcdefghijklmnopuz Entity and attribute information
555 R #08 # abcdu Cumulative index or finding aids
556 R #8 # az Information about documentation
561 R #01 # au Ownership and custodial history
562 R # # abcde Copy and version identification
563 R # # au Binding information
565 R #08 # abcde Case file characteristics
567 R #8 # ab Methodology
580 R # # a Linking entry complexity
581 R #8 # az Publications about described materials
583 R #01 # abcdefhijklnouxz Action note
584 R # # ab Accumulation and frequency of use
585 R # # a Exhibitions note
586 R #8 # a Awards note
588 R #01 # a Source of description
600 R 013 01234567 abcdefghjklmnopqrstuvxyz Subject: personal name
610 R 012 01234567 abcdefghklmnoprstuvxyz Subject: corporate name
611 R 012 01234567 acdefghjklnpqstuvxyz Subject: meeting name
630 R 0-9 01234567 adefghklmnoprstvxyz Subject: uniform title
647 R # 01234567 acdgvxyz Subject: named event
648 R #01 01234567 avxyz Subject: chronological term
650 R #012 01234567 abcdegvxyz Subject: topical term
651 R # 01234567 aegvxyz Subject: geographic name
653 R #012 #0123456 a Index term: uncontrolled
654 R #012 # abcevyz Subject: faceted topical terms
655 R #0 01234567 abcvxyz Index term: genre or form
656 R # 7 akvxyz Index term: occupation
657 R # 7 avxyz Index term: function
658 R # # abcd Index term: curriculum objective
662 R # # abcdefgh Subject: hierarchical place name
688 R #7 # aegz Subject: type of entity unspecified
700 R 013 #2 abcdefghijklmnopqrstux Added entry: personal name
710 R 012 #2 abcdefghiklmnoprstux Added entry: corporate name
711 R 012 #2 acdefghijklnpqstux Added entry: meeting name
720 R #12 # ae Added entry: uncontrolled name
730 R 0-9 #2 adfghiklmnoprstx Added entry: uniform title
740 R 0-9 #2 ahnp Added entry: uncontrolled related title
751 R #123 # aeg Added entry: geographic name
752 R # # abcdefgh Added entry: hierarchical place name
753 R # # abc System details access to computer files
754 R # # acdxz Added entry: taxonomic identification
758 R # # ai Resource identifier
760 R 01 #8 abcdghimnostwxy Main series entry
762 R 01 #8 abcdghimnostwxy Subseries entry
765 R 01 #8 abcdghikmnorstuwxyz Original language entry
767 R 01 #8 abcdghikmnorstuwxyz Translation entry
770 R 01 #8 abcdghikmnorstuwxyz Supplement or special issue entry
772 R 01 #08 abcdghikmnorstuwxyz Supplement parent entry
773 R 01 #8 abdghikmnopqrstuwxyz Host item entry
774 R 01 #8 abcdghikmnorstuwxyz Constituent unit entry
775 R 01 #8 abcdefghikmnorstuwxyz Other edition entry
776 R 01 #8 abcdghikmnorstuwxyz Additional physical form entry
777 R 01 #8 abcdghikmnostwxy Issued with entry
780 R 01 01234567 abcdghikmnorstuwxyz Preceding entry
785 R 01 012345678 abcdghikmnorstuwxyz Succeeding entry
786 R 01 #8 abcdghijkmnoprstuvwxyz Data source entry
787 R 01 #8 abcdghikmnorstuwxyz Other relationship entry
788 R 1 # abdeinstwx Parallel description in another language
800 R 013 # abcdefghjklmnopqrstuvwx Series added entry: personal name
810 R 012 # abcdefghklmnoprstuvwx Series added entry: corporate name
811 R 012 # acdefghjklnpqstuvwx Series added entry: meeting name
830 R # 0-9 adfghklmnoprstvwx Series added entry: uniform title
841 N - - abe Holdings coded data values
842 N # # a Textual physical form designator
843 R # # abcdefmn Reproduction note
844 N # # a Name of unit
845 R # # abcdfgqu Terms governing use and reproduction
850 R # # a Holding institution
852 R #012345678 #012 abcdefghijklmnpqstuxz Location
853 R #0123 #0123 abcdefghijklmnopqrstuvwxyz Captions and pattern: basic unit
854 R #0123 #0123 abcdefghijklmnopqrstuvwxyz Captions and pattern: supplementary material
855 R # # abcdefghijklmnopqrstuvwxyz Captions and pattern: indexes
856 R #012347 #012348 abcdefghijklmnopqrstuvwxyz Electronic location and access
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
883 R #012 # acdquwx Metadata provenance
884 R # # agkqu Description conversion information
885 R # # abcdwxz Matching information
886 R 012 # abcdefghijklmnopqrstuvwxyz Foreign MARC information field
887 R # # a Non-MARC information field`

/** A field of MARC 21. */
export interface MarcFieldRule {
  readonly name: string
  readonly isRepeatable: boolean
  /** The characters that each indicator may be; undefined where any is allowed. */
  readonly indicators: readonly [string | undefined, string | undefined]
  /** The letters of its subfields; undefined where any is allowed. */
  readonly subfields: string | undefined
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
        const subfields = letters === '?' || letters === '-' ? undefined : letters
        return [
          tag,
          {
            name: name.join(' '),
            isRepeatable: repeats === 'R',
            indicators: [valuesOf(first), valuesOf(second)],
            subfields
          }
        ] as const
      })
  )

/** The fields of bibliographic records in MARC 21, by tag. */
export const marcFields = readFieldTable(table)
