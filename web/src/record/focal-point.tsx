import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useId, useState } from 'react'

import type { Entity } from '../../../client/index.ts'
import { useChanges } from '../change/use-changes.ts'
import { valuesOf } from '../data/record-model.ts'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface Point {
  readonly x: number
  readonly y: number
}

interface FocalPointProps {
  readonly entity: Entity
  readonly address: string
  readonly description: string
}

/** A picture with its focal point, which derived pictures keep. A click or a slider moves it. */
export function FocalPoint({ entity, address, description }: FocalPointProps) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const { saved } = useChanges()
  const id = useId()
  const share = (key: string) => {
    const [value] = valuesOf(entity, key)
    return typeof value === 'number' ? value : 0.5
  }
  const stored: Point = { x: share('focus_x'), y: share('focus_y') }
  const [moved, setMoved] = useState<Point>()
  const point = moved ?? stored
  const save = useMutation({
    mutationFn: ({ x, y }: Point) =>
      client.entities.patch(entity.id, {
        metadata: Object.entries({ focus_x: x, focus_y: y }).map(([key, value]) => ({ key, value }))
      }),
    onSuccess: written => {
      setMoved(undefined)
      return saved(entity.version, written)
    },
    onError: error => say(problemText(error))
  })
  const pick = ({ nativeEvent, currentTarget }: MouseEvent<HTMLElement>) => {
    const round = (part: number, whole: number) => Math.round(Math.min(1, Math.max(0, part / whole)) * 100) / 100
    setMoved({
      x: round(nativeEvent.offsetX, currentTarget.clientWidth),
      y: round(nativeEvent.offsetY, currentTarget.clientHeight)
    })
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the sliders below do the same */}
      <span className="focal-picture" onClick={pick}>
        <img src={address} alt={description} />
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <line x1={point.x * 100} x2={point.x * 100} y1="0" y2="100" />
          <line y1={point.y * 100} y2={point.y * 100} x1="0" x2="100" />
        </svg>
      </span>
      <form
        className="focal-point"
        onSubmit={event => {
          event.preventDefault()
          save.mutate(point)
        }}
      >
        <fieldset aria-describedby={`${id}-hint`}>
          <legend>{words.focalPoint}</legend>
          <p id={`${id}-hint`} className="hint">
            {words.focalPointHint}
          </p>
          {(['x', 'y'] as const).map(axis => (
            <label key={axis}>
              {axis === 'x' ? words.cropAcross : words.cropDown}
              <input
                type="range"
                min={0}
                max={100}
                value={Math.round(point[axis] * 100)}
                onChange={({ target }) => setMoved({ ...point, [axis]: Number(target.value) / 100 })}
              />
            </label>
          ))}
          <button type="submit" className="button" disabled={moved === undefined || save.isPending}>
            {words.saveFocalPoint}
          </button>
        </fieldset>
      </form>
    </>
  )
}
