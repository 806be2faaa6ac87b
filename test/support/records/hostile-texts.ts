/** Texts that are bad for one scanner or another. Each has about so many characters. */
export const hostileTexts: Readonly<Record<string, (size: number) => string>> = {
  spaces: size => ' '.repeat(size),
  letters: size => 'a'.repeat(size),
  words: size => 'ab '.repeat(size / 3),
  'open tags': size => '<a '.repeat(size / 3),
  'closed tags': size => '</p>'.repeat(size / 4),
  ampersands: size => '&'.repeat(size),
  quotes: size => '"'.repeat(size),
  'quotes in lines': size => '"a"b\n'.repeat(size / 5),
  braces: size => '{"a":['.repeat(size / 6),
  'line ends': size => '\r\n'.repeat(size / 2),
  'carriage returns': size => 'x\r'.repeat(size / 2),
  marks: size => '\ufeff"'.repeat(size / 2),
  separators: size => ',;\t|'.repeat(size / 4),
  diacritics: size => 'e\u0301'.repeat(size / 2),
  // Folding makes four words of each.
  ligatures: size => '\ufdfa'.repeat(size),
  backslashes: size => '\\'.repeat(size),
  delimiters: size => '\u001e\u001f\u001d'.repeat(size / 3),
  comments: size => '<!--'.repeat(size / 4),
  digits: size => '0'.repeat(size),
  dots: size => '.'.repeat(size),
  'digits before a letter': size => `${'1'.repeat(size)}a`,
  'dashes before a semicolon': size => `${'-'.repeat(size)};`,
  'spaces before a letter': size => `${' '.repeat(size)}a`,
  'times of day': size => '0T0 0 '.repeat(size / 6)
}
