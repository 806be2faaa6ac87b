import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { langOfName, type Named, nameOf } from './record-model.ts'
import { zoneName } from './time-zones.ts'

/** The names of records in the language of the reader; dates and times are written out. */
export function useNameOf(): (entity: Named) => string {
  const { model } = useSession()
  const { language, moment, date } = useLocale()
  return entity => {
    const name = nameOf(model, entity, language)
    const field = model.find(entity.type)?.name_field
    const kind = field === undefined ? undefined : model.fieldOf(entity.type, field)?.kind
    return kind === 'moment'
      ? `${moment(name, model.timeZone)} (${zoneName(model.timeZone)})`
      : kind === 'date'
        ? date(name)
        : name
  }
}

/** The languages of the names that records are shown by, for the attribute `lang`. */
export function useLangOf(): (entity: Named) => string | undefined {
  const { model } = useSession()
  const { language } = useLocale()
  return entity => langOfName(model, entity, language)
}
