/*
 * The names of the positions of fixed fields, and of their codes, in Dutch and French, by their
 * English names. Names that are the same in all languages are left out.
 */

const table = `
Record status|Status van het record|Statut de la notice
new|nieuw|nouvelle
corrected|verbeterd|corrigée
raised encoding level|hoger niveau|niveau relevé
deleted|verwijderd|supprimée
raised from prepublication|hoger dan vooraankondiging|relevée après prépublication
Type of record|Soort record|Type de notice
text|tekst|texte
notated music|bladmuziek|musique notée
manuscript music|bladmuziek, handschrift|musique manuscrite
map|kaart|carte
manuscript map|kaart, handschrift|carte manuscrite
projected medium|projecteerbaar|document projeté
spoken sound|geluid zonder muziek|son non musical
musical sound|muziek, geluid|son musical
picture|afbeelding|image
computer file|computerbestand|fichier informatique
kit|pakket|ensemble multisupport
mixed materials|gemengd materiaal|matériel mixte
object|voorwerp|objet
manuscript text|tekst, handschrift|texte manuscrit
Bibliographic level|Bibliografisch niveau|Niveau bibliographique
component of a monograph|deel van een monografie|partie d’une monographie
component of a serial|deel van een tijdschrift|partie d’un périodique
collection|verzameling|collection
subunit of a collection|deel van een verzameling|partie d’une collection
integrating resource|integrerende bron|ressource intégratrice
monograph|monografie|monographie
serial|tijdschrift|périodique
Type of control|Soort beheer|Type de contrôle
none|geen|aucun
archival|archief|archives
Character coding|Tekenset|Jeu de caractères
Encoding level|Niveau van de beschrijving|Niveau de la description
full|volledig|complet
full, item not seen|volledig, niet gezien|complet, document non vu
less than full, item not seen|minder dan volledig, niet gezien|moins que complet, document non vu
abbreviated|verkort|abrégé
core|kern|de base
preliminary|voorlopig|préliminaire
minimal|minimaal|minimal
prepublication|vooraankondiging|prépublication
unknown|onbekend|inconnu
not applicable|niet van toepassing|sans objet
full (OCLC)|volledig (OCLC)|complet (OCLC)
deleted (OCLC)|verwijderd (OCLC)|supprimé (OCLC)
minimal (OCLC)|minimaal (OCLC)|minimal (OCLC)
full, batch (OCLC)|volledig, in bulk (OCLC)|complet, par lot (OCLC)
less than full, batch (OCLC)|minder dan volledig, in bulk (OCLC)|moins que complet, par lot (OCLC)
Form of cataloguing|Vorm van de beschrijving|Forme du catalogage
not ISBD|geen ISBD|non ISBD
ISBD without punctuation|ISBD zonder interpunctie|ISBD sans ponctuation
ISBD with punctuation|ISBD met interpunctie|ISBD avec ponctuation
not ISBD, without punctuation|geen ISBD, zonder interpunctie|non ISBD, sans ponctuation
Record of a part|Record van een deel|Notice d’une partie
set|geheel|ensemble
part with its own title|deel met eigen titel|partie à titre propre
part with a dependent title|deel met afhankelijke titel|partie à titre dépendant
obsolete|vervallen|périmée
split|gesplitst|scindée
replaced|vervangen|remplacée
complete|volledig|complète
incomplete|onvolledig|incomplète
Punctuation|Interpunctie|Ponctuation
not known|niet bekend|non connue
without punctuation|zonder interpunctie|sans ponctuation
with punctuation|met interpunctie|avec ponctuation
higher level issued before|hoger niveau eerder uitgegeven|niveau supérieur déjà diffusé
issued before as incomplete|eerder onvolledig uitgegeven|déjà diffusée incomplète
electronic resource|elektronische bron|ressource électronique
multimedia|multimedia|multimédia
analytic|onderdeel|analytique
Hierarchical level|Niveau in de hiërarchie|Niveau hiérarchique
not defined|niet bepaald|non défini
no hierarchy|geen hiërarchie|sans hiérarchie
highest level|hoogste niveau|niveau le plus haut
below the highest level|onder het hoogste niveau|sous le niveau le plus haut
sublevel 1|subniveau 1|sous-niveau 1
sublevel 2|subniveau 2|sous-niveau 2
sublevel 3|subniveau 3|sous-niveau 3
full ISBD|volledige ISBD|ISBD complète
partial ISBD|gedeeltelijke ISBD|ISBD partielle
Date entered|Datum van invoer|Date de saisie
Type of date|Soort jaar|Type de date
BC dates|jaren voor Christus|dates avant J.-C.
current serial|lopend tijdschrift|périodique en cours
ceased serial|opgeheven tijdschrift|périodique mort
detailed date|volledige datum|date détaillée
dates of a collection|jaren van een verzameling|dates d’une collection
range of a collection|periode van een verzameling|période d’une collection
multiple dates|meer jaren|dates multiples
unknown dates|onbekend|dates inconnues
distribution and production|distributie en productie|distribution et production
questionable date|onzeker jaar|date incertaine
reprint and original|herdruk en origineel|réimpression et original
single date|één jaar|date unique
publication and copyright|uitgave en copyright|publication et copyright
serial of unknown status|tijdschrift, status onbekend|périodique de statut inconnu
Date 1|Jaar 1|Date 1
Date 2|Jaar 2|Date 2
Place of publication|Plaats van uitgave|Lieu de publication
Language|Taal|Langue
Modified record|Gewijzigd record|Notice modifiée
not modified|niet gewijzigd|non modifiée
dashed-on information|aangehangen gegevens|données ajoutées
romanised|geromaniseerd|romanisée
romanised, cards in script|geromaniseerd, fiches in schrift|romanisée, fiches en écriture d’origine
shortened|ingekort|abrégée
missing characters|ontbrekende tekens|caractères manquants
Cataloguing source|Bron van de beschrijving|Source du catalogage
national bibliographic agency|nationale bibliografie|agence bibliographique nationale
cooperative programme|samenwerking|programme coopératif
other|ander|autre
Illustrations|Illustraties|Illustrations
illustrations|illustraties|illustrations
maps|kaarten|cartes
portraits|portretten|portraits
charts|grafieken|diagrammes
plans|plattegronden|plans
plates|platen|planches
music|muziek|musique
facsimiles|facsimiles|fac-similés
coats of arms|wapens|armoiries
genealogical tables|stambomen|tableaux généalogiques
forms|formulieren|formulaires
samples|stalen|échantillons
sound recording|geluidsopname|enregistrement sonore
photographs|foto’s|photographies
illuminations|verluchtingen|enluminures
Target audience|Doelgroep|Public
preschool|kleuters|préscolaire
primary|lager onderwijs|primaire
pre-adolescent|9 tot 13 jaar|préadolescents
adolescent|jongeren|adolescents
adult|volwassenen|adultes
specialized|gespecialiseerd|spécialisé
general|algemeen|tout public
juvenile|jeugd|jeunesse
Form of item|Vorm|Forme du document
none of these|geen van deze|aucune de celles-ci
microfilm|microfilm|microfilm
microfiche|microfiche|microfiche
microopaque|micro-opaak|micro-opaque
large print|grote letter|gros caractères
braille|braille|braille
online|online|en ligne
direct electronic|elektronisch, op drager|électronique, sur support
regular print reproduction|gedrukte reproductie|reproduction imprimée
electronic|elektronisch|électronique
Nature of contents|Aard van de inhoud|Nature du contenu
not specified|niet vermeld|non précisé
offprints|overdrukken|tirés à part
calendars|kalenders|calendriers
comics|strips|bandes dessinées
abstracts|samenvattingen|résumés
bibliographies|bibliografieën|bibliographies
catalogues|catalogi|catalogues
dictionaries|woordenboeken|dictionnaires
encyclopedias|encyclopedieën|encyclopédies
handbooks|handboeken|manuels
legal articles|juridische artikelen|articles juridiques
biography|biografie|biographie
indexes|registers|index
patent documents|octrooien|brevets
discographies|discografieën|discographies
legislation|wetgeving|législation
theses|proefschriften|thèses
surveys of literature|literatuuroverzichten|revues de littérature
reviews|recensies|comptes rendus
programmed texts|geprogrammeerde teksten|textes programmés
filmographies|filmografieën|filmographies
directories|adresboeken|répertoires
statistics|statistieken|statistiques
technical reports|technische rapporten|rapports techniques
standards|normen|normes
legal cases|rechtszaken|affaires juridiques
law reports|rechtspraak|jurisprudence
yearbooks|jaarboeken|annuaires
treaties|verdragen|traités
Government publication|Overheidspublicatie|Publication officielle
not a government publication|geen overheidspublicatie|non officielle
autonomous or semi-autonomous component|autonoom gebied|entité autonome ou semi-autonome
multilocal|meer gemeenten|plusieurs localités
federal or national|federaal of nationaal|fédérale ou nationale
international|internationaal|internationale
local|lokaal|locale
multistate|meer staten|plusieurs États
level undetermined|niveau niet bepaald|niveau non déterminé
state or provincial|staat of provincie|État ou province
Conference publication|Congrespublicatie|Actes de congrès
no|nee|non
yes|ja|oui
Festschrift|Feestbundel|Mélanges
Index|Register|Index
Literary form|Literaire vorm|Forme littéraire
not fiction|geen fictie|hors fiction
fiction|fictie|fiction
drama|toneel|théâtre
essays|essays|essais
novels|romans|romans
humour, satires|humor, satire|humour, satires
letters|brieven|lettres
short stories|verhalen|nouvelles
mixed forms|gemengd|formes mixtes
poetry|poëzie|poésie
speeches|toespraken|discours
Biography|Biografie|Biographie
autobiography|autobiografie|autobiographie
of one person|van één persoon|d’une personne
of several persons|van meer personen|de plusieurs personnes
contains biographical information|bevat biografische gegevens|contient des données biographiques
Frequency|Frequentie|Périodicité
no determinable frequency|geen vaste frequentie|sans périodicité déterminée
annual|jaarlijks|annuel
every two months|tweemaandelijks|bimestriel
twice a week|twee keer per week|bihebdomadaire
daily|dagelijks|quotidien
every two weeks|tweewekelijks|toutes les deux semaines
twice a year|twee keer per jaar|semestriel
every two years|tweejaarlijks|biennal
every three years|driejaarlijks|triennal
three times a week|drie keer per week|trois fois par semaine
three times a month|drie keer per maand|trois fois par mois
continuously updated|voortdurend bijgewerkt|mis à jour en continu
monthly|maandelijks|mensuel
quarterly|driemaandelijks|trimestriel
twice a month|twee keer per maand|bimensuel
three times a year|drie keer per jaar|trois fois par an
weekly|wekelijks|hebdomadaire
Regularity|Regelmaat|Régularité
normalized irregular|volgens een patroon|irrégulier normalisé
regular|regelmatig|régulier
completely irregular|onregelmatig|irrégulier
Type of continuing resource|Soort doorlopende bron|Type de ressource continue
database|databank|base de données
magazine|magazine|magazine
blog|blog|blog
journal|wetenschappelijk tijdschrift|revue
loose-leaf|losbladig|feuillets mobiles
monographic series|reeks|collection de monographies
newspaper|krant|journal
periodical|tijdschrift|périodique
repository|repository|dépôt
newsletter|nieuwsbrief|bulletin
directory|adresboek|répertoire
website|website|site web
Form of original|Vorm van het origineel|Forme de l’original
newspaper format|krantenformaat|format journal
Nature of entire work|Aard van het geheel|Nature de l’ensemble
Script of the title|Schrift van de titel|Écriture du titre
basic Latin|Latijn, basis|latin de base
extended Latin|Latijn, uitgebreid|latin étendu
Cyrillic|Cyrillisch|cyrillique
Japanese|Japans|japonais
Chinese|Chinees|chinois
Arabic|Arabisch|arabe
Greek|Grieks|grec
Hebrew|Hebreeuws|hébreu
Thai|Thais|thaï
Devanagari|Devanagari|devanagari
Korean|Koreaans|coréen
Tamil|Tamil|tamoul
Entry convention|Wijze van beschrijven|Convention d’entrée
successive|opeenvolgend|successive
latest|laatste titel|dernier titre
integrated|geïntegreerd|intégrée
Form of composition|Compositievorm|Forme de composition
Format of music|Vorm van de muziek|Présentation de la musique
full score|partituur, groot|grande partition
miniature score|zakpartituur|partition de poche
accompaniment reduced for keyboard|begeleiding voor klavier|accompagnement réduit au clavier
voice score|zangpartituur zonder begeleiding|partition de chant sans accompagnement
condensed score|particel|partition condensée
close score|partituur op twee balken|partition sur deux portées
chorus score|koorpartituur|partition de chœur
condensed score (obsolete)|particel (vervallen)|partition condensée (périmé)
performer-conductor part|directiepartij|partie de conducteur
vocal score|klavieruittreksel|réduction chant et piano
score|partituur|partition
multiple formats|meer vormen|formats multiples
piano score|pianopartituur|partition pour piano
Music parts|Partijen|Parties
instrumental and vocal|instrumentaal en vocaal|instrumentales et vocales
instrumental|instrumentaal|instrumentales
vocal|vocaal|vocales
Accompanying matter|Begeleidend materiaal|Matériel d’accompagnement
discography|discografie|discographie
bibliography|bibliografie|bibliographie
thematic index|thematische index|index thématique
libretto or text|libretto of tekst|livret ou texte
biography of the composer|biografie van de componist|biographie du compositeur
biography of the performer|biografie van de uitvoerder|biographie de l’interprète
history of instruments|geschiedenis van instrumenten|histoire des instruments
technical information on music|technische uitleg over de muziek|données techniques sur la musique
historical information|historische uitleg|données historiques
ethnological information|etnologische uitleg|données ethnologiques
instructional materials|leermateriaal|matériel pédagogique
Literary text|Literaire tekst|Texte littéraire
not a literary text|geen literaire tekst|texte non littéraire
conference proceedings|congresverslagen|actes de congrès
reporting|reportage|reportage
history|geschiedenis|histoire
instruction|onderricht|enseignement
language instruction|taalonderricht|enseignement des langues
comedy|komedie|comédie
lectures|lezingen|conférences
memoirs|memoires|mémoires
folktales|volksverhalen|contes populaires
rehearsals|repetities|répétitions
sounds|geluiden|sons
interviews|interviews|entretiens
Transposition|Transpositie|Transposition
arrangement|arrangement|arrangement
transposition|transpositie|transposition
arrangement and transposition|arrangement en transpositie|arrangement et transposition
Relief|Reliëf|Relief
contours|hoogtelijnen|courbes de niveau
shading|schaduwen|estompage
gradient tints|hoogtetinten|teintes hypsométriques
hachures|arceringen|hachures
soundings|dieptes|sondages
form lines|vormlijnen|courbes figuratives
spot heights|hoogtecijfers|points cotés
pictorially|in beeld|figuré
land forms|landvormen|formes du terrain
isolines|isolijnen|isobathes
rock drawings|rotstekening|dessin de rochers
Projection|Projectie|Projection
Type of map|Soort kaart|Type de carte
single map|losse kaart|carte isolée
map series|kaartenreeks|série de cartes
map serial|kaartentijdschrift|périodique cartographique
globe|globe|globe
atlas|atlas|atlas
supplement to another work|supplement bij een ander werk|supplément à un autre ouvrage
bound in another work|gebonden in een ander werk|relié dans un autre ouvrage
Special format|Bijzondere vorm|Format particulier
manuscript|handschrift|manuscrit
picture card|prentkaart|carte postale
calendar|kalender|calendrier
puzzle|puzzel|puzzle
game|spel|jeu
wall map|wandkaart|carte murale
playing cards|speelkaarten|cartes à jouer
Running time (minutes)|Duur (minuten)|Durée (minutes)
Type of visual material|Soort beeldmateriaal|Type de document visuel
original art|origineel kunstwerk|œuvre d’art originale
art reproduction|kunstreproductie|reproduction d’œuvre d’art
diorama|diorama|diorama
filmstrip|filmstrook|film fixe
graphic|grafisch|graphique
technical drawing|technische tekening|dessin technique
motion picture|film|film
chart|grafiek|diagramme
flash card|flitskaart|carte éclair
microscope slide|preparaat|préparation microscopique
model|model|maquette
slide|dia|diapositive
transparency|transparant|transparent
video recording|video|vidéo
toy|speelgoed|jouet
Technique|Techniek|Technique
animation|animatie|animation
animation and live action|animatie en live|animation et prises de vues réelles
live action|live|prises de vues réelles
Type of computer file|Soort bestand|Type de fichier
numeric data|cijfers|données numériques
computer program|programma|logiciel
representational|beeld|données graphiques
document|document|document
bibliographic data|bibliografische gegevens|données bibliographiques
font|lettertype|police de caractères
sound|geluid|son
interactive multimedia|interactieve multimedia|multimédia interactif
online system or service|onlinedienst|service en ligne
combination|combinatie|combinaison
Geographic subdivision|Geografische onderverdeling|Subdivision géographique
not subdivided|zonder onderverdeling|sans subdivision
direct|direct|directe
indirect|indirect|indirecte
Romanisation|Romanisering|Romanisation
national|nationaal|nationale
of a library association|van een bibliotheekvereniging|d’une association de bibliothèques
of a library|van een bibliotheek|d’une bibliothèque
conventional|gangbaar|d’usage
local conventional|lokaal gangbaar|d’usage local
Language of catalogue|Taal van de catalogus|Langue du catalogue
English and French|Engels en Frans|anglais et français
English|Engels|anglais
French|Frans|français
Kind of record|Soort record|Sorte de notice
established heading|vaste ingang|vedette établie
reference, untraced|verwijzing, niet vermeld|renvoi non repris
reference, traced|verwijzing, vermeld|renvoi repris
subdivision|onderverdeling|subdivision
node label|knoop|étiquette de nœud
established heading and subdivision|ingang en onderverdeling|vedette et subdivision
reference and subdivision|verwijzing en onderverdeling|renvoi et subdivision
Descriptive rules|Regels van de beschrijving|Règles de catalogage
earlier rules|eerdere regels|règles antérieures
AACR2 compatible|verenigbaar met AACR2|compatible AACR2
Subject headings|Onderwerpssysteem|Vedettes-matière
LC for children|LC voor kinderen|LC pour enfants
Canadian Subject Headings|Canadese onderwerpen|vedettes canadiennes
Type of series|Soort reeks|Type de collection
series|reeks|collection
multipart item|meerdelig|en plusieurs parties
phrase like a series|lijkt op een reeks|expression semblable à une collection
Numbered series|Genummerde reeks|Collection numérotée
numbered|genummerd|numérotée
unnumbered|niet genummerd|non numérotée
varies|wisselend|variable
Heading for main entry|Als hoofdingang|Comme vedette principale
appropriate|geschikt|appropriée
not appropriate|niet geschikt|non appropriée
Heading for subject entry|Als onderwerp|Comme sujet
Heading for series entry|Als reeks|Comme collection
Subject subdivision|Soort onderverdeling|Subdivision de sujet
topical|onderwerp|sujet
form|vorm|forme
chronological|chronologisch|chronologique
geographic|geografisch|géographique
language|taal|langue
Government agency|Overheid|Organisme public
Reference evaluation|Verwijzingen nagekeken|Évaluation des renvois
consistent|in orde|cohérents
not necessarily consistent|niet zeker in orde|pas forcément cohérents
Record update|Bijwerking|Mise à jour
can be used|te gebruiken|utilisable
is being changed|wordt gewijzigd|en cours de modification
Undifferentiated name|Niet onderscheiden naam|Nom non différencié
one person|één persoon|une personne
several persons|meer personen|plusieurs personnes
Level of establishment|Mate van vaststelling|Niveau d’établissement
fully established|volledig vastgesteld|pleinement établie
memorandum|memo|mémorandum
provisional|tijdelijk|provisoire
Category of material|Soort materiaal|Catégorie de document
tactile material|voelbaar materiaal|document tactile
projected graphic|projecteerbaar beeld|image projetée
microform|microvorm|microforme
nonprojected graphic|niet-projecteerbaar beeld|image non projetée
remote-sensing image|teledetectiebeeld|image de télédétection
Specific material|Bijzonder materiaal|Document particulier
diagram|diagram|diagramme
profile|profiel|profil
section|doorsnede|coupe
view|gezicht|vue
Colour|Kleur|Couleur
one colour|één kleur|une couleur
several colours|kleuren|plusieurs couleurs
Physical medium|Fysieke drager|Support matériel
paper|papier|papier
wood|hout|bois
stone|steen|pierre
metal|metaal|métal
synthetic|kunststof|synthétique
skin|huid|peau
textile|textiel|textile
plaster|gips|plâtre
flexible base, photographic, positive|soepel, fotografisch, positief|souple, photographique, positif
flexible base, photographic, negative|soepel, fotografisch, negatief|souple, photographique, négatif
non-flexible base, photographic, positive|stijf, fotografisch, positief|rigide, photographique, positif
non-flexible base, photographic, negative|stijf, fotografisch, negatief|rigide, photographique, négatif
leather|leer|cuir
parchment|perkament|parchemin
other photographic|ander fotografisch|autre, photographique
Type of reproduction|Soort reproductie|Type de reproduction
facsimile|facsimile|fac-similé
Details of production|Wijze van productie|Mode de production
photocopy, blueline|fotokopie, blauwdruk|photocopie, héliographie
photocopy|fotokopie|photocopie
preproduction|voorproductie|préproduction
film|film|film
Positive or negative|Positief of negatief|Positif ou négatif
positive|positief|positif
negative|negatief|négatif
mixed|gemengd|mixte
tape cartridge|bandcartridge|cartouche à bande
chip cartridge|chipcartridge|cartouche à puce
optical disc cartridge|cartridge met optische schijf|cartouche à disque optique
computer disc|computerschijf|disque d’ordinateur
disc cartridge|schijfcartridge|cartouche à disque
tape cassette|bandcassette|cassette à bande
tape reel|bandspoel|bobine de bande
magnetic disc|magnetische schijf|disque magnétique
computer card|computerkaart|carte informatique
magneto-optical disc|magneto-optische schijf|disque magnéto-optique
optical disc|optische schijf|disque optique
remote|op afstand|à distance
standalone device|zelfstandig toestel|appareil autonome
black and white|zwart-wit|noir et blanc
grey scale|grijswaarden|niveaux de gris
Dimensions|Afmetingen|Dimensions
Sound|Geluid|Son
silent|stil|muet
Image bit depth|Bitdiepte|Profondeur en bits
File formats|Bestandsformaten|Formats de fichier
one|één|un
several|meer|plusieurs
Quality assurance|Kwaliteitsbewaking|Assurance qualité
absent|niet aanwezig|absente
present|aanwezig|présente
Source|Bron|Source
from original|van het origineel|de l’original
from microform|van microvorm|de microforme
from electronic resource|van elektronische bron|de ressource électronique
from an intermediate|van een tussenkopie|d’un intermédiaire
Compression|Compressie|Compression
uncompressed|zonder|sans
lossless|zonder verlies|sans perte
lossy|met verlies|avec perte
Quality of reformatting|Kwaliteit van de omzetting|Qualité de la conversion
access|raadpleging|consultation
preservation|bewaring|conservation
replacement|vervanging|remplacement
aperture card|vensterkaart|carte à fenêtre
microfilm cartridge|microfilmcartridge|cartouche de microfilm
microfilm cassette|microfilmcassette|cassette de microfilm
microfilm reel|microfilmspoel|bobine de microfilm
microfiche cassette|microfichecassette|cassette de microfiches
microfilm slip|microfilmstrook|bande de microfilm
microfilm roll|microfilmrol|rouleau de microfilm
belt|band|courroie
disc|schijf|disque
cylinder|cilinder|cylindre
cartridge|cartridge|cartouche
roll|rol|rouleau
roll (obsolete)|rol (vervallen)|rouleau (périmé)
cassette|cassette|cassette
wire|draad|fil
Speed|Snelheid|Vitesse
Channels|Kanalen|Canaux
monaural|mono|mono
quadraphonic|quadrafonisch|quadriphonique
stereophonic|stereo|stéréo
Groove|Groef|Sillon
microgroove|microgroef|microsillon
coarse|grof|large
Kind of disc or tape|Soort schijf of band|Sorte de disque ou de bande
master tape|moederband|bande mère
duplication master|kopieermoeder|matrice de duplication
disc master|moederschijf|matrice de disque
instantaneous|direct opgenomen|à gravure directe
mass-produced|in massa gemaakt|produit en série
mother|moeder|mère
stamper|stempel|pressage
test pressing|proefpersing|épreuve
Playback|Weergave|Restitution
digital|digitaal|numérique
regular print|gewone druk|imprimé courant
Format|Formaat|Format
on the medium|op de drager|sur le support
separate|apart|séparé
multichannel|meerkanaals|multicanal
monograph of one year|monografie van één jaar|monographie d’une année
reproduction|reproductie|reproduction
monograph of several years|monografie van meer jaren|monographie de plusieurs années
release and production|uitbreng en productie|sortie et production
publication and printing|uitgave en druk|publication et impression
adult, serious|volwassenen, gevorderd|adultes, niveau élevé
county|provincie|département
government in exile|regering in ballingschap|gouvernement en exil
modified|gewijzigd|modifiée
Language of cataloguing|Taal van de beschrijving|Langue du catalogage
Latin|Latijn|latin
Georgian|Georgisch|géorgien
Armenian|Armeens|arménien
transparencies|transparanten|transparents
project description|projectbeschrijving|description de projet
numeric tables|tabellen|tables numériques
examination papers|examens|sujets d’examen
revised theses|herwerkte proefschriften|thèses révisées
religious texts|religieuze teksten|textes religieux
libretto|libretto|livret
microprint|microdruk|micro-impression
handwritten|met de hand geschreven|écrit à la main
mini print|minidruk|mini-impression
authority entry|authority|notice d’autorité
reference entry|verwijzing|notice de renvoi
general explanatory entry|algemene verklaring|notice explicative générale
Type of entity|Soort entiteit|Type d’entité
person|persoon|personne
corporate body|organisatie|collectivité
geographic name|geografische naam|nom géographique
trademark|merk|marque
family|familie|famille
uniform title|uniforme titel|titre uniforme
collective uniform title|verzameltitel|titre uniforme collectif
name and title|naam en titel|nom et titre
name and collective title|naam en verzameltitel|nom et titre collectif
topical subject|onderwerp|sujet
place of publication|plaats van uitgave|lieu de publication
form or genre|vorm of genre|forme ou genre
Status of the heading|Staat van de ingang|Statut de la vedette
established|vastgesteld|établie
undifferentiated|niet onderscheiden|indifférenciée
partial|gedeeltelijk|partiel
`

/** The names in each language, by the English ones. */
export const positionNamesIn: Readonly<Record<'nl' | 'fr', ReadonlyMap<string, string>>> = {
  nl: column(1),
  fr: column(2)
}

function column(place: 1 | 2): ReadonlyMap<string, string> {
  const rows = table.trim().split('\n')
  return new Map(rows.map(row => row.split('|')).map(row => [row[0] ?? '', row[place] ?? '']))
}
