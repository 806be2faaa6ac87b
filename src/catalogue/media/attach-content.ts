import { contentOf } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import { changeEntity } from '../entities/change-entity.ts'
import type { Written } from '../entities/create-entity.ts'
import type { Parts } from '../parts.ts'

/** Attaches stored bytes to an entity. */
export function attachContent(
  parts: Parts,
  principal: Principal,
  identifier: string,
  content: ContentFacts
): Promise<Written> {
  return changeEntity(parts, principal, identifier, current => contentOf(current), { content })
}
