import type { Named } from '../data/record-model.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'

/**
 * The name of a record, marked with its language. `bdi` takes its direction from the name and keeps
 * it out of the text around it.
 */
export function RecordName({ record }: { readonly record: Named }) {
  const nameOf = useNameOf()
  const langOf = useLangOf()
  return <bdi lang={langOf(record)}>{nameOf(record)}</bdi>
}

/** The names of records with dots between them. */
export function RecordNames({ records }: { readonly records: readonly Named[] }) {
  return records.map((record, index) => (
    <span key={record.id}>
      {index > 0 && ' · '}
      <RecordName record={record} />
    </span>
  ))
}
