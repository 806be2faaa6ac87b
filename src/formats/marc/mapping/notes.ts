/*
 * Words in notes that introduce the title of the original. They are phrases of cataloguing practice
 * in several languages, not titles.
 */

/** Finds the original title in a note, as the first group. */
export const introducesOriginal =
  /(?:^|[.;,(]\s*)(?:(?:this is an? )?(?:\w+ )?translation of|translated from the original(?: \w+)?|originally published(?: in \w+)? (?:as|under the title)|original(?:ly)? title|title of the original|orig\. title|oorspr(?:onkelijke|\.)? ?(?:titel|uitg(?:ave|\.)?)|vert(?:aling|\.)? van|titre original|trad(?:uction|uit|\.) de|titel des originals|originaltitel|orig(?:inal)?-?tit\.?|einheitssacht\.?|título original|titulo original|trad(?:ucción|\.) de|titolo originale|trad(?:uzione|\.) di|originalens titt?el|originaltittel)\s*(?:[:=]|\bthe\b(?= work)|)\s*["“«']?\s*([^"”»/;]+)/iu

/** Words in $i of a title that our own records give to the work or the text, by its level. */
export const levelTitles = { work: 'Title of the work:', expression: 'Title of the text:' } as const

/** Finds words in $i by which a title is one of the work, the text or the original. */
export const introducesOtherLevel: readonly RegExp[] = [introducesOriginal, /^Title of the (?:work|text):/]
