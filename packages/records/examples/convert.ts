import { createReadStream } from 'node:fs'
import { readRecords, remarksOn, writeRecords, type WrittenFormat } from 'libretto-records'

// node convert.ts books.mrk marcxml > books.xml
const [file = 'books.mrk', format = 'marcxml'] = process.argv.slice(2)

async function* records() {
  for await (const read of readRecords(createReadStream(file))) {
    for (const remark of remarksOn(read)) console.error(remark)
    if (read.outcome === 'record') yield read.record
  }
}

const options = { baseUrl: 'https://catalogue.example.org' }
for await (const text of writeRecords(records(), format as WrittenFormat, options)) process.stdout.write(text)
