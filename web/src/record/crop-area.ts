/** The shapes of a cropped picture, as width divided by height. Those of paper are ISO 216. */
const ratios = {
  aPortrait: Math.SQRT1_2,
  aLandscape: Math.SQRT2,
  portrait: 2 / 3,
  square: 1,
  landscape: 3 / 2
} as const
type Ratio = keyof typeof ratios
export type CropShape = Ratio | 'free'
export const cropShapes = [...(Object.keys(ratios) as Ratio[]), 'free'] as const

/** A choice of a part of a picture. Shares are from 0 to 1. */
export interface Crop {
  readonly shape: CropShape
  /**
   * Share of the largest area of the shape that fits into the picture; of a free shape, the share
   * of the width.
   */
  readonly size: number
  /** The share of the height, of a free shape. */
  readonly tall: number
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
  const distance = (shape: Ratio) => Math.abs(Math.log(width / height / ratios[shape]))
  return (Object.keys(ratios) as Ratio[]).reduce((best, shape) => (distance(shape) < distance(best) ? shape : best))
}

/** The area of a picture that a choice means, in pixels of the picture. */
export function cropArea(picture: Size, crop: Crop): Size & { left: number; top: number } {
  const { shape, size, tall, across, down } = crop
  const ratio = shape === 'free' ? (picture.width * size) / (picture.height * tall) : ratios[shape]
  const largest = shape === 'free' ? picture.width : Math.min(picture.width, picture.height * ratio)
  const width = Math.max(1, Math.round(largest * size))
  const height = Math.max(1, Math.min(picture.height, Math.round((largest * size) / ratio)))
  return {
    width,
    height,
    left: Math.round((picture.width - width) * across),
    top: Math.round((picture.height - height) * down)
  }
}
