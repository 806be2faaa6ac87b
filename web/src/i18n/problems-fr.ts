import type { ProblemSentences, WarningSentences } from './problems-en.ts'

export const problemsFr: ProblemSentences = {
  invalid: 'Certaines valeurs ne sont pas valables. Corrigez-les et réessayez.',
  description_too_long:
    'La description courte est trop longue : 500 caractères au plus. Utilisez la description longue.',
  invalid_filter: 'La recherche n’est pas valable. Effacez les filtres et réessayez.',
  unknown_filter_type: 'La recherche utilise un filtre que ce service ne connaît pas.',
  bad_request: 'La demande n’est pas valable.',
  malformed_json: 'Le service n’a pas pu lire la demande.',
  unauthenticated: 'Votre session a pris fin. Reconnectez-vous.',
  sign_in_failed: 'La connexion a échoué. Réessayez.',
  forbidden: 'Vous n’avez pas ce droit. Demandez-le à l’administrateur.',
  not_found: 'Cette notice n’existe pas, ou vous ne pouvez pas la lire.',
  incomplete_wem: 'L’expression ou l’œuvre de cette publication manque.',
  several_matches: 'Plusieurs publications ont ce numéro.',
  no_such_path: 'Le service ne propose pas cela.',
  method_not_allowed: 'Le service ne propose pas cela.',
  not_acceptable: 'Le service ne peut pas répondre dans ce format.',
  request_timeout: 'La demande a mis trop de temps à arriver. Vérifiez la connexion et réessayez.',
  identifier_taken: 'Une autre notice a déjà cet identifiant.',
  still_referenced: 'D’autres notices renvoient à cette notice.',
  patch_not_applicable: 'La modification ne convient plus à la notice. Rechargez-la.',
  cursor_expired: 'Cette liste a trop changé depuis son ouverture. Rechargez-la.',
  key_reused: 'Cette demande a déjà été envoyée avec un autre contenu. Rechargez la page.',
  version_mismatch: 'Quelqu’un d’autre a modifié la notice entre-temps. Rechargez-la.',
  offset_mismatch: 'L’envoi a été interrompu ailleurs. Recommencez-le.',
  checksum_mismatch: 'Le fichier a été abîmé en route. Renvoyez-le.',
  media_too_large: 'Le fichier est trop grand.',
  body_too_large: 'La demande est trop grande. Envoyez-en moins à la fois.',
  uri_too_long: 'La recherche est trop longue. Utilisez moins de mots ou de filtres.',
  unsupported_media_type: 'Le service n’accepte pas les fichiers de ce type.',
  range_not_satisfiable: 'Cette partie du fichier n’existe pas.',
  unsupported_tus_version: 'Le protocole d’envoi de cette page est dépassé. Rechargez la page.',
  rate_limited: 'Trop de demandes. Attendez un instant et réessayez.',
  too_many_imports:
    'Trop de vos importations attendent. Envoyez le fichier quand l’une d’elles est terminée, ou arrêtez-en une.',
  headers_too_large: 'La demande est trop grande.',
  internal: 'Le service a rencontré une erreur. Réessayez ; si cela persiste, prévenez l’administrateur.',
  query_timeout: 'La recherche a pris trop de temps. Restreignez-la et réessayez.',
  unavailable: 'Le service est occupé ou démarre. Réessayez dans un instant.',
  storage_full: 'L’espace du service est plein. Prévenez l’administrateur.'
}

export const warningsFr: WarningSentences = {
  doubtful_value: (name, value) => `${name} : « ${value} » semble inexact ; la valeur est gardée telle quelle`,
  undeclared_name: (_, value) => `Ce type de notice n’a pas de « ${value} » ; la valeur est gardée telle quelle`,
  second_value: name => `${name} a une seule valeur ; une deuxième a été laissée de côté`,
  unsafe_markup: (name, value) => `${name} : des balises dangereuses ont été enlevées (${value})`,
  default_category: (name, value) => `${name} : la valeur est « ${value} »`,
  missing_target: (_, value) => `Une relation avec « ${value} » n’a pas été rétablie : la notice n’existe plus`,
  duplicate: (_, value) => `« ${value} » est peut-être la même notice`
}
