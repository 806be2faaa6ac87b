import type { Form, MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'

/** Writes a file of records in one form. */
export async function* writeMarc(
  records: AsyncIterable<MarcRecord> | Iterable<MarcRecord>,
  form: Form
): AsyncGenerator<Buffer, void, undefined> {
  const { head, tail, write } = writers[form]
  if (head !== '') yield Buffer.from(head)
  for await (const record of records) {
    const written = write(record)
    yield typeof written === 'string' ? Buffer.from(written) : written
  }
  if (tail !== '') yield Buffer.from(tail)
}
