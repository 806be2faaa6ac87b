/** The shapes of a cropped picture, as width divided by height. */
export const cropShapes = { portrait: 2 / 3, square: 1, landscape: 3 / 2 } as const
export type CropShape = keyof typeof cropShapes

/** A choice of a part of a picture. Shares are from 0 to 1. */
export interface Crop {
  readonly shape: CropShape
  /** Share of the largest area of the shape that fits into the picture. */
  readonly size: number
  /** Position from left to right and from top to bottom, as a share of the free space. */
  readonly across: number
  readonly down: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The shape that leaves most of a picture. */
export function nearestShape({ width, height }: Size): CropShape {
  const distance = (shape: CropShape) => Math.abs(Math.log(width / height / cropShapes[shape]))
  const shapes = Object.keys(cropShapes) as CropShape[]
  return shapes.reduce((best, shape) => (distance(shape) < distance(best) ? shape : best))
}

/** The area of a picture that a choice means, in pixels of the picture. */
export function cropArea(picture: Size, { shape, size, across, down }: Crop): Size & { left: number; top: number } {
  const ratio = cropShapes[shape]
  const largest = Math.min(picture.width, picture.height * ratio)
  const width = Math.max(1, Math.round(largest * size))
  const height = Math.max(1, Math.min(picture.height, Math.round((largest * size) / ratio)))
  return {
    width,
    height,
    left: Math.round((picture.width - width) * across),
    top: Math.round((picture.height - height) * down)
  }
}
