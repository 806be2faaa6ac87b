/*
 * Texts that would be something else than text, if anything here were put together by hand: SQL,
 * full-text queries, JSON paths, patterns, formats. All of them are different.
 */

const tables = ['entities', 'identifiers', 'versions', 'relations', 'lookups', 'papers', 'changes', 'tokens']
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const quotes = [
  ...[
    "'",
    "''",
    "'''",
    '"',
    '""',
    '"""',
    '`',
    '``',
    "\\'",
    '\\"',
    "\\\\'",
    '%27',
    '%2527',
    "'||'",
    "'+'",
    "' '",
    "';",
    '";',
    '`;',
    "')",
    '")'
  ],
  ...[
    "'))",
    "')))",
    "'))))--",
    ']',
    ']]',
    '[',
    '[x]',
    '\\',
    '\\\\',
    "'\\",
    '\\x27',
    '\\u0027',
    "'/*'",
    "' --",
    '"--',
    "N'x'",
    "x'41'",
    "X'00'"
  ]
]
const unicodeQuotes = [
  ...[
    '‘',
    '’',
    '‘ OR 1=1',
    '’ OR ’1’=’1',
    '“',
    '”',
    '„',
    '«',
    '»',
    '′',
    '″',
    'ʼ',
    'ʹ',
    '＇',
    '＂',
    '｀',
    '＇ OR 1=1--',
    '՚',
    '‛',
    '❛',
    '❜'
  ],
  ...[
    'ʼ; DROP TABLE entities--',
    '\u02b9 OR \u02b91\u02b9=\u02b91',
    '；',
    '；DROP TABLE tokens',
    '－－',
    'ＯＲ １＝１',
    '\u00a0OR\u00a01=1'
  ]
]
const comments = [
  ...[
    '--',
    '-- ',
    '--x',
    '#',
    '# x',
    '/*',
    '*/',
    '/**/',
    '/*!50000*/',
    '/*x*/',
    '-- -',
    ';--',
    "'--",
    "'#",
    "'/*",
    "*/'",
    '--\n',
    '/* */ OR 1=1',
    '\n--\n'
  ]
]
const always = [
  ...[
    "' OR '1'='1",
    "' OR 1=1--",
    "' OR 1=1#",
    "' OR 1=1/*",
    '" OR "1"="1',
    '" OR 1=1--',
    "') OR ('1'='1",
    "') OR 1=1--",
    "' OR 'x' LIKE '%",
    "' OR TRUE--"
  ],
  ...[
    "' OR NOT 0--",
    '1 OR 1=1',
    '1) OR (1=1',
    "' AND 1=0--",
    "' AND '1'='2",
    "admin'--",
    "admin' #",
    "' OR 1 IN (1)--",
    "' OR EXISTS(SELECT 1)--",
    "'=''",
    "'<>'x"
  ],
  ...[
    "' IS NULL OR '",
    "' OR id IS NOT NULL--",
    "' OR rowid>0--",
    "'-0-'",
    "'*1*'",
    "'^'",
    "'&'1",
    "' GLOB '*",
    "' REGEXP '.*",
    "' MATCH 'a",
    "x' OR v.key=v.key--"
  ]
]
const unions = [
  ...numbered(1, 12).map(count => `' UNION SELECT ${numbered(1, count).join(',')}--`),
  ...numbered(1, 6).map(count => `") UNION ALL SELECT ${Array.from({ length: count }, () => 'NULL').join(',')}--`),
  ...tables.map(table => `' UNION SELECT * FROM ${table}--`),
  ...[
    "' UNION SELECT sql FROM sqlite_master--",
    "' UNION SELECT hash FROM tokens--",
    "' INTERSECT SELECT 1--",
    "' EXCEPT SELECT 1--"
  ],
  ...[
    "x') UNION SELECT pk FROM entities--",
    '1 UNION SELECT group_concat(hash) FROM tokens',
    "' UNION VALUES(1,2,3)--",
    "') UNION SELECT 1,2,3,4,5,6,7--"
  ]
]
const stacked = [
  ...tables.map(table => `'; DROP TABLE ${table}; --`),
  ...tables.map(table => `"; DELETE FROM ${table}; --`),
  ...tables.slice(0, 4).map(table => `1; UPDATE ${table} SET type='x'; --`),
  ...[
    "'; ATTACH DATABASE 'evil.db' AS evil; --",
    "'; VACUUM INTO 'copy.db'; --",
    "'; PRAGMA user_version = 99; --",
    "'; PRAGMA writable_schema = ON; --"
  ],
  ...[
    "'; CREATE TABLE evil (x); --",
    "'; CREATE TRIGGER t AFTER INSERT ON entities BEGIN SELECT 1; END; --",
    "'; ROLLBACK; --",
    "'; COMMIT; --",
    "'; BEGIN; --"
  ],
  ...[
    "'; INSERT INTO tokens VALUES ('x','x','x','[\"admin\"]','','',NULL); --",
    "'; REINDEX; --",
    "'; ANALYZE; --",
    "'; ALTER TABLE entities RENAME TO gone; --"
  ],
  ...[
    "'; PRAGMA query_only = OFF; --",
    "'; DETACH DATABASE main; --",
    "'; SAVEPOINT x; --",
    "'; RELEASE request; --",
    "'; INSERT INTO field_text(field_text) VALUES('delete-all'); --"
  ]
]
const clever = [
  ...[
    "' AND CASE WHEN 1=1 THEN 1 ELSE abs(-9223372036854775808) END--",
    "' AND (SELECT count(*) FROM entities)>0--",
    "' AND substr((SELECT hash FROM tokens),1,1)='a'--"
  ],
  ...[
    "' AND randomblob(1000000000)--",
    "' AND load_extension('x')--",
    "' AND readfile('/etc/passwd')--",
    "' AND writefile('x','y')--",
    "' AND sqlite_version()--",
    "' AND zeroblob(999999999)--"
  ],
  ...[
    "' AND (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c)--",
    "' AND like('%',hex(randomblob(500000)))--",
    "' ORDER BY 99--"
  ],
  ...[
    "' LIMIT 0--",
    "' LIMIT -1 OFFSET 0--",
    "' GROUP BY 1 HAVING 1=1--",
    "' COLLATE NOCASE--",
    'CASE WHEN 1 THEN title END',
    '(SELECT 1)',
    'id, (SELECT hash FROM tokens)',
    'e.pk DESC; --'
  ],
  ...[
    'pk',
    'rowid',
    '_rowid_',
    'oid',
    'e.document',
    'document',
    'sqlite_master',
    'main.entities',
    'v.key',
    'NULL',
    '1',
    '-1',
    '0x10',
    '1e9',
    '?',
    '?1',
    ':x',
    '@x',
    '$x',
    '$$',
    '{?}'
  ]
]
const jsonPaths = [
  ...[
    '$',
    '$.',
    '$.x',
    '$.*',
    '$..*',
    "$['x']",
    '$[0]',
    '$[#-1]',
    '$."',
    '$."x"',
    "$.x'",
    '$.x"',
    'x.y',
    'x..y',
    '.x',
    'x.',
    'x[0]',
    '[0]',
    '["x"]',
    '{"x":1}',
    '[1,2]'
  ],
  ...[
    '"]',
    '"}',
    '","b":"',
    '\\",\\"x\\":1',
    '"],["',
    "$.x' OR '1'='1",
    '$.type")--',
    "');--",
    'a|b',
    'catalog:1|',
    'catalog:1|x',
    'properties.',
    'properties..value',
    '.value',
    'a.value',
    'metadata..value',
    'x.value.value',
    'relations.x.key',
    'properties.x.name',
    '/a/b',
    '~0~1',
    '/'
  ]
]
const fullText = [
  ...[
    'a AND b',
    'a OR b',
    'a NOT b',
    'NOT a',
    'NEAR(a b)',
    'NEAR(a b, 5)',
    'NEAR',
    'AND',
    'OR',
    'NOT',
    '^a',
    'a^',
    '^',
    'a*',
    '*a',
    'a*b',
    '**',
    '* *',
    '"a b"',
    '"a',
    'a"',
    '""a""',
    '(a)',
    '(a',
    'a)',
    '()'
  ],
  ...[
    'folded:a',
    'folded : a',
    '{folded} : a',
    '- folded : a',
    '-a',
    '+a',
    'a + b',
    'a:b',
    ':',
    'col:',
    '{a b}:c',
    'a NEAR/3 b',
    'rank',
    'rank:1',
    'field_text',
    'field_text MATCH 1',
    'a,b',
    'a;b',
    'bm25(field_text)',
    "highlight(field_text,0,'','')",
    '"a" AND "b"',
    '"abc" OR "def"',
    '"x" NOT "y"',
    '^"a"',
    'a\u0000b'
  ]
]
const patterns = [
  ...[
    '%',
    '%%',
    '_',
    '__',
    '%a%',
    'a%',
    '%a',
    'a_b',
    '\\%',
    '\\_',
    '\\\\%',
    '%\\',
    '%25',
    '[a-z]',
    '[^a]',
    '?a?',
    'a?',
    '^%$',
    '.*',
    '.+',
    '^$',
    '(a+)+$',
    '(?:x)',
    '\\d+',
    '[',
    '[]',
    '[!]',
    '{a,b}',
    "%' ESCAPE '%",
    "_' ESCAPE '_"
  ].map(each => each),
  ...['!%', '|%', '％', '＿', '％％', '*%*', '%*%', '\\*', '\\\\*', '*\\', '*\\%*', '_*_']
]
const documents = [
  ...[
    '{"$gt":""}',
    '{"$ne":null}',
    '{"$where":"1"}',
    '{"$regex":".*"}',
    '[$ne]=1',
    '$where',
    '$gt',
    '|| 1==1',
    "'; return true; var x='",
    'db.dropDatabase()',
    'this.constructor',
    '__proto__',
    'constructor',
    'prototype'
  ],
  ...['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length', 'then']
]
const nothings = [
  'null',
  'NULL',
  'nil',
  'None',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  'false',
  '0',
  '-0',
  '00',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\u200b',
  '\ufeff',
  '\u00a0',
  '.',
  '..',
  '...',
  '-',
  'x'.repeat(512),
  "'".repeat(512),
  '%'.repeat(512)
]
const formats = [
  ...[
    '%s',
    '%d',
    '%n',
    '%x%x%x',
    '%1$s',
    '%.1000d',
    '{0}',
    '{}',
    '{{7*7}}',
    ['$', '{7*7}'].join(''),
    '#{7*7}',
    '<%= 7*7 %>',
    ['$', '{jndi:ldap://x/a}'].join(''),
    '$(id)',
    '`id`',
    '; id',
    '| id',
    '&& id',
    '\\n',
    '\\0',
    '%00',
    '%0a',
    '%0d%0aSet-Cookie: x=y',
    '\r\nX-Y: z'
  ],
  ...[
    '../',
    '../../etc/passwd',
    '..\\..\\',
    'file:///etc/passwd',
    '//evil.example',
    'javascript:alert(1)',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    '&lt;',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '<!DOCTYPE x>',
    '*)(uid=*',
    ')(cn=*))',
    "x' or name()='a",
    '=1+1',
    '@SUM(1)',
    '+1',
    '\u202etxt',
    '\u0007',
    '\u001b[31m'
  ]
]

export const payloads: readonly string[] = [
  ...new Set([
    ...quotes,
    ...unicodeQuotes,
    ...comments,
    ...always,
    ...unions,
    ...stacked,
    ...clever,
    ...jsonPaths,
    ...fullText,
    ...patterns,
    ...documents,
    ...nothings,
    ...formats
  ])
]
