import type { MadeRecord } from './made-collection.ts'

/*
 * Invented records about further points of the rules of cataloguing: adaptations by others, authors
 * with a namesake, aggregates that name their parts in three ways, titles with a description, law
 * and scripture, numbered documents, recordings. They were written before their first measurement;
 * bench/README.md has its figures.
 */

/** Rows: name; language; works, with `+` between; expression; lines. */
const rows = `
reef | eng | Reef | Reef-en | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 14 $aThe reef pilot /$cMaja Lindqvist. | 264 #1 $aOslo,$c1966.
reef-2 | eng | Reef | Reef-en | 100 1# $aLindqvist, Maja. | 245 14 $aThe reef pilot. | 250 ## $a2nd ed. | 264 #1 $c1971.
reef-penguin | eng | Reef | Reef-en | 100 1# $aLindqvist, M.$q(Maja) | 245 14 $aThe reef-pilot : $ba novel | 264 #1 $c1980. | 490 1# $aHarbour paperbacks ;$v418
reef-fi | fin | Reef | Reef-fi | 041 1# $afin$heng | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 10 $aRiutan vartija /$cMaja Lindqvist ; suomentanut Aino Salo. | 500 ## $aAlkuteos: The reef pilot. | 700 1# $aSalo, Aino,$etrl
reef-pl | pol | Reef | Reef-pl | 041 1# $apol$heng | 100 1# $aLindqvist, Maja$d(1931-2004). | 245 10 $aStrażnik rafy /$cMaja Lindqvist ; przełożył Jan Wilk. | 500 ## $aTytuł oryginału: The reef pilot.
reef-tr | tur | Reef | Reef-tr | 041 1# $atur$heng | 100 1# $aLindqvist, Maja. | 240 14 $aThe reef pilot.$lTurkish | 245 10 $aResif bekçisi.
reef-ko | kor | Reef | Reef-ko | 041 1# $akor$heng | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 10 $aAmch'o chigi | 500 ## $a원제: The reef pilot
reef-film | eng | Reef-film | Reef-film | LDR/06 g | 245 04 $aThe reef pilot$h[videorecording] /$cdirected by Ivo Marsh. | 264 #1 $c1977. | 700 1# $aMarsh, Ivo,$edirector. | 700 1# $aLindqvist, Maja,$d1931-2004.$tReef pilot.
reef-film-dvd | eng | Reef-film | Reef-film | LDR/06 g | 245 04 $aThe reef pilot /$ca film by Ivo Marsh. | 264 #1 $c2006. | 700 1# $aMarsh, Ivo,$edrt
reef-comic | eng | Reef-comic | Reef-comic | 100 1# $aOdell, Tess. | 240 10 $aReef pilot | 245 14 $aThe reef pilot :$bgraphic novel /$cadapted by Tess Odell. | 264 #1 $c2011. | 700 1# $aLindqvist, Maja,$d1931-2004.
reef-play | eng | Reef-play | Reef-play | 008/33 d | 100 1# $aBarrow, Hugh. | 245 14 $aThe reef pilot :$ba drama in two acts, from the novel by Maja Lindqvist | 264 #1 $c1985. | 700 1# $aLindqvist, Maja,$d1931-2004.
reef-guide | eng | Reef-guide | Reef-guide | 008/33 0 | 100 1# $aPike, Rona. | 245 10 $aMaja Lindqvist, The reef pilot :$bnotes | 264 #1 $c1990. | 600 10 $aLindqvist, Maja.$tReef pilot.
islands | eng | Islands+Reef+Kelp+Squall | Islands | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 14 $aThe island novels. | 505 0# $aThe reef pilot -- Kelp -- Squall at noon. | 700 12 $aLindqvist, Maja,$d1931-2004.$tReef pilot. | 700 12 $aLindqvist, Maja,$d1931-2004.$tKelp. | 700 12 $aLindqvist, Maja,$d1931-2004.$tSquall at noon.
islands-740 | eng | Islands+Reef+Kelp+Squall | Islands | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 14 $aThe island novels. | 250 ## $aNew ed. | 700 12 $aLindqvist, Maja.$tReef pilot. | 700 12 $aLindqvist, Maja.$tKelp. | 700 12 $aLindqvist, Maja.$tSquall at noon. | 740 02 $aKelp.
kelp | eng | Kelp | Kelp | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 10 $aKelp :$bbeing the second part of The island novels. | 264 #1 $c1969.
squall | eng | Squall | Squall | 100 1# $aLindqvist, Maja,$d1931-2004. | 245 10 $aSquall at noon, or, The last island. | 264 #1 $c1973.
squall-us | eng | Squall | Squall | 100 1# $aLindqvist, Maja,$d1931-2004. | 240 10 $aSquall at noon | 245 14 $aThe last island. | 264 #1 $c1974.
selected-sv | swe | Sel-sv | Sel-sv | 100 1# $aLindqvist, Maja. | 245 10 $aValda dikter. | 264 #1 $c1975.
selected-sv-other | swe | Sel-sv-2 | Sel-sv-2 | 100 1# $aLindqvist, Maja. | 245 10 $aValda dikter :$b1970-1990. | 264 #1 $c1992.
letters | eng | Letters-1 | Letters-1 | 008/33 i | 100 1# $aLindqvist, Maja. | 245 10 $aLetters :$bto her sister, 1950-1960. | 264 #1 $c1995.
letters-2 | eng | Letters-2 | Letters-2 | 008/33 i | 100 1# $aLindqvist, Maja. | 245 10 $aLetters :$bto the printer Holm. | 264 #1 $c2001.
namesake | eng | Geology | Geology | 008/33 0 | 100 1# $aLindqvist, Maja,$d1970- | 245 10 $aReef geology. | 264 #1 $c2009.
act-1951 | eng | Act-51 | Act-51 | 008/33 0 | 110 1# $aNorland. | 240 10 $aHarbours Act (1951) | 245 14 $aThe Harbours Act, 1951.
act-1951-amended | eng | Act-51 | Act-51 | 008/33 0 | 110 1# $aNorland. | 240 10 $aHarbours Act (1951) | 245 10 $aHarbours Act, 1951, as amended.
act-1978 | eng | Act-78 | Act-78 | 008/33 0 | 110 1# $aNorland. | 240 10 $aHarbours Act (1978) | 245 10 $aHarbours Act, 1978.
psalms-aacr | eng | Psalms | Psalms-en | 008/33 0 | 130 0# $aBible.$pO.T.$pPsalms.$lEnglish. | 245 14 $aThe Psalms.
psalms-rda | eng | Psalms | Psalms-en | 008/33 0 | 130 0# $aBible.$pPsalms.$lEnglish. | 245 14 $aThe book of Psalms.
psalms-fr | fre | Psalms | Psalms-fr | 008/33 0 | 130 0# $aBible.$pPsalms.$lFrench. | 245 14 $aLes Psaumes.
gospel | eng | Mark | Mark-en | 008/33 0 | 130 0# $aBible.$pN.T.$pMark.$lEnglish. | 245 10 $aMark's gospel.
quran-1 | ara | Quran | Quran | 008/33 0 | 130 0# $aKoran. | 245 10 $aal-Qurʼān al-karīm.
quran-2 | ara | Quran | Quran | 008/33 0 | 130 0# $aQurʼan. | 245 10 $aQurʼān.
report-3 | eng | Report-3 | Report-3 | 008/33 0 | 110 2# $aTidal Survey. | 245 10 $aCurrents of the sound. | 264 #1 $c1961. | 490 0# $aBulletin / Tidal Survey ;$v3
report-9 | eng | Report-9 | Report-9 | 008/33 0 | 110 2# $aTidal Survey. | 245 10 $aCurrents of the sound. | 264 #1 $c1968. | 490 0# $aBulletin / Tidal Survey ;$v9
report-3-film | eng | Report-3 | Report-3 | 008/33 0 | 110 2# $aTidal Survey. | 245 10 $aCurrents of the sound. | 264 #1 $c1961. | 490 0# $aBulletin / Tidal Survey ;$v3 | 533 ## $aMicrofiche.$d1990
annual-1 | eng | Annual-1 | Annual-1 | 008/33 0 | 110 2# $aTidal Survey. | 245 10 $aAnnual report. | 264 #1 $c1990.
annual-2 | eng | Annual-2 | Annual-2 | 008/33 0 | 110 2# $aTidal Survey. | 245 10 $aAnnual report. | 264 #1 $c1991.
quartet | ger | Quartet | Quartet | LDR/06 c | 100 1# $aBrandl, Otto,$d1801-1866. | 240 10 $aQuartets,$mstrings,$nno. 2, op. 14,$rD minor | 245 10 $aQuartett d-Moll, op. 14.
quartet-rec | eng | Quartet | Quartet-rec | LDR/06 j | 100 1# $aBrandl, Otto,$d1801-1866. | 240 10 $aQuartets,$mstrings,$nno. 2, op. 14,$rD minor | 245 10 $aString quartet in D minor, opus 14. | 511 0# $aHarbour Quartet.
quartet-3 | eng | Quartet-3 | Quartet-3 | LDR/06 c | 100 1# $aBrandl, Otto,$d1801-1866. | 240 10 $aQuartets,$mstrings,$nno. 3, op. 21,$rG major | 245 10 $aString quartet no. 3.
lieder | ger | Songs | Songs | LDR/06 c | 100 1# $aBrandl, Otto,$d1801-1866. | 240 10 $aSongs.$kSelections | 245 10 $aAusgewählte Lieder. | 264 #1 $c1880.
lieder-2 | ger | Songs-2 | Songs-2 | LDR/06 c | 100 1# $aBrandl, Otto,$d1801-1866. | 240 10 $aSongs.$kSelections | 245 10 $aZwölf Lieder für tiefe Stimme. | 264 #1 $c1921.
pen-1 | eng | Fog | Fog | 100 1# $aGrey, Anton$0(viaf)445566 | 245 10 $aFog over the yard. | 264 #1 $c1958.
pen-2 | eng | Fog | Fog | 100 1# $aHollis, Edith,$d1919-$0(viaf)445566 | 245 10 $aFog over the yard. | 264 #1 $c1990.
pen-other | eng | Fog-2 | Fog-2 | 100 1# $aHollis, Edith,$d1954-$0(viaf)990011 | 245 10 $aFog over the yard. | 264 #1 $c1999.
rus-own | rus | Lamp | Lamp-ru | 100 1# $6880-01$aBerezkin, Lev,$d1922-1989. | 245 10 $6880-02$aLampa na pirse. | 880 1# $6100-01$aБерезкин, Лев,$d1922-1989. | 880 10 $6245-02$aЛампа на пирсе.
rus-script | rus | Lamp | Lamp-ru | 100 1# $aБерезкин, Лев,$d1922-1989. | 245 10 $aЛампа на пирсе :$bроман.
rus-de | ger | Lamp | Lamp-de | 041 1# $ager$hrus | 100 1# $aBerezkin, Lev,$d1922-1989. | 245 14 $aDie Lampe am Pier. | 500 ## $aEinheitssacht.: Lampa na pirse.
rus-complete | rus | Rus-complete | Rus-complete | 100 1# $aBerezkin, Lev. | 245 10 $aSobranie sochineniĭ :$bv 5 tomakh.
rus-complete-2 | rus | Rus-complete-2 | Rus-complete-2 | 100 1# $aBerezkin, Lev. | 245 10 $aSobranie sochineniĭ :$bv 3 tomakh. | 264 #1 $c1994.
heb-1 | heb | Well | Well | 100 1# $aלביא, נועה | 245 10 $aהבאר הישנה
heb-2 | heb | Well | Well | 100 1# $aלביא, נועה | 245 10 $aבאר ישנה (ה)
ara-1 | ara | Lantern | Lantern | 100 1# $aالنجار، سامي | 245 10 $aالفانوس القديم
ara-2 | ara | Lantern | Lantern | 100 1# $aالنجار, سامي | 245 10 $aفانوس القديم
vol-1 | ger | Chronik | Chronik | 008/33 0 | 100 1# $aStadler, Emil. | 245 10 $aChronik der Fähren.$nBd. 1 | 264 #1 $c1931.
vol-2 | ger | Chronik | Chronik | 008/33 0 | 100 1# $aStadler, Emil. | 245 10 $aChronik der Fähren.$nBd. 2 | 264 #1 $c1933.
part-a | eng | Course-1 | Course-1 | 008/33 0 | 100 1# $aKean, Ruth. | 245 10 $aSailing for all.$nLevel 1 | 264 #1 $c1988.
part-b | eng | Course-2 | Course-2 | 008/33 0 | 100 1# $aKean, Ruth. | 245 10 $aSailing for all.$nLevel 2 | 264 #1 $c1988.
part-teacher | eng | Course-1t | Course-1t | 008/33 0 | 100 1# $aKean, Ruth. | 245 10 $aSailing for all.$nLevel 1 :$bteacher's book | 264 #1 $c1988.
remake-1 | fre | Quai | Quai | LDR/06 g | 245 13 $aLe quai des absents | 264 #1 $c1938. | 700 1# $aRoche, Paul,$4drt
remake-2 | fre | Quai-2 | Quai-2 | LDR/06 g | 245 13 $aLe quai des absents | 264 #1 $c1991. | 700 1# $aVidal, Anne,$4drt
typo | eng | Herons | Herons | 100 1# $aKean, Ruth. | 245 14 $aThe herons of Saltmarsh Lane. | 264 #1 $c1990.
typo-2 | eng | Herons | Herons | 100 1# $aKean, Ruth. | 245 14 $aThe herons of Saltmarch Lane. | 264 #1 $c1990.
dutch | dut | Brug | Brug | 100 1# $aWaal, Piet de. | 245 13 $aDe brug :$bverhalen. | 264 #1 $c1962.
dutch-novel | dut | Brug-2 | Brug-2 | 100 1# $aWaal, Piet de. | 245 13 $aDe brug :$broman. | 264 #1 $c1979.
spa-orig | spa | Faro | Faro-es | 100 1# $aArce, Inés,$d1940- | 245 13 $aEl faro apagado. | 264 #1 $c1968.
spa-jpn | jpn | Faro | Faro-ja | 041 1# $ajpn$hspa | 100 1# $aArce, Inés,$d1940- | 245 10 $a消えた灯台. | 500 ## $a原タイトル: El faro apagado
spa-eng | eng | Faro | Faro-en | 041 1# $aeng$hspa | 100 1# $aArce, Inés. | 245 14 $aThe dark lighthouse. | 500 ## $aTranslation of: El faro apagado.
spa-bare | eng | Faro | Faro-en | 041 1# $aeng$hspa | 100 1# $aArce, Inés,$d1940- | 245 14 $aThe dark lighthouse. | 264 #1 $c1999.
`

/** The records in the order in which they are written here. */
export const recordsByFurtherRules = (): MadeRecord[] =>
  rows
    .trim()
    .split('\n')
    .map(row => {
      const [name = '', language = '', works = '', expression = '', ...lines] = row.split(' | ')
      return { name, language, works: works.split('+'), expression, lines: lines.join('\n') }
    })
