import { createReadStream } from 'node:fs'

import { readMarc } from '#formats/marc/read-marc.ts'

/*
 * Reads a file of MARC records again and again for some seconds and says how many it read for each
 * second of processor time. In a process of its own, so that nothing else is in its memory; the
 * first readings, while the program is compiled, do not count.
 */

const [file = '', least = '3'] = process.argv.slice(2)

const readOnce = async () => {
  let count = 0
  for await (const _ of readMarc(createReadStream(file, { highWaterMark: 1 << 18 }))) count++
  return count
}
const processorSeconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

while (processorSeconds() < Number(least)) await readOnce()
const began = process.cpuUsage()
let count = 0
while (processorSeconds(began) < Number(least)) count += await readOnce()
console.log(count / processorSeconds(began))
