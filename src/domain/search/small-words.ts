/*
 * Articles, prepositions and conjunctions. A search does not require them: somebody who writes
 * `macbeth by shakespeare` looks for a record that says "by" nowhere.
 */

const smallWordsOfLanguages: readonly string[] = [
  'a an and at by for from in of on or the to with',
  'aan de den der door een en het in met of op te ten ter van voor',
  'a au aux avec d dans de des du en et l la le les par pour sur un une',
  'am an auf das dem den der des die ein eine im in mit und von vom zu zum zur'
]

export const smallWords: ReadonlySet<string> = new Set(smallWordsOfLanguages.flatMap(words => words.split(' ')))
