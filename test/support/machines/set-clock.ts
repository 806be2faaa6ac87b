import { readFileSync } from 'node:fs'

/*
 * Loaded before the program (`node --import`), in each of its threads: its clock is set by the file
 * that TEST_CLOCK names. It stands at the milliseconds since 1970 that are in the file, so that two
 * services that are told the same write the same moments; or, where the number has a sign, it goes,
 * so many milliseconds ahead of the machine's, or behind it.
 */

const file = process.env.TEST_CLOCK
if (file === undefined) throw new Error('TEST_CLOCK must name a file with the milliseconds since 1970')

const machineTime = Date.now

Date.now = () => {
  const text = readFileSync(file, 'utf8')
  return /^[+-]/.test(text) ? machineTime() + Number(text) : Number(text)
}

const MachineDate = Date

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, given, called) =>
    Reflect.construct(target, given.length === 0 ? [MachineDate.now()] : given, called)
})
