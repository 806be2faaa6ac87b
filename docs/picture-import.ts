/**
 * An invented file for the pictures of an import: a work in two editions and a translation, two
 * titles that may be the same, and a record without a title.
 */
const records: Readonly<Record<string, readonly string[]>> = {
  'bib-2042': [
    '=020  \\\\$a9789025701017',
    '=100  1\\$aVerhoeven, Mila,$d1911-1984',
    '=245  14$aThe salt road :$ba novel /$cMila Verhoeven.',
    '=264  \\1$aGent :$bDe Kade,$c1951.',
    '=650  \\0$aSalt'
  ],
  'bib-2043': [
    '=100  1\\$aVerhoeven, Mila,$d1911-1984',
    '=245  14$aThe salt road /$cMila Verhoeven.',
    '=250  \\\\$a2nd ed.',
    '=264  \\1$aGent :$bDe Kade,$c1963.'
  ],
  'bib-2044': [
    '=041  1\\$adut$heng',
    '=100  1\\$aVerhoeven, Mila',
    '=240  10$aSalt road.$lDutch',
    '=245  13$aDe zoutweg /$cMila Verhoeven ; vertaald door Eva Lind.',
    '=700  1\\$aLind, Eva$4trl',
    '=264  \\1$aGent :$bDe Kade,$c1955.'
  ],
  'bib-2045': [
    '=100  1\\$aOudaert, Lies,$d1921-1990',
    '=245  14$aThe watchtower /$cLies Oudaert.',
    '=264  \\1$aGent :$bDe Kade,$c1950.'
  ],
  'bib-2046': [
    '=100  1\\$aOudaert, Lies,$d1921-1990',
    '=245  14$aThe watchtowers /$cLies Oudaert.',
    '=264  \\1$aGent :$bDe Kade,$c1951.'
  ],
  'bib-2047': ['=100  1\\$aOkafor, Ben', '=264  \\1$aLagos :$bQuay,$c1999.']
}

const languages: Readonly<Record<string, string>> = { 'bib-2044': 'dut' }

export const pictureImport = Buffer.from(
  Object.entries(records)
    .map(([number, fields]) =>
      [
        '=LDR  00000nam a2200000 a 4500',
        `=001  ${number}`,
        `=008  970513s1997    be            000 1 ${languages[number] ?? 'eng'} d`,
        ...fields,
        ''
      ].join('\n')
    )
    .join('\n')
)
