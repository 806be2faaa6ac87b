import { createReadStream } from 'node:fs'
import { describeRecord, readRecords } from 'libretto-records'

// node works.ts books.mrk
for await (const read of readRecords(createReadStream(process.argv[2] ?? 'books.mrk'))) {
  if (read.outcome !== 'record') continue
  const { works, expressions, problems } = describeRecord(read.record)
  for (const { work, keys } of expressions) {
    const title = works[work]?.metadata.find(({ key }) => key === 'title')?.value
    const creators = works[work]?.keys.creators.map(({ key }) => key).join(', ')
    const translated = keys.isTranslation ? ', translated' : ''
    console.log(`${title} by ${creators || 'nobody'}, in ${keys.languages.join(', ') || 'no language'}${translated}`)
  }
  for (const { message } of problems) console.log(message)
}
