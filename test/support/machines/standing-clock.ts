import { readFileSync } from 'node:fs'

/*
 * Loaded before the program (`node --import`), in each of its threads: its clock stands where the
 * file says that TEST_CLOCK names, so that two services that are told the same write the same
 * moments.
 */

const file = process.env.TEST_CLOCK
if (file === undefined) throw new Error('TEST_CLOCK must name a file with the milliseconds since 1970')

Date.now = () => Number(readFileSync(file, 'utf8'))
