import { useEffect, useId, useRef, useState } from 'react'

import { SelectField } from '../parts/select-field.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type Crop, type CropShape, cropArea, cropShapes, nearestShape } from './crop-area.ts'
import { Options } from '../parts/options.tsx'

interface CropDialogProps {
  readonly file: File
  readonly onCropped: (file: File) => void
  readonly onClose: () => void
}

/** Formats that a browser can write. Other pictures become PNG. */
const writable = ['image/jpeg', 'image/png', 'image/webp']

/** Chooses a part of a picture with a list and three sliders, which work by keyboard and touch. */
export function CropDialog({ file, onCropped, onClose }: CropDialogProps) {
  const { words } = useLocale()
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [isUnreadable, setUnreadable] = useState(false)
  const [crop, setCrop] = useState<Crop>({ shape: 'square', size: 1, tall: 1, across: 0.5, down: 0.5 })

  useEffect(() => {
    let isCurrent = true
    createImageBitmap(file).then(
      made => {
        if (!isCurrent) return made.close()
        setPicture(made)
        setCrop(before => ({ ...before, shape: nearestShape(made) }))
      },
      () => isCurrent && setUnreadable(true)
    )
    return () => {
      isCurrent = false
    }
  }, [file])

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!picture || !canvas.current || !context) return
    const { left, top, width, height } = cropArea(picture, crop)
    Object.assign(canvas.current, { width, height })
    context.drawImage(picture, left, top, width, height, 0, 0, width, height)
  }, [picture, crop])

  const finish = () => {
    const type = writable.includes(file.type) ? file.type : 'image/png'
    const name = type === file.type ? file.name : `${file.name.replace(/\.\w+$/, '')}.png`
    canvas.current?.toBlob(blob => blob && onCropped(new File([blob], name, { type })), type, 0.92)
  }
  const sliders = {
    ...(crop.shape === 'free' ? { size: words.cropWidth, tall: words.cropHeight } : { size: words.cropSize }),
    across: words.cropAcross,
    down: words.cropDown
  }
  return (
    <Dialog title={words.cropPicture} onClose={onClose}>
      <form
        className="crop"
        onSubmit={event => {
          event.preventDefault()
          finish()
        }}
      >
        <SelectField
          label={words.cropShape}
          value={crop.shape}
          onChoose={shape => setCrop({ ...crop, shape: shape as CropShape })}
        >
          <Options of={[...cropShapes]} name={shape => words.cropShapes[shape as CropShape]} />
        </SelectField>
        {Object.entries(sliders).map(([key, label]) => (
          <div key={key} className="field">
            <label htmlFor={`${id}-${key}`}>{label}</label>
            <input
              id={`${id}-${key}`}
              type="range"
              min={key === 'size' || key === 'tall' ? 10 : 0}
              max={100}
              value={Math.round(crop[key as 'size' | 'tall' | 'across' | 'down'] * 100)}
              onChange={event => setCrop({ ...crop, [key]: Number(event.target.value) / 100 })}
            />
          </div>
        ))}
        {isUnreadable && (
          <p className="note note-warn" role="alert">
            {words.cropUnreadable}
          </p>
        )}
        <canvas ref={canvas} className="crop-preview" role="img" aria-label={words.cropPreview(file.name)} />
        <div className="dialog-actions">
          <button type="submit" className="button primary" disabled={!picture}>
            {words.cropAndAdd}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
