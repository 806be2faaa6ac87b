/**
 * Genres that tell two works with one title apart. Words that do not (Collection, Non-fiction) are
 * left out.
 */
const genres: readonly (readonly [genre: string, words: RegExp])[] = [
  ['screenplay', /\bscreenplay|\bscenario|\bfilm ?script/],
  ['film', /\bmovie|\bfilm|\bmotion picture|\btelevision|\btv\b/],
  ['radio play', /\bradio/],
  ['graphic novel', /\bgraphic|\bcomic|\bstripverhaal|\bbande dessinee|\btegneserie|\bmanga/],
  ['short story', /\bshort stor|\bnovelle|\bkort ?verhaal|\bnouvelle/],
  ['novel', /\bnovel|\broman/],
  ['drama', /\bplay|\bdrama|\btheat|\btoneel/],
  ['poem', /\bpoem|\bgedicht|\bdikt|\bpoeme/],
  ['music', /\bmusic|\bopera|\bsong|\bballet/],
  ['essay', /\bessay/]
]

/** The genre that a text names, if it is one that tells works apart. */
export function genreOf(form: string | undefined): string | undefined {
  return form === undefined ? undefined : genres.find(([, words]) => words.test(form))?.[0]
}
