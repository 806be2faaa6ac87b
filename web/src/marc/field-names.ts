/*
 * The names of MARC fields in Dutch and French, by their English names, which the tables of the
 * fields have. A name of two parts, as `Subject: personal name`, is made of both parts.
 */

const table = `
Abbreviated title|Verkorte titel|Titre abrégé
Accessibility content|Toegankelijkheid|Contenu d’accessibilité
Accessibility note|Annotatie over toegankelijkheid|Note sur l’accessibilité
Accumulation and frequency of use|Aangroei en gebruik|Accroissement et fréquence d’utilisation
Action note|Annotatie over behandeling|Note sur les traitements
Added entry|Toegevoegde ingang|Vedette secondaire
Additional Dewey Decimal Classification number|Bijkomende Dewey-classificatie|Indice Dewey supplémentaire
Additional material characteristics|Bijkomende kenmerken van het materiaal|Caractéristiques matérielles supplémentaires
Additional physical form available|Ook in een andere vorm|Autre support disponible
Additional physical form entry|Andere fysieke vorm|Autre support
Address|Adres|Adresse
Alternate graphic representation|Weergave in ander schrift|Représentation dans une autre écriture
Application history note|Geschiedenis van het gebruik|Note sur l’historique d’utilisation
Associated group|Verwante groep|Groupe associé
Associated language|Verwante taal|Langue associée
Associated place|Verwante plaats|Lieu associé
Audience characteristics|Kenmerken van het publiek|Caractéristiques du public
Authentication code|Code van echtverklaring|Code d’authentification
Awards note|Bekroningen|Note sur les prix
Bibliography note|Annotatie over bibliografie|Note de bibliographie
Binding information|Band|Reliure
Biographical or historical data|Biografische of historische gegevens|Données biographiques ou historiques
CODEN|CODEN|CODEN
Captions and pattern|Benamingen en patroon|Libellés et modèle
Carrier type|Type drager|Type de support
Cartographic mathematical data|Wiskundige gegevens van de kaart|Données mathématiques cartographiques
Case file characteristics|Kenmerken van het dossier|Caractéristiques du dossier
Cataloguing source|Bron van de beschrijving|Source du catalogage
Character sets present|Gebruikte tekensets|Jeux de caractères
Citation and references|Verwijzingen naar bibliografieën|Citations et références
Classification numbers assigned in Canada|Canadese classificatie|Indices attribués au Canada
Cluster ISSN|Cluster-ISSN|ISSN de regroupement
Coded cartographic mathematical data|Gecodeerde kaartgegevens|Données cartographiques codées
Collective uniform title|Verzameltitel|Titre uniforme collectif
Complex linking entry data|Samengestelde koppeling|Liaison complexe
Complex see also reference|Samengestelde zie-ook-verwijzing|Renvoi « voir aussi » complexe
Complex see reference|Samengestelde zie-verwijzing|Renvoi « voir » complexe
Computer file characteristics|Kenmerken van het bestand|Caractéristiques du fichier
Constituent unit entry|Onderdeel|Partie composante
Content type|Type inhoud|Type de contenu
Control number|Controlenummer|Numéro de contrôle
Control number identifier|Herkomst van het controlenummer|Identifiant du numéro de contrôle
Copy and version identification|Exemplaar en versie|Identification de l’exemplaire et de la version
Copyright article-fee code|Code van auteursrechten|Code de droits d’auteur
Copyright or legal deposit number|Nummer van auteursrecht of depot|Numéro de dépôt légal
Corporate name|Organisatie|Collectivité
Country of producing entity|Land van productie|Pays de production
Country of publishing or producing entity|Land van uitgave|Pays de publication
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
Exhibitions note|Tentoonstellingen|Note d’exposition
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
Former publication frequency|Vroegere frequentie|Ancienne périodicité
Former title|Vroegere titel|Ancien titre
Former title complexity note|Annotatie over vroegere titels|Note sur les anciens titres
Fuller form of personal name|Volledige naam|Forme développée du nom
Funding information|Financiering|Financement
Gender|Gender|Genre
General explanatory reference|Algemene verklarende verwijzing|Renvoi explicatif général
General information|Algemene gegevens|Données générales
General note|Algemene annotatie|Note générale
Geographic area code|Code van het gebied|Code de zone géographique
Geographic classification|Geografische classificatie|Classification géographique
Geographic coverage note|Geografisch bereik|Couverture géographique
Geospatial reference data|Geografisch referentiesysteem|Données de référence géospatiale
Government document call number|Plaatskenmerk van een overheidsdocument|Cote de document officiel
Government document classification number|Classificatie van een overheidsdocument|Indice de document officiel
Heading|Ingang|Vedette
History reference|Verwijzing naar de geschiedenis|Renvoi historique
Holding institution|Instelling|Établissement détenteur
Holdings coded data values|Gecodeerde bezitsgegevens|Données codées d’état de collection
Host item entry|Staat in|Document hôte
Hours|Openingstijden|Heures
Immediate source of acquisition|Verwerving|Source directe d’acquisition
Imprint statement for films|Impressum van een film|Adresse pour les films
Imprint statement for sound recordings|Impressum van een geluidsopname|Adresse pour les enregistrements sonores
Index term|Vrije ontsluiting|Terme d’indexation
Information about documentation|Documentatie|Documentation
Information relating to copyright status|Auteursrechtelijke status|Statut du droit d’auteur
International standard book number|ISBN|ISBN
International standard serial number|ISSN|ISSN
Issued with entry|Uitgegeven met|Publié avec
Issuing body note|Uitgevende instantie|Note sur l’organisme éditeur
Item information|Exemplaar|Exemplaire
Key|Toonaard|Tonalité
Key title|Sleuteltitel|Titre clé
LC classification number|LC-classificatie|Indice LC
Language code|Taal|Code de langue
Language note|Annotatie over de taal|Note de langue
Library and Archives Canada call number|Plaatskenmerk van Library and Archives Canada|Cote de Bibliothèque et Archives Canada
Library of Congress call number|Plaatskenmerk van de Library of Congress|Cote de la Bibliothèque du Congrès
Library of Congress control number|Nummer van de Library of Congress|Numéro de la Bibliothèque du Congrès
Library of Congress copy, issue, offprint statement|Exemplaar van de Library of Congress|Exemplaire de la Bibliothèque du Congrès
Link to bibliographic record for serial or multipart item|Koppeling met de titelbeschrijving|Lien vers la notice bibliographique
Linking entry|Koppeling|Vedette liée
Linking entry complexity|Annotatie over verwante titels|Note sur les liaisons
Location|Plaats van het exemplaar|Localisation
Location of other archival materials|Plaats van ander archiefmateriaal|Localisation d’autres archives
Location of originals or duplicates|Plaats van origineel of kopie|Localisation des originaux ou des copies
Main entry|Hoofdingang|Vedette principale
Main series entry|Hoofdreeks|Collection principale
Manifestation statements|Vermeldingen op de manifestatie|Mentions de la manifestation
Matching information|Gegevens van de vergelijking|Données de rapprochement
Media type|Type medium|Type de média
Medium of performance|Bezetting|Distribution d’exécution
Metadata provenance|Herkomst van de metadata|Provenance des métadonnées
Methodology|Methode|Méthodologie
Mode of issuance|Wijze van uitgave|Mode de publication
Moving image characteristics|Kenmerken van het bewegend beeld|Caractéristiques des images animées
Musical incipits information|Muzikale incipits|Incipits musicaux
Musical presentation statement|Vorm van de muziekuitgave|Présentation musicale
Name of unit|Naam van de eenheid|Nom de l’unité
National Agricultural Library call number|Plaatskenmerk van de National Agricultural Library|Cote de la National Agricultural Library
National Agricultural Library copy statement|Exemplaar van de National Agricultural Library|Exemplaire de la National Agricultural Library
National Library of Medicine call number|Plaatskenmerk van de National Library of Medicine|Cote de la National Library of Medicine
National Library of Medicine copy statement|Exemplaar van de National Library of Medicine|Exemplaire de la National Library of Medicine
GPO item number|Nummer van de GPO|Numéro GPO
National bibliographic agency control number|Nummer van de nationale bibliografie|Numéro de l’agence bibliographique nationale
National bibliography number|Nummer in de nationale bibliografie|Numéro de bibliographie nationale
Non-MARC information field|Gegevens buiten MARC|Données hors MARC
Nonpublic general note|Interne annotatie|Note générale interne
Normalized date and sequential designation|Genormaliseerde jaren en nummering|Dates et numérotation normalisées
Notated music characteristics|Kenmerken van de muzieknotatie|Caractéristiques de la musique notée
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
Other relationship entry|Andere relatie|Autre relation
Other standard identifier|Ander standaardnummer|Autre identifiant normalisé
Overseas acquisition number|Nummer van buitenlandse verwerving|Numéro d’acquisition à l’étranger
Ownership and custodial history|Herkomst|Historique de la conservation
Parallel description in another language|Beschrijving in een andere taal|Description parallèle dans une autre langue
Participant or performer note|Uitvoerders|Note sur les interprètes
Patent control information|Octrooi|Brevet
Philatelic issue data|Filatelistische gegevens|Données philatéliques
Physical description|Fysieke beschrijving|Description matérielle
Physical description fixed field|Gecodeerde fysieke beschrijving|Description matérielle codée
Physical medium|Fysieke drager|Support matériel
Planar coordinate data|Vlakke coördinaten|Coordonnées planes
Postal registration number|Nummer van de post|Numéro d’enregistrement postal
Preceding entry|Voorganger|Titre précédent
Preferred citation of described materials|Aanbevolen wijze van citeren|Citation recommandée
Production, publication, distribution, manufacture, copyright|Productie, uitgave, distributie, vervaardiging, copyright|Production, publication, distribution, fabrication, copyright
Projected publication date|Verwachte datum van uitgave|Date de publication prévue
Public general note|Openbare annotatie|Note générale publique
Publication, distribution (imprint)|Uitgave, distributie (impressum)|Publication, diffusion (adresse)
Publications about described materials|Publicaties over het materiaal|Publications sur le document
Publisher or distributor number|Nummer van de uitgever of distributeur|Numéro d’éditeur ou de distributeur
Record content licensor|Licentiegever van het record|Détenteur des droits de la notice
Replacement record information|Vervangend record|Notice de remplacement
Playing time|Speelduur|Durée
Report number|Rapportnummer|Numéro de rapport
Representative expression characteristics|Kenmerken van de representatieve expressie|Caractéristiques de l’expression représentative
Reproduction note|Annotatie over reproductie|Note de reproduction
Resource identifier|Identificatie van de bron|Identifiant de la ressource
Restrictions on access|Beperkingen van de toegang|Restrictions d’accès
Scale note for graphic material|Schaal van grafisch materiaal|Échelle du document graphique
Security classification control|Geheimhouding|Classification de sécurité
See also|Zie ook|Voir aussi
See from|Zie van|Voir
Series added entry|Toegevoegde ingang van de reeks|Vedette secondaire de collection
Series analysis practice|Ontsluiting van de delen|Pratique d’analyse de la collection
Series classification practice|Classificatie van de reeks|Pratique de classement de la collection
Series dates of publication or volume designation|Jaren en nummering van de reeks|Dates ou numérotation de la collection
Series numbering example|Voorbeeld van de nummering|Exemple de numérotation
Series numbering peculiarities|Bijzonderheden van de nummering van de reeks|Particularités de numérotation de la collection
Series place and publisher|Plaats en uitgever van de reeks|Lieu et éditeur de la collection
Series statement|Reeks|Mention de collection
Series statement and added entry|Reeks en toegevoegde ingang|Mention de collection et vedette secondaire
Standard technical report number|Nummer van een technisch rapport|Numéro normalisé de rapport technique
Series tracing practice|Ingang van de reeks|Pratique de vedette de la collection
Sound characteristics|Kenmerken van het geluid|Caractéristiques sonores
Source data found|Geraadpleegde bron|Source consultée avec résultat
Source data not found|Bron zonder gegevens|Source consultée sans résultat
Source of acquisition|Bron van verwerving|Source d’acquisition
Source of description|Bron van de beschrijving|Source de la description
Special coded dates|Bijzondere gecodeerde data|Dates codées particulières
Structured ownership and custodial history|Gestructureerde herkomst|Historique structuré de la conservation
Study programme information|Leerplan|Programme d’études
Subdivision usage|Gebruik van de onderverdeling|Usage de la subdivision
Subject|Onderwerp|Sujet
Subject category code|Code van de onderwerpscategorie|Code de catégorie de sujet
Subject example tracing note|Voorbeelden van het onderwerp|Exemples de vedettes
Subseries entry|Deelreeks|Sous-collection
Succeeding entry|Opvolger|Titre suivant
Summary|Samenvatting|Résumé
Supplement note|Annotatie over supplement|Note de supplément
Supplement or special issue entry|Supplement of bijzonder nummer|Supplément ou numéro spécial
Supplement parent entry|Supplement van|Publication mère du supplément
Supplementary content characteristics|Aanvullende inhoud|Contenu supplémentaire
Synthesized classification number components|Delen van een samengestelde classificatie|Éléments d’un indice composé
System control number|Systeemnummer|Numéro de contrôle du système
System details|Systeemgegevens|Configuration requise
System details access to computer files|Toegang tot bestanden|Accès aux fichiers
Target audience note|Doelgroep|Note sur le public destinataire
Terms governing use and reproduction|Voorwaarden van gebruik|Conditions d’utilisation et de reproduction
Textual holdings|Bezit in woorden|État de collection en texte
Textual physical form designator|Fysieke vorm in woorden|Forme matérielle en texte
Time period of content|Periode van de inhoud|Période du contenu
Time period of creation|Periode van ontstaan|Période de création
Time period of heading|Periode van de ingang|Période de la vedette
Title not related to the entity|Niet verwante titel|Titre non lié à l’entité
Title related to the entity|Verwante titel|Titre lié à l’entité
Title statement|Titel en verantwoordelijkheid|Titre et mention de responsabilité
Trade availability information|Leverbaarheid|Disponibilité commerciale
Trade price|Prijs|Prix
Translation entry|Vertaling|Traduction
Translation of title by cataloguing agency|Vertaling van de titel door de catalograaf|Traduction du titre par l’agence
Type of computer file or data|Soort bestand|Type de fichier
Type of entity|Soort entiteit|Type d’entité
Type of report and period covered|Soort rapport en periode|Type de rapport et période
Uniform title|Uniforme titel|Titre uniforme
Universal Decimal Classification number|UDC|CDU
Varying form of title|Andere vorm van de titel|Variante du titre
Version information|Versie|Version
Video characteristics|Kenmerken van de video|Caractéristiques vidéo
With note|Annotatie: met|Note « avec »
basic unit|hoofduitgave|unité de base
chronological subdivision|chronologische onderverdeling|subdivision chronologique
chronological term|periode|terme chronologique
corporate name|organisatie|collectivité
curriculum objective|leerdoel|objectif pédagogique
faceted topical terms|onderwerpen in facetten|termes à facettes
form subdivision|vormonderverdeling|subdivision de forme
function|functie|fonction
general subdivision|algemene onderverdeling|subdivision générale
genre or form|genre of vorm|genre ou forme
genre or form term|genre of vorm|genre ou forme
geographic name|geografische naam|nom géographique
geographic subdivision|geografische onderverdeling|subdivision géographique
hierarchical place name|plaats in hiërarchie|nom de lieu hiérarchisé
indexes|registers|index
medium of performance term|bezetting|distribution d’exécution
meeting name|congres|congrès
name|naam|nom
named event|gebeurtenis|événement
occupation|beroep|profession
personal name|persoon|personne
subject|onderwerp|sujet
supplementary material|supplementen|suppléments
taxonomic identification|taxonomie|taxinomie
topical term|onderwerp|terme
type of entity unspecified|soort niet bepaald|type non précisé
uncontrolled|vrij|libre
uncontrolled name|vrije naam|nom libre
uncontrolled related title|vrije verwante titel|titre associé libre
uniform title|uniforme titel|titre uniforme
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
