/** The days that a programme may be about. */
export const programmeDays = ['today', 'weekend', 'week'] as const
export type Days = (typeof programmeDays)[number]
