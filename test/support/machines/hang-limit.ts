/**
 * How long a test waits for a condition before it gives up, in milliseconds. It only guards against
 * waiting for ever: on a machine whose cores are all busy, things that take seconds otherwise take
 * minutes.
 */
export const hangLimit = 600_000
