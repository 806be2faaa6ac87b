import { readFieldTable } from './marc-fields.ts'

/* Each field for a name that is not used (4XX) has one like it for a related heading (5XX). */
const seeFrom = `400 R 013 # abcdefghijklmnopqrstvwxyz See from: personal name
410 R 012 # abcdefghiklmnoprstvwxyz See from: corporate name
411 R 012 # acdefghijklnpqstvwxyz See from: meeting name
430 R # 0-9 adfghiklmnoprstvwxyz See from: uniform title
447 R # # acdgivwxyz See from: named event
448 R # # aivwxyz See from: chronological term
450 R # # abgivwxyz See from: topical term
451 R # # agivwxyz See from: geographic name
455 R # # aivwxyz See from: genre or form term
462 R # # aiw See from: medium of performance term
480 R # # ivwxyz See from: general subdivision
481 R # # ivwxyz See from: geographic subdivision
482 R # # ivwxyz See from: chronological subdivision
485 R # # ivwxyz See from: form subdivision`

/* The fields of authority records in MARC 21, in the form of the table of bibliographic records. */
const table = `
001 N - - - Control number
003 N - - - Control number identifier
005 N - - - Date and time of latest transaction
008 N - - - Fixed-length data elements
010 N # # az Library of Congress control number
014 R 01 # abz Link to bibliographic record for serial or multipart item
016 R #7 # az National bibliographic agency control number
020 R # # acqz International standard book number
022 R # # alyz International standard serial number
024 R 78 # acdqz Other standard identifier
031 R # # abcdegmnopqrstuyz Musical incipits information
034 R # # defgstxyz Coded cartographic mathematical data
035 R # # az System control number
040 N # # abcdef Cataloguing source
042 N # # a Authentication code
043 N # # abc Geographic area code
045 N #012 # abc Time period of heading
046 R # # fgklopqrstuvxz Special coded dates
050 R #01 04 abd Library of Congress call number
052 R #17 # abd Geographic classification
053 R #01 04 abc LC classification number
055 R # 04 abd Library and Archives Canada call number
060 R #01 04 abd National Library of Medicine call number
065 R # # abc Other classification number
066 N # # c Character sets present
070 R # # abd National Agricultural Library call number
072 R # 07 ax Subject category code
073 N # # az Subdivision usage
075 R # # ab Type of entity
080 R #01 # abx Universal Decimal Classification number
082 R 017 #04 abdmq Dewey Decimal call number
083 R 017 # acmqyz Dewey Decimal Classification number
086 R #01 # adz Government document call number
087 R # # az Government document classification number
100 N 013 # abcdefghjklmnopqrstvxyz Heading: personal name
110 N 012 # abcdefghklmnoprstvxyz Heading: corporate name
111 N 012 # acdefghjklnpqstvxyz Heading: meeting name
130 N # 0-9 adfghklmnoprstvxyz Heading: uniform title
147 N # # acdgvxyz Heading: named event
148 N # # avxyz Heading: chronological term
150 N # # abgvxyz Heading: topical term
151 N # # agvxyz Heading: geographic name
155 N # # avxyz Heading: genre or form term
162 N # # a Heading: medium of performance term
180 N # # vxyz Heading: general subdivision
181 N # # vxyz Heading: geographic subdivision
182 N # # vxyz Heading: chronological subdivision
185 N # # vxyz Heading: form subdivision
260 R # # ai Complex see reference: subject
334 R # # ab Mode of issuance
335 R # # ab Extension plan
336 R # # ab Content type
348 R # # abc Format of notated music
360 R # # ai Complex see also reference: subject
361 R # # abfkloprsuxy Ownership and custodial history
368 R # # abcdstuv Other attributes of person or corporate body
370 R # # abcefgistuv Associated place
371 R # # abcdemstuvz Address
372 R # # astuv Field of activity
373 R # # astuv Associated group
374 R # # astuv Occupation
375 R # # astuv Gender
376 R # # abcstuv Family information
377 R # #7 al Associated language
378 N # # quv Fuller form of personal name
380 R # # a Form of work
381 R # # auv Other distinguishing characteristics
382 R #0123 #01 abdenprstv Medium of performance
383 R # # abcde Numeric designation of musical work
384 N #01 # a Key
385 R # # abmn Audience characteristics
386 R # # abimn Creator or contributor characteristics
387 R # # abcdefghijklm Representative expression characteristics
388 R #12 # a Time period of creation
${seeFrom}
${seeFrom.replaceAll(/^4/gm, '5').replaceAll('See from', 'See also')}
640 R 01 # az Series dates of publication or volume designation
641 R # # az Series numbering peculiarities
642 R # # ad Series numbering example
643 R # # abd Series place and publisher
644 R # # abd Series analysis practice
645 R # # ad Series tracing practice
646 R # # ad Series classification practice
663 N # # abt Complex see also reference: name
664 N # # abt Complex see reference: name
665 N # # a History reference
666 N # # a General explanatory reference: name
667 R # # a Nonpublic general note
670 R # # abuw Source data found
672 R #01 0-9 abfw Title related to the entity
673 R #01 0-9 abfw Title not related to the entity
675 N # # a Source data not found
677 R # # abuv Definition
678 R #01 # abu Biographical or historical data
680 R # # ai Public general note
681 R # # ai Subject example tracing note
682 N # # ai Deleted heading information
688 R # # a Application history note
700 R 013 01234567 abcdefghjklmnopqrstvwxyz Linking entry: personal name
710 R 012 01234567 abcdefghklmnoprstvwxyz Linking entry: corporate name
711 R 012 01234567 acdefghjklnpqstvwxyz Linking entry: meeting name
730 R # 01234567 adfghklmnoprstvwxyz Linking entry: uniform title
747 R # 01234567 acdgvwxyz Linking entry: named event
748 R # 01234567 avwxyz Linking entry: chronological term
750 R #012 01234567 abgvwxyz Linking entry: topical term
751 R # 01234567 agvwxyz Linking entry: geographic name
755 R # 01234567 avwxyz Linking entry: genre or form term
762 R # 01234567 aw Linking entry: medium of performance term
780 R # 01234567 vwxyz Linking entry: general subdivision
781 R # 01234567 vwxyz Linking entry: geographic subdivision
782 R # 01234567 vwxyz Linking entry: chronological subdivision
785 R # 01234567 vwxyz Linking entry: form subdivision
788 R 0123 0-9 abcdefghijklmnopqrstuvwxyz Complex linking entry data
856 R #012347 #0128 cdefghlmnopqrstuvwxyz Electronic location and access
857 R #147 #0128 bcdefghlmnqrstuxyz Electronic archive location and access
880 R ? ? ? Alternate graphic representation
883 R #012 # acdquwx Metadata provenance
884 R # # agkqu Description conversion information
885 R # # abcdwxz Matching information`

/** The fields of authority records in MARC 21, by tag. */
export const marcAuthorityFields = readFieldTable(table)
