/*
 * The names of MARC fields in Dutch and French, by their English names, which the tables of the
 * fields have. A name of two parts, as `Subject: personal name`, is made of both parts.
 */

const table = `
Abbreviated title|Verkorte titel|Titre abrégé
Absorbed|Nam op|Absorbe
Absorbed by|Opgenomen in|Absorbé par
Absorbed in part|Nam gedeeltelijk op|Absorbe en partie
Absorbed in part by|Gedeeltelijk opgenomen in|Absorbé en partie par
Accessibility content|Toegankelijkheid|Contenu d’accessibilité
Accessibility note|Annotatie over toegankelijkheid|Note sur l’accessibilité
Accumulation and frequency of use|Aangroei en gebruik|Accroissement et fréquence d’utilisation
Action note|Annotatie over behandeling|Note sur les traitements
Added entry|Toegevoegde ingang|Vedette secondaire
Added title-page title|Titel op bijkomende titelpagina|Titre de page de titre ajoutée
Additional Dewey Decimal Classification number|Bijkomende Dewey-classificatie|Indice Dewey supplémentaire
Additional material characteristics|Bijkomende kenmerken van het materiaal|Caractéristiques matérielles supplémentaires
Additional physical form available|Ook in een andere vorm|Autre support disponible
Additional physical form entry|Andere fysieke vorm|Autre support
Address|Adres|Adresse
Also bound in this volume|Ook in deze band|Également relié dans ce volume
Alternate graphic representation|Weergave in ander schrift|Représentation dans une autre écriture
Alternative entry|Andere hoofdingang|Autre vedette principale
Application history note|Geschiedenis van het gebruik|Note sur l’historique d’utilisation
Article identifier|Identificatie van het artikel|Identifiant d’article
Artificial title|Kunstmatige titel|Titre factice
Associated group|Verwante groep|Groupe associé
Associated language|Verwante taal|Langue associée
Associated place|Verwante plaats|Lieu associé
Audience characteristics|Kenmerken van het publiek|Caractéristiques du public
Authentication code|Code van echtverklaring|Code d’authentification
Awards note|Bekroningen|Note sur les prix
Bibliography note|Annotatie over bibliografie|Note de bibliographie
Binding information|Band|Reliure
Biographical or historical data|Biografische of historische gegevens|Données biographiques ou historiques
Bound with|Gebonden bij|Relié avec
CODEN|CODEN|CODEN
Caption title|Koptitel|Titre de départ
Captions and pattern|Benamingen en patroon|Libellés et modèle
Carrier type|Type drager|Type de support
Cartographic mathematical data|Wiskundige gegevens van de kaart|Données mathématiques cartographiques
Case file characteristics|Kenmerken van het dossier|Caractéristiques du dossier
Cataloguing source|Bron van de beschrijving|Source du catalogage
Changed back to|Hernam de naam|Redevient
Character sets present|Gebruikte tekensets|Jeux de caractères
Citation and references|Verwijzingen naar bibliografieën|Citations et références
Classification numbers assigned in Canada|Canadese classificatie|Indices attribués au Canada
Cluster ISSN|Cluster-ISSN|ISSN de regroupement
Coded cartographic mathematical data|Gecodeerde kaartgegevens|Données cartographiques codées
Coded data|Gecodeerde gegevens|Données codées
Collective uniform title|Verzameltitel|Titre uniforme collectif
Complex linking entry data|Samengestelde koppeling|Liaison complexe
Complex see also reference|Samengestelde zie-ook-verwijzing|Renvoi « voir aussi » complexe
Complex see reference|Samengestelde zie-verwijzing|Renvoi « voir » complexe
Computer file characteristics|Kenmerken van het bestand|Caractéristiques du fichier
Constituent unit entry|Onderdeel|Partie composante
Content type|Type inhoud|Type de contenu
Content type and media type|Type inhoud en type medium|Type de contenu et type de média
Continued by|Voortgezet door|Devient
Continued in part by|Gedeeltelijk voortgezet door|Devient en partie
Continues|Zet voort|Suite de
Continues in part|Zet gedeeltelijk voort|Suite partielle de
Control number|Controlenummer|Numéro de contrôle
Control number identifier|Herkomst van het controlenummer|Identifiant du numéro de contrôle
Copy and version identification|Exemplaar en versie|Identification de l’exemplaire et de la version
Copyright article-fee code|Code van auteursrechten|Code de droits d’auteur
Copyright or legal deposit number|Nummer van auteursrecht of depot|Numéro de dépôt légal
Corporate name|Organisatie|Collectivité
Country of producing entity|Land van productie|Pays de production
Country of publishing or producing entity|Land van uitgave|Pays de publication
Cover title|Omslagtitel|Titre de couverture
Creation and production credits|Medewerkers aan de productie|Générique de création et de production
Creator or contributor characteristics|Kenmerken van de maker|Caractéristiques du créateur
Cumulative index or finding aids|Registers en toegangen|Index cumulatif ou instruments de recherche
Current publication frequency|Frequentie|Périodicité actuelle
Data quality note|Kwaliteit van de gegevens|Note sur la qualité des données
Data source entry|Bron van de gegevens|Source des données
Date and place of an event|Datum en plaats van een gebeurtenis|Date et lieu d’un événement
Date and time of latest transaction|Datum en tijd van de laatste wijziging|Date et heure de la dernière transaction
Date, time and place of an event|Datum, tijd en plaats van een gebeurtenis|Date, heure et lieu d’un événement
Dates of publication and sequential designation|Jaren en nummering|Dates de publication et numérotation
Definition|Definitie|Définition
Deleted heading information|Verwijderde ingang|Vedette supprimée
Description conversion information|Omzetting van de beschrijving|Conversion de la description
Dewey Decimal Classification number|Dewey-classificatie|Indice Dewey
Dewey Decimal call number|Plaatskenmerk volgens Dewey|Cote Dewey
Digital file characteristics|Kenmerken van het digitale bestand|Caractéristiques du fichier numérique
Digital graphic representation|Digitale grafische weergave|Représentation graphique numérique
Dissertation note|Annotatie over proefschrift|Note de thèse
Edition statement|Editie|Mention d’édition
Electronic archive location and access|Elektronisch archief|Archive électronique
Electronic location and access|Elektronische toegang|Accès électronique
Entity and attribute information|Entiteiten en kenmerken|Entités et attributs
Enumeration and chronology|Nummering en jaren|Numérotation et chronologie
Excerpt or offprint|Uittreksel of overdruk|Extrait ou tiré à part
Exhibitions note|Tentoonstellingen|Note d’exposition
Expanded title|Voluit geschreven titel|Titre développé
Extension plan|Plan van uitbreiding|Plan d’extension
Family information|Familie|Famille
Field of activity|Werkterrein|Domaine d’activité
Fingerprint identifier|Vingerafdruk|Empreinte
Fixed-length data elements|Vaste gegevens|Éléments de longueur fixe
Foreign MARC information field|Veld van een ander MARC|Zone d’un autre MARC
Form of musical composition|Vorm van de compositie|Forme de la composition musicale
Form of work|Vorm van het werk|Forme de l’œuvre
Format of notated music|Vorm van de muzieknotatie|Format de la musique notée
Formatted contents note|Inhoud|Note de dépouillement
Formed by merger of|Samengegaan uit|Fusion de
Former publication frequency|Vroegere frequentie|Ancienne périodicité
Former title|Vroegere titel|Ancien titre
Former title complexity note|Annotatie over vroegere titels|Note sur les anciens titres
Frequency|Frequentie|Périodicité
Fuller form of personal name|Volledige naam|Forme développée du nom
Funding information|Financiering|Financement
GPO item number|Nummer van de GPO|Numéro GPO
Gender|Gender|Genre
General explanatory reference|Algemene verklarende verwijzing|Renvoi explicatif général
General information|Algemene gegevens|Données générales
General note|Algemene annotatie|Note générale
General processing data|Algemene verwerkingsgegevens|Données générales de traitement
Geographic area code|Code van het gebied|Code de zone géographique
Geographic classification|Geografische classificatie|Classification géographique
Geographic coverage note|Geografisch bereik|Couverture géographique
Geospatial reference data|Geografisch referentiesysteem|Données de référence géospatiale
Government document call number|Plaatskenmerk van een overheidsdocument|Cote de document officiel
Government document classification number|Classificatie van een overheidsdocument|Indice de document officiel
Government publication number|Nummer van een overheidspublicatie|Numéro de publication officielle
Half title|Franse titel|Titre de faux-titre
Heading|Ingang|Vedette
Hierarchical place name|Plaats in hiërarchie|Nom de lieu hiérarchisé
History reference|Verwijzing naar de geschiedenis|Renvoi historique
Holding institution|Instelling|Établissement détenteur
Holdings coded data values|Gecodeerde bezitsgegevens|Données codées d’état de collection
Host item entry|Staat in|Document hôte
Hours|Openingstijden|Heures
ISSN centre|ISSN-centrum|Centre ISSN
Identifier in another system|Nummer in een ander systeem|Identifiant dans un autre système
Identifier of an entity|Identificatie van een entiteit|Identifiant d’une entité
Immediate source of acquisition|Verwerving|Source directe d’acquisition
Imprint statement for films|Impressum van een film|Adresse pour les films
Imprint statement for sound recordings|Impressum van een geluidsopname|Adresse pour les enregistrements sonores
Index term|Vrije ontsluiting|Terme d’indexation
Information about documentation|Documentatie|Documentation
Information relating to copyright status|Auteursrechtelijke status|Statut du droit d’auteur
International article number|EAN|EAN
International standard book number|ISBN|ISBN
International standard music number|ISMN|ISMN
International standard name identifier|ISNI|ISNI
International standard recording code|ISRC|ISRC
International standard serial number|ISSN|ISSN
International standard technical report number|ISRN|ISRN
Issued with|Uitgegeven met|Publié avec
Issued with entry|Uitgegeven met|Publié avec
Issuing body note|Uitgevende instantie|Note sur l’organisme éditeur
Item information|Exemplaar|Exemplaire
Item reviewed|Besproken werk|Document analysé dans la critique
Key|Toonaard|Tonalité
Key title|Sleuteltitel|Titre clé
LC classification number|LC-classificatie|Indice LC
Language code|Taal|Code de langue
Language note|Annotatie over de taal|Note de langue
Legal deposit number|Nummer van wettelijk depot|Numéro de dépôt légal
Library and Archives Canada call number|Plaatskenmerk van Library and Archives Canada|Cote de Bibliothèque et Archives Canada
Library of Congress call number|Plaatskenmerk van de Library of Congress|Cote de la Bibliothèque du Congrès
Library of Congress control number|Nummer van de Library of Congress|Numéro de la Bibliothèque du Congrès
Library of Congress copy, issue, offprint statement|Exemplaar van de Library of Congress|Exemplaire de la Bibliothèque du Congrès
Link to bibliographic record for serial or multipart item|Koppeling met de titelbeschrijving|Lien vers la notice bibliographique
Linking entry|Koppeling|Vedette liée
Linking entry complexity|Annotatie over verwante titels|Note sur les liaisons
Location|Plaats van het exemplaar|Localisation
Location of originals or duplicates|Plaats van origineel of kopie|Localisation des originaux ou des copies
Location of other archival materials|Plaats van ander archiefmateriaal|Localisation d’autres archives
Main entry|Hoofdingang|Vedette principale
Main series entry|Hoofdreeks|Collection principale
Manifestation statements|Vermeldingen op de manifestatie|Mentions de la manifestation
Matching information|Gegevens van de vergelijking|Données de rapprochement
Media type|Type medium|Type de média
Medium of performance|Bezetting|Distribution d’exécution
Merged to form|Samengegaan tot|Fusionné pour donner
Metadata provenance|Herkomst van de metadata|Provenance des métadonnées
Methodology|Methode|Méthodologie
Mode of issuance|Wijze van uitgave|Mode de publication
Moving image characteristics|Kenmerken van het bewegend beeld|Caractéristiques des images animées
Musical incipits information|Muzikale incipits|Incipits musicaux
Musical presentation statement|Vorm van de muziekuitgave|Présentation musicale
Name and title|Naam en titel|Nom et titre
Name of unit|Naam van de eenheid|Nom de l’unité
National Agricultural Library call number|Plaatskenmerk van de National Agricultural Library|Cote de la National Agricultural Library
National Agricultural Library copy statement|Exemplaar van de National Agricultural Library|Exemplaire de la National Agricultural Library
National Library of Medicine call number|Plaatskenmerk van de National Library of Medicine|Cote de la National Library of Medicine
National Library of Medicine copy statement|Exemplaar van de National Library of Medicine|Exemplaire de la National Library of Medicine
National bibliographic agency control number|Nummer van de nationale bibliografie|Numéro de l’agence bibliographique nationale
National bibliography number|Nummer in de nationale bibliografie|Numéro de bibliographie nationale
Nationality|Nationaliteit|Nationalité
Non-MARC information field|Gegevens buiten MARC|Données hors MARC
Nonpublic general note|Interne annotatie|Note générale interne
Normalized date and sequential designation|Genormaliseerde jaren en nummering|Dates et numérotation normalisées
Notated music characteristics|Kenmerken van de muzieknotatie|Caractéristiques de la musique notée
Note|Annotatie|Note
Number of musical instruments or voices|Aantal instrumenten of stemmen|Nombre d’instruments ou de voix
Numbering peculiarities note|Bijzonderheden van de nummering|Particularités de numérotation
Numeric designation of musical work|Nummer van het muziekwerk|Désignation numérique de l’œuvre musicale
Occupation|Beroep|Profession
Organization and arrangement of materials|Ordening van het materiaal|Organisation et classement
Original language entry|Oorspronkelijke taal|Langue originale
Original study number for computer data files|Nummer van de oorspronkelijke studie|Numéro de l’étude originale
Original version note|Oorspronkelijke versie|Note sur la version originale
Originator dissemination control|Beperking van verspreiding|Contrôle de diffusion
Other attributes of person or corporate body|Andere kenmerken van persoon of organisatie|Autres attributs de la personne ou de la collectivité
Other classification number|Andere classificatie|Autre indice de classification
Other distinguishing characteristics|Andere kenmerken|Autres caractéristiques
Other edition entry|Andere editie|Autre édition
Other edition in another medium|Andere editie op andere drager|Autre édition sur un autre support
Other edition in the same medium|Andere editie op dezelfde drager|Autre édition sur le même support
Other related work|Ander verwant werk|Autre œuvre en relation
Other relationship entry|Andere relatie|Autre relation
Other standard identifier|Ander standaardnummer|Autre identifiant normalisé
Other variant title|Andere titelvariant|Autre variante du titre
Overseas acquisition number|Nummer van buitenlandse verwerving|Numéro d’acquisition à l’étranger
Owner|Eigenaar|Possesseur
Ownership and custodial history|Herkomst|Historique de la conservation
PRECIS|PRECIS|PRECIS
Parallel description in another language|Beschrijving in een andere taal|Description parallèle dans une autre langue
Parallel title|Paralleltitel|Titre parallèle
Parent of a supplement|Hoofdpublicatie van een supplement|Publication mère d’un supplément
Participant or performer note|Uitvoerders|Note sur les interprètes
Patent control information|Octrooi|Brevet
Persistent record identifier|Blijvende identificatie van het record|Identifiant pérenne de la notice
Philatelic issue data|Filatelistische gegevens|Données philatéliques
Physical description|Fysieke beschrijving|Description matérielle
Physical description fixed field|Gecodeerde fysieke beschrijving|Description matérielle codée
Physical medium|Fysieke drager|Support matériel
Piece|Deel|Unité matérielle
Piece analysed|Ontsloten deel|Dépouillement
Place and date of publication|Plaats en jaar van uitgave|Lieu et date de publication
Planar coordinate data|Vlakke coördinaten|Coordonnées planes
Playing time|Speelduur|Durée
Postal registration number|Nummer van de post|Numéro d’enregistrement postal
Preceding entry|Voorganger|Titre précédent
Preferred citation of described materials|Aanbevolen wijze van citeren|Citation recommandée
Preferred title|Voorkeurstitel|Titre de référence
Production, publication, distribution, manufacture, copyright|Productie, uitgave, distributie, vervaardiging, copyright|Production, publication, distribution, fabrication, copyright
Projected publication date|Verwachte datum van uitgave|Date de publication prévue
Public general note|Openbare annotatie|Note générale publique
Publication, distribution (imprint)|Uitgave, distributie (impressum)|Publication, diffusion (adresse)
Publications about described materials|Publicaties over het materiaal|Publications sur le document
Publisher or distributor number|Nummer van de uitgever of distributeur|Numéro d’éditeur ou de distributeur
Record content licensor|Licentiegever van het record|Détenteur des droits de la notice
Replacement record information|Vervangend record|Notice de remplacement
Report number|Rapportnummer|Numéro de rapport
Representative expression characteristics|Kenmerken van de representatieve expressie|Caractéristiques de l’expression représentative
Reproduced as|Gereproduceerd als|Reproduit sous
Reproduction note|Annotatie over reproductie|Note de reproduction
Reproduction of|Reproductie van|Reproduction de
Resource identifier|Identificatie van de bron|Identifiant de la ressource
Restrictions on access|Beperkingen van de toegang|Restrictions d’accès
Rules and subject system|Regels en onderwerpssysteem|Règles et système d’indexation
Running title|Kolomtitel|Titre courant
Scale note for graphic material|Schaal van grafisch materiaal|Échelle du document graphique
Scope note|Toepassing|Note d’application
Section title|Titel van een deel|Titre de section
Security classification control|Geheimhouding|Classification de sécurité
See also|Zie ook|Voir aussi
See from|Zie van|Voir
Separated from|Afgescheiden van|Détaché de
Series|Reeks|Collection
Series added entry|Toegevoegde ingang van de reeks|Vedette secondaire de collection
Series analysis practice|Ontsluiting van de delen|Pratique d’analyse de la collection
Series classification practice|Classificatie van de reeks|Pratique de classement de la collection
Series dates of publication or volume designation|Jaren en nummering van de reeks|Dates ou numérotation de la collection
Series numbering example|Voorbeeld van de nummering|Exemple de numérotation
Series numbering peculiarities|Bijzonderheden van de nummering van de reeks|Particularités de numérotation de la collection
Series place and publisher|Plaats en uitgever van de reeks|Lieu et éditeur de la collection
Series statement|Reeks|Mention de collection
Series statement and added entry|Reeks en toegevoegde ingang|Mention de collection et vedette secondaire
Series tracing practice|Ingang van de reeks|Pratique de vedette de la collection
Set|Geheel|Ensemble
Sound characteristics|Kenmerken van het geluid|Caractéristiques sonores
Source data found|Geraadpleegde bron|Source consultée avec résultat
Source data not found|Bron zonder gegevens|Source consultée sans résultat
Source of acquisition|Bron van verwerving|Source d’acquisition
Source of an excerpt|Bron van een uittreksel|Source de l’extrait
Source of description|Bron van de beschrijving|Source de la description
Special coded dates|Bijzondere gecodeerde data|Dates codées particulières
Spine title|Rugtitel|Titre de dos
Split into|Gesplitst in|Scindé en
Standard technical report number|Nummer van een technisch rapport|Numéro normalisé de rapport technique
Structured ownership and custodial history|Gestructureerde herkomst|Historique structuré de la conservation
Study programme information|Leerplan|Programme d’études
Subdivision usage|Gebruik van de onderverdeling|Usage de la subdivision
Subject|Onderwerp|Sujet
Subject category code|Code van de onderwerpscategorie|Code de catégorie de sujet
Subject example tracing note|Voorbeelden van het onderwerp|Exemples de vedettes
Subseries|Deelreeks|Sous-collection
Subseries entry|Deelreeks|Sous-collection
Subset|Deelgeheel|Sous-ensemble
Succeeding entry|Opvolger|Titre suivant
Summary|Samenvatting|Résumé
Superseded by|Vervangen door|Remplacé par
Superseded in part by|Gedeeltelijk vervangen door|Remplacé en partie par
Supersedes|Vervangt|Remplace
Supersedes in part|Vervangt gedeeltelijk|Remplace en partie
Supplement|Supplement|Supplément
Supplement note|Annotatie over supplement|Note de supplément
Supplement or special issue entry|Supplement of bijzonder nummer|Supplément ou numéro spécial
Supplement parent entry|Supplement van|Publication mère du supplément
Supplementary content characteristics|Aanvullende inhoud|Contenu supplémentaire
Synthesized classification number components|Delen van een samengestelde classificatie|Éléments d’un indice composé
System control number|Systeemnummer|Numéro de contrôle du système
System details|Systeemgegevens|Configuration requise
System details access to computer files|Toegang tot bestanden|Accès aux fichiers
Target audience note|Doelgroep|Note sur le public destinataire
Technical details|Technische gegevens|Détails techniques
Terms governing use and reproduction|Voorwaarden van gebruik|Conditions d’utilisation et de reproduction
Textual holdings|Bezit in woorden|État de collection en texte
Textual physical form designator|Fysieke vorm in woorden|Forme matérielle en texte
Time period code|Code van de periode|Code de période
Time period of content|Periode van de inhoud|Période du contenu
Time period of creation|Periode van ontstaan|Période de création
Time period of heading|Periode van de ingang|Période de la vedette
Title in modern spelling|Titel in hedendaagse spelling|Titre en orthographe moderne
Title not related to the entity|Niet verwante titel|Titre non lié à l’entité
Title related to the entity|Verwante titel|Titre lié à l’entité
Title statement|Titel en verantwoordelijkheid|Titre et mention de responsabilité
Title supplied by the cataloguer|Titel van de catalograaf|Titre forgé par le catalogueur
Trade availability information|Leverbaarheid|Disponibilité commerciale
Trade price|Prijs|Prix
Translated as|Vertaald als|Traduit sous le titre
Translated title|Vertaalde titel|Titre traduit
Translation entry|Vertaling|Traduction
Translation of|Vertaling van|Traduction de
Translation of title by cataloguing agency|Vertaling van de titel door de catalograaf|Traduction du titre par l’agence
Type of computer file|Soort bestand|Type de ressource électronique
Type of computer file or data|Soort bestand|Type de fichier
Type of entity|Soort entiteit|Type d’entité
Type of report and period covered|Soort rapport en periode|Type de rapport et période
Uniform conventional heading|Vormingang|Vedette conventionnelle
Uniform title|Uniforme titel|Titre uniforme
Universal Decimal Classification number|UDC|CDU
Universal product code|UPC|UPC
Updated by|Bijgewerkt door|Mis à jour par
Updates|Werkt bij|Met à jour
Varying form of title|Andere vorm van de titel|Variante du titre
Version identifier|Versie van het record|Identifiant de version
Version information|Versie|Version
Video characteristics|Kenmerken van de video|Caractéristiques vidéo
With note|Annotatie: met|Note « avec »
basic unit|hoofduitgave|unité de base
bibliographies and indexes|bibliografieën en registers|bibliographies et index
binding and availability|band en leverbaarheid|reliure et disponibilité
cast|uitvoerders|distribution
chronological subdivision|chronologische onderverdeling|subdivision chronologique
chronological term|periode|terme chronologique
coded information|gecodeerde gegevens|informations codées
collective uniform title|verzameltitel|titre uniforme collectif
continuing resource|doorlopende uitgave|ressource continue
conventional heading|vormingang|vedette conventionnelle
copy in hand|beschreven exemplaar|exemplaire décrit
copy of an old book|exemplaar van een oude druk|exemplaire d’un livre ancien
corporate body|organisatie|collectivité
corporate name|organisatie|collectivité
credits|medewerkers|générique
curriculum objective|leerdoel|objectif pédagogique
description|beschrijving|description
designation of a map|aanduiding van een kaart|désignation d’une carte
edition|editie|édition
electronic resource|elektronische bron|ressource électronique
expression|expressie|expression
faceted topical terms|onderwerpen in facetten|termes à facettes
family|familie|famille
form|vorm|forme
form of item|vorm van het stuk|forme du document
form subdivision|vormonderverdeling|subdivision de forme
function|functie|fonction
general subdivision|algemene onderverdeling|subdivision générale
genre or form|genre of vorm|genre ou forme
genre or form term|genre of vorm|genre ou forme
geodetic grid|geodetisch net|quadrillage géodésique
geographic name|geografische naam|nom géographique
geographic subdivision|geografische onderverdeling|subdivision géographique
graphic|grafisch materiaal|document graphique
hierarchical place name|plaats in hiërarchie|nom de lieu hiérarchisé
identification numbers|nummers|numéros d’identification
indexes|registers|index
language|taal|langue
linked records|verwante records|notices liées
map|kaart|carte
medium of performance term|bezetting|distribution d’exécution
meeting name|congres|congrès
microform|microvorm|microforme
moving image|bewegend beeld|image animée
musical performance|uitvoering van muziek|exécution musicale
name|naam|nom
name and collective title|naam en verzameltitel|nom et titre collectif
name and title|naam en titel|nom et titre
name and title of a work|naam en titel van een werk|nom et titre d’une œuvre
name and title of an expression|naam en titel van een expressie|nom et titre d’une expression
named event|gebeurtenis|événement
object|voorwerp|objet
occupation|beroep|profession
old book|oude druk|livre ancien
original version|oorspronkelijke versie|version originale
person|persoon|personne
personal name|persoon|personne
physical description|fysieke beschrijving|description matérielle
physical form of a map|fysieke vorm van een kaart|forme matérielle d’une carte
physical form of a recording|fysieke vorm van een opname|forme matérielle d’un enregistrement
physical form of a serial|fysieke vorm van een tijdschrift|forme matérielle d’un périodique
provenance|herkomst|provenance
provisional|voorlopig|provisoire
publication|uitgave|publication
publishing activity|uitgeverij|activité d’édition
related titles|verwante titels|titres associés
responsibility|verantwoordelijkheid|responsabilité
series|reeks|collection
sound recording and music|geluidsopname en muziek|enregistrement sonore et musique
subject|onderwerp|sujet
subject access|onderwerpsontsluiting|accès sujet
supplementary material|supplementen|suppléments
taxonomic identification|taxonomie|taxinomie
textual material|tekst|texte
time and place|tijd en plaats|temps et lieu
title and responsibility|titel en verantwoordelijkheid|titre et responsabilité
topical term|onderwerp|terme
trademark|merk|marque
type of entity unspecified|soort niet bepaald|type non précisé
type of material|soort materiaal|type de document
uncontrolled|vrij|libre
uncontrolled name|vrije naam|nom libre
uncontrolled related title|vrije verwante titel|titre associé libre
uniform title|uniforme titel|titre uniforme
use|gebruik|usage
use as a subject|gebruik als onderwerp|usage comme sujet
work|werk|œuvre
`

const languages: readonly string[] = ['nl', 'fr']

const names: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map(line => line.split('|'))
    .map(([english = '', ...others]) => [english, others])
)

/** The name of a field in a language; the English name where there is no other. */
export function fieldNameIn(language: string, english: string): string {
  const place = languages.indexOf(language)
  const nameOf = (part: string) => names.get(part)?.[place]
  const whole = nameOf(english)
  if (whole !== undefined) return whole
  const parts = english.split(': ')
  const translated = parts.map(nameOf)
  if (parts.length === 1 || translated.includes(undefined)) return english
  return translated.join(language === 'fr' ? ' : ' : ': ')
}
