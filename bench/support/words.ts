import type { Chance } from './random.ts'

/*
 * Words for titles and names. The first hundred or so are written down, since they are what people
 * search for; the thousands of rare ones are put together from syllables.
 */

/** From the most used to the least. */
const titleWords =
  `de het een van the en of and in a leven liefde water nacht huis stad tijd kind moeder vader wereld zomer winter man vrouw
   boek verhaal geheim weg zee licht donker oorlog vrede dood vriend broer zus dochter zoon hart hand stem stilte vuur aarde lucht
   dag jaar morgen avond oude nieuwe kleine grote laatste eerste verloren gouden blauwe rode zwarte witte groene love life night
   house city time child mother father world summer winter story secret road light dark war peace death friend history garden river
   mountain island stone bird horse wolf forest tree rose king queen prince ghost shadow dream memory letter song dance bread salt
   koning koningin prins schaduw droom herinnering brief lied dans brood zout tuin rivier berg eiland steen vogel paard bos boom
   geschiedenis reis kaart muziek toneel schilder keuken fiets trein schip kapitein detective moord spoor sleutel deur venster`
    .trim()
    .split(/\s+/)

const beginnings =
  'aar bel bran caro dam del ever flo gal gro hal her hol ijs jan kam ker kla lan lief ma mer mol nar noor oes pal pol quin ran rijs rot sal schel ster tal ter tor uil van ver vlie wal wes wil zan ze zil'.split(
    ' '
  )
const middles =
  'a an ar be ber da de den der di do e el en er ga ge go i in ka ke la le len li lo ma me mi na ne ni o on or ra re ri ro sa se ta te ti to ve vi'.split(
    ' '
  )
const endings =
  'aard berg beek broek brug burg dal dijk dorp drecht en gem hem hof hoven huis huizen kamp kerk kant kens land ling loo man meer mond naar rade rode schot sel sen sma stede steen stein stra veen veld vliet voort waard weg wijk zang zee ziel zoon'.split(
    ' '
  )

/** Returns a number of words, the most frequent first. */
export function createVocabulary(chance: Chance, size: number): readonly string[] {
  const words = new Set(titleWords)
  while (words.size < size) words.add(madeWord(chance))
  return [...words]
}

export function madeWord(chance: Chance): string {
  const middle = chance.is(0.7) ? chance.one(middles) : ''
  const further = chance.is(0.3) ? chance.one(middles) : ''
  return chance.one(beginnings) + middle + further + chance.one(endings)
}

export const givenNames =
  `Anna Jan Maria Willem Els Karel Sofie Pieter Louise Hugo Emma Thomas Nora Lucas Fatima Mohamed Aïcha Björn Chloé Dirk Eva Frans
   Greet Hendrik Inge Joris Katrien Lode Marieke Nele Oscar Paula Quinten Renée Simon Tine Ursula Victor Wout Xavier Yasmina Zoë André
   José Zoltán Łukasz Søren`
    .trim()
    .split(/\s+/)

export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
