/** The state of the media of a production, taken together. */
export const readinessStates = ['ready', 'incomplete', 'contradictory'] as const
export type ReadinessState = (typeof readinessStates)[number]
