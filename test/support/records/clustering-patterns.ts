import type { Shelf } from './marc-lines.ts'

/*
 * Patterns of real files in which works are found wrongly or missed, each as records that are made
 * up and the works that they are of. A line of `works` lists mentions of one work, `a b#1`;
 * mentions that stand in no line are not measured. Patterns that hang on words come in several
 * languages.
 */

export interface Pattern {
  readonly name: string
  readonly cases: readonly PatternCase[]
}

export interface PatternCase {
  readonly shelf: Shelf
  readonly works: readonly string[]
  /** Expressions, where the pattern is about them. */
  readonly expressions?: readonly string[]
}

const mila = '100 1# $aVerhoeven, Mila,$d1911-1984.'
const each = <T>(list: readonly T[], make: (item: T, place: number) => PatternCase): PatternCase[] => list.map(make)

export const patterns: readonly Pattern[] = [
  {
    name: 'same form of music, no number (240)',
    cases: each(['Sonatas,$mviolin, continuo', 'Trios,$mpiano, strings', 'Quartets', 'Motets', 'Cantatas'], form => ({
      shelf: {
        a: `LDR/06 c\n${mila}\n240 10 $a${form}\n245 10 $aXII opera prima nova.`,
        b: `LDR/06 c\n${mila}\n240 10 $a${form}\n245 10 $aSei pezzi dedicati al duca.`,
        c: `LDR/06 c\n${mila}\n240 10 $a${form}\n245 10 $aXII opera prima nova.`
      },
      works: ['a c', 'b']
    }))
  },
  {
    name: 'same form of music, other opus or number',
    cases: each(['op. 1', 'no. 5', 'op. 3, no. 2', 'BWV 1001', 'K. 331'], number => ({
      shelf: {
        a: `LDR/06 c\n${mila}\n240 10 $aSonatas,$mpiano,$n${number}\n245 10 $aSonata.`,
        b: `LDR/06 c\n${mila}\n240 10 $aSonatas,$mpiano,$n${number}\n245 10 $aGrand sonata for pianoforte.`,
        c: `LDR/06 c\n${mila}\n240 10 $aSonatas,$mpiano,$nop. 99\n245 10 $aSonata.`
      },
      works: ['a b', 'c']
    }))
  },
  {
    name: 'form titles without uniform title',
    cases: each(
      [
        ['Letters', 'to his mother', 'to his publisher'],
        ['Contes', 'de la mer', 'de la forêt'],
        ['Verhalen', 'uit het noorden', 'uit het zuiden'],
        ['Gedichte', 'aus dem Krieg', 'aus dem Frieden'],
        ['Dikt', 'fra havet', 'fra fjellet']
      ] as const,
      ([title, one, other]) => ({
        shelf: {
          a: `${mila}\n245 10 $a${title} :$b${one}.`,
          b: `${mila}\n245 10 $a${title} :$b${other}.`,
          c: `${mila}\n245 10 $a${title} :$b${one}.`
        },
        works: ['a c', 'b']
      })
    )
  },
  {
    name: 'documents of a body: reports, bulletins, programmes',
    cases: each(
      ['Annual report', 'Bulletin', 'Programme', 'Jaarverslag', 'Rapport', 'Tätigkeitsbericht', 'Årsberetning'],
      title => ({
        shelf: {
          a: `110 2# $aHarbour Board.\n245 10 $a${title}.\n264 #1 $c1951.\n490 0# $aPapers ;$v12`,
          b: `110 2# $aHarbour Board.\n245 10 $a${title}.\n264 #1 $c1987.\n490 0# $aPapers ;$v48`,
          c: `110 2# $aHarbour Board.\n245 10 $a${title}.\n264 #1 $c1951.\n490 0# $aPapers ;$v12`
        },
        works: ['a c', 'b']
      })
    )
  },
  {
    name: 'same title, other number in one series',
    cases: each(
      [
        [mila, 'Birds'],
        [mila, 'Sea birds'],
        ['110 2# $aHarbour Board.', 'Tides and currents of the coast']
      ] as const,
      ([author, title]) => ({
        shelf: {
          a: `008/33 0\n${author}\n245 10 $a${title}.\n490 0# $aCoast papers ;$v12`,
          b: `008/33 0\n${author}\n245 10 $a${title}.\n490 0# $aCoast papers ;$v31`,
          c: `008/33 0\n${author}\n245 10 $a${title}.\n250 ## $a2nd ed.\n490 0# $aCoast papers ;$v12`
        },
        works: ['a c', 'b']
      })
    )
  },
  {
    name: 'one book, other numbers in a series of its publisher',
    cases: each(
      [
        ['1', 'Birds', ''],
        ['0', 'Tides and currents of the coast', ''],
        ['0', 'Birds', '533 ## $aMicrofilm.$d1999.']
      ] as const,
      ([form, title, copy]) => ({
        shelf: {
          a: `008/33 ${form}\n${mila}\n245 10 $a${title}.\n490 1# $aPocket books ;$v1012\n${copy}`,
          b: `008/33 ${form}\n${mila}\n245 10 $a${title}.\n490 1# $aPocket books ;$v1031\n${copy}`
        },
        works: ['a b']
      })
    )
  },
  {
    name: 'names keep their letters',
    cases: each(
      [
        ['Müller, Anna', 'Muller, Anna'],
        ['Pérez, Ana', 'Perez, Ana'],
        ['Sørensen, Ida', 'Sorensen, Ida']
      ] as const,
      ([one, other]) => ({
        shelf: {
          a: `100 1# $a${one},$d1911-\n245 10 $aThe salt road.`,
          b: `100 1# $a${other},$d1950-\n245 10 $aThe salt road.`
        },
        works: ['a', 'b']
      })
    )
  },
  {
    name: 'titles keep their letters',
    cases: [
      ...each(
        [
          ['Pêche', 'Péché'],
          ['Über den Stürmen', 'Über den Stúrmen'],
          ['Kär lek', 'Kår lek']
        ] as const,
        ([one, other]) => ({
          shelf: {
            a: `${mila}\n245 10 $a${one}.`,
            b: `${mila}\n245 10 $a${other}.`,
            c: `${mila}\n245 10 $a${one.toUpperCase()}.`
          },
          works: ['a c', 'b']
        })
      ),
      ...each(['Les misérables', 'Vår ätt', 'Die Brücke über den Fluß'], title => ({
        shelf: {
          a: `${mila}\n245 10 $a${title.normalize('NFD').replaceAll(/\p{M}/gu, '')}.`,
          b: `${mila}\n245 10 $a${title}.`
        },
        works: ['a b']
      }))
    ]
  },
  {
    name: 'two uniform titles in one record',
    cases: each(['Salt road', 'Zoutweg'], title => ({
      shelf: {
        both: `${mila}\n240 10 $a${title}\n240 10 $aSilver road\n245 10 $a${title} ; and, Silver road.`,
        a: `${mila}\n240 10 $a${title}\n245 10 $a${title}.`,
        b: `${mila}\n240 10 $aSilver road\n245 10 $aThe silver road.`
      },
      works: ['a both#1', 'b both#2', 'both']
    }))
  },
  {
    name: 'contained works are entered once',
    cases: each(['740 02', '740 0#'], tag => ({
      shelf: {
        all: `${mila}\n245 10 $aThree roads.\n505 0# $aDe zoutweg -- De zilverweg\n700 12 $aVerhoeven, Mila,$d1911-1984.$tSalt road.\n700 12 $aVerhoeven, Mila,$d1911-1984.$tSilver road.\n${tag} $aSalt road`,
        a: `${mila}\n240 10 $aSalt road\n245 10 $aThe salt road.`,
        b: `${mila}\n240 10 $aSilver road\n245 10 $aThe silver road.`
      },
      works: ['a all#1', 'b all#2', 'all']
    }))
  },
  {
    name: 'translators in the statement of responsibility',
    cases: each(
      [
        ['traducción del inglés de Eva Lind', 'traducido por Eva Lind', 'spa'],
        ['traduit de l’anglais par Eva Lind', 'traduction Eva Lind', 'fre'],
        ['fra engelsk av Eva Lind', 'oversatt av Eva Lind', 'nor'],
        ['vertaald uit het Engels door Eva Lind', 'vert. Eva Lind', 'dut'],
        ['aus dem Englischen von Eva Lind', 'übersetzt von Eva Lind', 'ger'],
        ['översättning: Eva Lind', 'översatt av Eva Lind', 'swe'],
        ['på dansk ved Eva Lind', 'oversat af Eva Lind', 'dan'],
        ['traduzione di Eva Lind', 'tradotto da Eva Lind', 'ita'],
        ['tradução de Eva Lind', 'traduzido por Eva Lind', 'por'],
        ['translated from the Dutch by Eva Lind', 'tr. by Eva Lind', 'eng'],
        ['suomentanut Eva Lind', 'suom. Eva Lind', 'fin'],
        ['přeložila Eva Lind', 'z angličtiny přeložila Eva Lind', 'cze'],
        ['przełożyła Eva Lind', 'tłum. Eva Lind', 'pol']
      ] as const,
      ([one, other, language]) => ({
        shelf: {
          a: [`${mila}\n240 10 $aZoutweg\n245 10 $aSaltroute /$cMila Verhoeven ; ${one}.`, language],
          b: [`${mila}\n240 10 $aZoutweg\n245 10 $aSaltroute /$cMila Verhoeven ; ${other}.`, language],
          c: [`${mila}\n240 10 $aZoutweg\n245 10 $aSaltpfad /$cMila Verhoeven.\n700 1# $aMoreau, Ada$4trl`, language]
        },
        works: ['a b c'],
        expressions: ['a b', 'c']
      })
    )
  },
  {
    name: 'forms in words',
    cases: each(
      [
        ['a play in two acts', 'a novel'],
        ['screenplay', 'a novel'],
        ['toneelstuk in drie bedrijven', 'roman'],
        ['pièce en trois actes', 'roman'],
        ['Schauspiel in drei Akten', 'Roman'],
        ['skuespill i tre akter', 'roman'],
        ['a graphic novel', 'a novel'],
        ['libretto', 'a novel']
      ] as const,
      ([form, other]) => ({
        shelf: {
          a: `${mila}\n245 10 $aThe salt road :$b${form}.`,
          b: `${mila}\n245 10 $aThe salt road :$b${other}.`,
          c: `${mila}\n245 10 $aThe salt road :$b${form}.\n250 ## $a2nd ed.`
        },
        works: ['a c', 'b']
      })
    )
  },
  {
    name: 'levels and parts of courses',
    cases: each(
      [
        ['teacher’s book', 'student’s book'],
        ['corrigés', 'livre de l’élève'],
        ['Lehrerhandbuch', 'Schülerbuch'],
        ['docentenboek', 'leerlingenboek']
      ] as const,
      ([one, other]) => ({
        shelf: {
          a: `${mila}\n245 10 $aEnglish for sailors :$b${one}.`,
          b: `${mila}\n245 10 $aEnglish for sailors :$b${other}.`,
          c: `${mila}\n245 10 $aEnglish for sailors.$nLevel 2`,
          d: `${mila}\n245 10 $aEnglish for sailors.$nLevel 3`
        },
        works: ['a', 'b', 'c', 'd']
      })
    )
  },
  {
    name: 'volumes as physical units',
    cases: each(['Bd. 1', 'vol. 2', 'deel 1', '1. Pbd.', 't. 2'], volume => ({
      shelf: {
        a: `${mila}\n245 10 $aThe salt road.$n${volume}`,
        b: `${mila}\n245 10 $aThe salt road.`
      },
      works: ['a b']
    }))
  },
  {
    name: 'wrapped titles',
    cases: each(
      [
        'The salt road, a novel',
        'Mila Verhoeven’s The salt road',
        'The salt road, etc.',
        'The salt road (2nd edition)',
        'De zoutweg : roman'
      ],
      (title, place) => ({
        shelf: {
          a: `${mila}\n245 10 $a${title}.`,
          b: `${mila}\n245 10 $a${place === 4 ? 'De zoutweg' : 'The salt road'}.`
        },
        works: ['a b']
      })
    )
  },
  {
    name: 'no main entry',
    cases: each(['by', 'door', 'par', 'von', 'av'], word => ({
      shelf: {
        a: `245 10 $aThe salt road /$c${word} Mila Verhoeven.`,
        b: `${mila}\n245 10 $aThe salt road.`,
        c: '245 10 $aThe salt road /$cadapted by Ben Okafor ; illustrated by Ada Moreau.'
      },
      works: ['a b', 'c']
    }))
  },
  {
    name: 'identifiers without agreement',
    cases: each(['$0 3902270', '$0https://works.example/7'], number => ({
      shelf: {
        a: `LDR/06 c\n${mila}\n240 10 $aPièces${number}\n245 10 $aPièces de clavecin, premier livre.`,
        b: `LDR/06 c\n100 1# $aLind, Eva\n240 10 $aPièces${number}\n245 10 $aPièces pour la viole.`
      },
      works: ['a', 'b']
    }))
  }
]
