/** Fields that a house begins its MARC records with. */
export interface RecordTemplate {
  readonly name: string
  /** The fields as the MARC editor has them, one on each line: `245 10 $a :$b /$c`. */
  readonly lines: string
}

/** Maximum number of lines of a template, and of characters in one. */
const maxLines = 200
const maxLine = 2000

/** The forms of a line: the leader, a control field, a data field. */
const forms = [/^LDR .{24}$/, /^00\d ./, /^[0-9A-Za-z]{3} [0-9a-z# |]{2} ?\$[0-9A-Za-z]/]

/** The fault of the lines of a template, as the end of a sentence; undefined if there is none. */
export function faultOfLines(text: string): string | undefined {
  const lines = text.split('\n').filter(each => each.trim() !== '')
  if (lines.length === 0) return 'has no field'
  if (lines.length > maxLines) return `has ${lines.length} lines; at most ${maxLines} are allowed`
  const wrong = lines.find(line => line.length > maxLine || !forms.some(form => form.test(line)))
  return wrong === undefined
    ? undefined
    : `has a line that is no field such as 245 10 $a, nor a leader of 24 characters: "${wrong.slice(0, 80)}"`
}
