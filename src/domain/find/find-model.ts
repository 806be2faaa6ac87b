import type { Model } from '../record-types/model.ts'
import type { FindModel } from './find-state.ts'

/** Makes the part of a model that addresses of searches depend on. */
export function findModelOf(model: Model): FindModel {
  return {
    facets: model.facets.map(({ name, field }) => ({
      name,
      path: field ? `properties.${name}.value` : `relations.${name}.key`
    })),
    isType: name => model.typesNamed(name).length > 0,
    climbsBy: relation => {
      const targets = model.recordTypes.flatMap(({ relations }) => relations[relation]?.to ?? [])
      const climbs = targets.flatMap(to => model.typesNamed(to)).map(type => model.findType(type)?.climbsBy)
      return climbs.find(each => each !== undefined && each !== relation)
    },
    momentOf: type => {
      const first = model.findType(model.typesNamed(type)[0] ?? '')
      return first && first.fields[first.nameField]?.kind === 'moment' ? first.nameField : undefined
    }
  }
}
