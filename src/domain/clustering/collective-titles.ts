import { textKey } from './title-key.ts'

/*
 * Titles that name no single work: those of aggregates, of musical forms and of documents. Two
 * works with such a title need not be the same.
 */

const words = (...texts: readonly string[]) => new Set(texts.flatMap(each => textKey(each).split(' ')))

/**
 * Words for the contents of an aggregate, in the languages of library files: works, writings,
 * poems, plays, novels, stories, essays, letters, speeches, songs. Inflected forms stand beside the
 * first one, romanisations (ALA-LC) beside other scripts.
 */
const gathered = words(
  'works work novels novel stories story tales poems poetry plays essays correspondence letters speeches prose',
  'dialogues fragments lyrics songs writings collection collections selections selection anthology omnibus theatre',
  'drama dramas verse sketches librettos sermons lectures music laws treaties',
  'œuvre œuvres romans nouvelles contes poèmes poésie poésies théâtre essais lettres discours écrits récits pièces',
  'werken gedichten verhalen novellen toneel toneelstukken brieven dichtwerken opstellen geschriften toespraken',
  'Werke Gedichte Erzählungen Romane Briefe Schriften Dramen Stücke Aufsätze Novellen Reden Briefwechsel Lyrik Prosa',
  'opere opera romanzi racconti poesie lettere saggi teatro scritti novelle',
  'obras obra novelas cuentos poemas poesías poesía cartas ensayos escritos relatos epistolario teatro',
  'romances contos ensaios obras',
  'verker verk dikt noveller fortellinger skuespill romaner essays brev skrifter',
  'samlade skrifter dikter berättelser skådespel artiklar',
  'værker digte fortællinger skuespil breve skrifter eventyr',
  'teokset teoksia kootut runot runoja kertomukset kertomuksia novellit novelleja näytelmät romaanit kirjeet esseet',
  'teosed luuletused jutustused novellid kirjad näidendid romaanid',
  'dzieła pisma utwory wiersze poezje opowiadania powieści dramaty listy eseje nowele proza',
  'spisy dílo básně povídky romány dramata hry dopisy eseje verše korespondence próza',
  'dielo básne poviedky listy drámy',
  'művei művek versei versek regényei regények elbeszélései elbeszélések novellái novellák drámái drámák levelei',
  'levelek levelezése esszék írások írásai',
  'djela pjesme pripovijetke pripovetke pisma drame romani eseji dela',
  'opere scrieri poezii nuvele povestiri scrisori poeme',
  'eserleri eserler şiirler şiirleri hikâyeler hikayeler öyküler oyunlar mektuplar mektupları romanlar denemeler',
  'сочинения сочинений произведения произведений рассказы повести стихи стихотворения поэмы письма пьесы драмы',
  'романы очерки сказки проза поэзия труды избранное лирика',
  'sochineniia sochinenii proizvedeniia proizvedenii rasskazy povesti stikhi stikhotvoreniia poemy pisma pesy',
  'dramy romany ocherki skazki poeziia trudy izbrannoe',
  'твори творів оповідання вірші поезії листи драми романи вибране',
  'tvory tvoriv opovidannia virshi poezii lysty vybrane',
  'άπαντα έργα ποιήματα διηγήματα μυθιστορήματα θέατρο επιστολές δοκίμια αλληλογραφία',
  'hapanta apanta erga poiemata diegemata diigimata theatro epistoles allelographia dokimia',
  'כתבי כתבים שירים שירי סיפורים סיפורי מכתבים מכתבי מחזות איגרות מסות',
  'kitve ketavim shirim shire sipurim sipure mikhtavim mikhteve mahazot igrot masot',
  'أعمال الأعمال مؤلفات المؤلفات ديوان رسائل الرسائل قصص القصص قصائد أشعار مسرحيات روايات مقالات آثار',
  'amal muallafat diwan rasail qisas qasaid ashar masrahiyat riwayat maqalat athar',
  'مجموعه آثار اشعار نامه نامهها داستانها نمایشنامهها غزلیات کلیات',
  'majmuah majmuahi asar ashar namahha dastanha kulliyat',
  '전집 선집 시집 시선 시선집 단편집 소설집 희곡집 서한집 작품집 문집 수필집',
  'chonjip sonjip sijip sison tanpyonjip sosolchip huigokchip sohanjip chakpumjip munjip supilchip'
)

/** Words beside these in such titles: collected, complete, selected, early, new, three. */
const describing = words(
  'poetical dramatic selected collected complete short best new other later early major minor uncollected unpublished',
  'and the of in from by i ii iii iv v one two three 1 2 3 vol volume all his her etc',
  'vocal instrumental piano chamber orchestra musical theater',
  'complètes complète choisies choisis poétiques posthumes inédites inédits intégrale et de la les des en',
  'verzamelde volledige poetische dichterische alle uitgelezen en het van',
  'gesammelte sämtliche ausgewählte und aus dem der die nachgelassene neue',
  'complete scelte scelti tutte tutti inediti e di le i',
  'completas completos escogidas escogidos selectas reunidos y o as de los las',
  'samlede utvalgte samlade valda utvalda udvalgte og och i',
  'kootut valitut kogutud valitud ja',
  'zebrane wybrane wszystkie zbiór i',
  'sebrané vybrané souborné výbor zobrané z a',
  'összegyűjtött összes válogatott és',
  'sabrana izabrana odabrane alese complete și',
  'bütün toplu seçme seçilmiş ve',
  'собрание полное избранные избранных малое зібрання вибрані повне в и і',
  'sobranie polnoe izbrannye zibrannia vybrani povne v i',
  'άπαντα εκλεκτά επιλογή τα hapanta eklekta epiloge ta kai και',
  'כל מבחר נבחרים kol mivhar nivharim ha',
  'الكاملة المختارة مختارات مجموعة al kamilah mukhtarah mukhtarat majmuat',
  'ها گزیده برگزیده ʼi i hha guzidah'
)

