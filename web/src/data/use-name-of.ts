import type { Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import { nameOf } from './record-model.ts'

/** How records are called here: in the language of whoever looks, moments written out. */
export function useNameOf(): (entity: Pick<Entity, 'id' | 'type' | 'metadata'>) => string {
  const { model } = useSession()
  const { language, moment, date } = useSpeech()
  return entity => {
    const name = nameOf(model, entity, language)
    const field = model.find(entity.type)?.name_field
    const kind = field === undefined ? undefined : model.fieldOf(entity.type, field)?.kind
    return kind === 'moment' ? moment(name) : kind === 'date' ? date(name) : name
  }
}
