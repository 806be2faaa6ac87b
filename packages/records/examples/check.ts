import { readFileSync } from 'node:fs'
import { detectFormat, readFormats, readRecords, remarksOn } from 'libretto-records'

// node check.ts books.mrk
const bytes = readFileSync(process.argv[2] ?? 'books.mrk')
const format = detectFormat(bytes)
console.log(format === undefined ? 'The format is not known' : readFormats[format].title)

const counts = { record: 0, deletion: 0, unreadable: 0 }
for await (const read of readRecords(bytes)) {
  counts[read.outcome]++
  for (const remark of remarksOn(read)) console.log(remark)
}
console.log(counts)
