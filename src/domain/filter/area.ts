import { isJsonObject } from '../json.ts'

/*
 * Areas of `geo` filters: polygons of GeoJSON (RFC 7946). A point is inside when a line from it to
 * the east crosses the borders an odd number of times; so holes and several polygons need no rule
 * of their own, and both databases and the index evaluate the same arithmetic.
 */

/** The metadata keys that say where a record is, in degrees. */
export const positionFields = { latitude: 'latitude', longitude: 'longitude' } as const

/**
 * A border that is crossed at latitudes from `south` (included) to `north` (excluded): at the
 * latitude `y`, its longitude is `x + (y - south) * slope`.
 */
export type Border = readonly [south: number, north: number, x: number, slope: number]

export interface Area {
  readonly borders: readonly Border[]
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

const maxAreaPositions = 1000

/**
 * Reads a `Polygon` or `MultiPolygon`; gives a sentence that says what is wrong with another value.
 */
export function readArea(value: unknown): Area | string {
  if (!isJsonObject(value)) return areaForm
  const polygons =
    value.type === 'Polygon' ? [value.coordinates] : value.type === 'MultiPolygon' ? value.coordinates : []
  if (!Array.isArray(polygons) || polygons.length === 0) return areaForm
  const rings = polygons.flatMap((polygon: unknown) => (Array.isArray(polygon) ? (polygon as unknown[]) : [undefined]))
  const borders: Border[] = []
  const positions: (readonly [x: number, y: number])[] = []
  for (const ring of rings) {
    if (!Array.isArray(ring) || ring.length < 4 || !ring.every(isPosition)) return areaForm
    const points = ring as readonly (readonly [x: number, y: number])[]
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last || first[0] !== last[0] || first[1] !== last[1])
      return 'Each ring of a polygon must end with the position that it begins with'
    if (positions.push(...points) > maxAreaPositions) return `An area may have at most ${maxAreaPositions} positions`
    points.slice(1).forEach((to, index) => {
      const from = points[index]
      if (!from || from[1] === to[1]) return
      const [lower, upper] = from[1] < to[1] ? [from, to] : [to, from]
      borders.push([lower[1], upper[1], lower[0], (upper[0] - lower[0]) / (upper[1] - lower[1])])
    })
  }
  const [x, y] = [positions.map(([each]) => each), positions.map(([, each]) => each)]
  return { borders, south: Math.min(...y), north: Math.max(...y), west: Math.min(...x), east: Math.max(...x) }
}

const areaForm =
  'Must be a GeoJSON Polygon or MultiPolygon: rings of at least four positions [longitude, latitude], the last equal to the first'

const isPosition = (value: unknown) =>
  Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every(each => Number.isFinite(each))

/** Whether a position lies in an area. */
export function isInArea({ borders }: Area, latitude: number, longitude: number): boolean {
  const crossed = borders.filter(
    ([south, north, x, slope]) => latitude >= south && latitude < north && longitude < x + (latitude - south) * slope
  )
  return crossed.length % 2 === 1
}
