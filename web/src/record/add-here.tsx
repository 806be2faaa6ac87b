import { CalendarPlus, Languages, Plus } from 'lucide-react'
import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { newAddress, performancesOf } from '../change/prefill.ts'
import { levelsOf, toExpression, toWork } from '../change/three-levels.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useSession } from '../session/session.tsx'

/** Buttons for new records that belong to this one: edition, translation, performance. */
export function AddHere({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const { words } = useLocale()
  const levels = levelsOf(model)
  const { production, performance } = model.stage
  const isWork = levels?.works.some(({ type }) => type === entity.type)
  const isExpression = levels?.expressions.some(({ type }) => type === entity.type)
  return (
    <>
      {isWork && (
        <Link className="button" to={newAddress('publication', { [toWork]: entity.id })}>
          <Languages size={16} aria-hidden="true" /> {words.addTranslation}
        </Link>
      )}
      {isExpression && <AddEdition expression={entity} />}
      {entity.type === production?.type && performance?.may.includes('write') && (
        <Link className="button" to={`/new/${performancesOf(entity.id)}`}>
          <CalendarPlus size={16} aria-hidden="true" /> {words.addPerformances}
        </Link>
      )}
    </>
  )
}

interface AddEditionProps {
  readonly expression: Pick<Entity, 'id' | 'type'>
  readonly isSmall?: boolean
}

/** A link to the form for a new edition of an expression, of the same material. */
export function AddEdition({ expression, isSmall = false }: AddEditionProps) {
  const { model } = useSession()
  const { words } = useLocale()
  const rows = levelsOf(model)?.manifestations ?? []
  const materialOf = (type: string) => type.replace(/^[a-z]+_/, '')
  const row = rows.find(({ type }) => materialOf(type) === materialOf(expression.type)) ?? rows[0]
  if (!row) return null
  return (
    <Link className={isSmall ? 'add-edition' : 'button'} to={newAddress(row.type, { [toExpression]: expression.id })}>
      <Plus size={isSmall ? 14 : 16} aria-hidden="true" /> {words.addEdition}
    </Link>
  )
}