/**
 * Names of aggregates in Chinese and Japanese, which write no spaces; also at the end of a title,
 * after the name of the author. The last rows are romanisations.
 */
const joined =
  /^(?:全集|文集|選集|选集|作品集|作品選|詩集|诗集|詩選|诗选|小說集|小说集|小説集|短編集|短篇小說|短篇小说|書信|书信|書信集|书信集|書簡|書簡集|散文|散文集|戯曲集|戲劇集|戏剧集|日記|日记|著作集|遺稿集|quan ji|wen ji|xuan ji|zuo pin ji|zuo pin xuan|shi ji|shi xuan|xiao shuo ji|duan pian xiao shuo|shu xin|shu xin ji|san wen|zenshu|senshu|shishu|sakuhinshu|tanpenshu|shokanshu|bunshu)$/

/** Tests whether a title names an aggregate and no more: `Selected poems`, `Собрание сочинений`. */
export const isGathering = (key: string): boolean => isMadeOf(key, gathered, describing) || isJoined(key)

/** The longest of the names is shorter. */
const isJoined = (key: string) => key.length < 20 && joined.test(key)

/** Tests whether all words are among these, and one at least among the first. */
function isMadeOf(key: string, naming: ReadonlySet<string>, describing: ReadonlySet<string>): boolean {
  let isNamed = false
  // The first word tells of most titles that they are none, so that they are not split.
  for (let from = 0; from <= key.length; ) {
    const space = key.indexOf(' ', from)
    const end = space < 0 ? key.length : space
    const each = key.slice(from, end)
    if (naming.has(each)) isNamed = true
    // `Twelve poems`
    else if (!describing.has(each) && !(from === 0 && /^\d{1,2}$/.test(each))) return false
    from = end + 1
  }
  return isNamed
}

/**
 * Musical forms in the plural: rules give them to any number of works by one composer, which opus
 * and number tell apart.
 */
const musicalForms = words(
  'airs anthems arias ballads ballades ballets bagatelles cantatas canons cantiones canzonas canzonets',
  'capriccios caprices catches chansons chants chorales choruses concertos concertante dances divertimenti',
  'divertimentos duets duos etudes studies exercises fantasias fantasies fugues galliards glees hymns',
  'impromptus intermezzos inventions lieder madrigals magnificats marches masses mazurkas melodies minuets',
  'motets nocturnes nonets octets odes operas oratorios organ overtures partitas partsongs part passions',
  'pieces polkas polonaises preludes psalms quartets quintets rhapsodies ricercars romances rondos scherzos',
  'septets serenades sextets sinfonias solos sonatas sonatinas suites symphonies toccatas trios trio',
  'variations vespers waltzes vocal instrumental chamber keyboard orchestra music',
  'aires ariettes concerts danses duette concerti concerte kantaten konzerte lieder marsche menuette messen',
  'motetten ouverturen quartette quintette sextette sinfonien sonaten stucke suiten tanze variationen walzer',
  'fugen praludien quatuors quintettes symphonie symphonien menuets messes motetti ouvertures pieces pieces',
  'sonate sinfonie trii quartetti quintetti canzoni canzonette madrigali messe salmi villanelle liederen',
  'missen psalmen'
)
/** Instruments and voices; beside a form they add nothing. */
const media = words(
  'piano pianos violin violins viola violas violoncello cello double bass basses flute flutes recorder',
  'recorders oboe clarinet bassoon horn horns trumpet trombone harp guitar lute harpsichord organ continuo',
  'strings string winds woodwinds brass percussion voice voices chorus mixed treble soprano alto tenor',
  'baritone orchestra hands 4 hand keyboard instrument instruments unaccompanied klavier violine flote orgel'
)

/** Words for kinds of documents: corporate bodies publish any number of them under one title. */
const documentWords = words(
  'treaties treaty etc agreement agreements report reports annual biennial monthly weekly quarterly final',
  'interim progress summary bulletin bulletins newsletter circular circulars programme program programmes',
  'proceedings minutes memorandum statement statements accounts budget catalogue catalog prospectus handbook',
  'directory yearbook almanac calendar laws law act acts decree decrees ordinance regulations rules',
  'constitution statutes treaties letter pamphlet leaflet notice notices working paper papers survey',
  'jaarverslag verslag verslagen rapport rapporten jaarboek jaarrekening reglement statuten wet wetten',
  'programma catalogus mededelingen nieuwsbrief rapport rapports annuel annuaire comptes rendus proces',
  'verbaux reglements lois loi decrets jahresbericht bericht berichte tatigkeitsbericht jahrbuch',
  'mitteilungen satzung satzungen gesetz gesetze verordnung katalog programm rundschreiben arsberetning',
  'beretning arbok arsmelding melding meddelelser lov lover vedtekter informe informes memoria boletin',
  'anuario leyes ley estatutos relazione bollettino'
)

const naming = gathered.union(musicalForms).union(documentWords)
const besides = describing.union(media)

/**
 * Tests whether a title only names an aggregate, a musical form or a kind of document: `Complete
 * works`, `Sonatas, violin, continuo`, `Annual report`.
 */
export const isCollective = (key: string) => isMadeOf(key, naming, besides) || isJoined(key)
