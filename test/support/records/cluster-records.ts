import { type Answer, clusterBlock, type Clusters } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/blocks.ts'
import { mentionsOf, type RecordEvidence } from '#domain/clustering/evidence.ts'

/** Clusters records that are all in memory, block by block. */
export function clusterRecords(records: Iterable<RecordEvidence>, answers: readonly Answer[] = []): Clusters {
  const clusters: { works: Clusters['works'][number][]; questions: Clusters['questions'][number][] } = {
    works: [],
    questions: []
  }
  for (const block of blocksOf([...records].flatMap(mentionsOf), answers)) {
    const { works, questions } = clusterBlock(block, answers)
    for (const each of works) clusters.works.push(each)
    for (const each of questions) clusters.questions.push(each)
  }
  clusters.works.sort((one, other) => compare(one.members[0]?.mention, other.members[0]?.mention))
  clusters.questions.sort((one, other) => compare(one.one + one.other, other.one + other.other))
  return clusters
}

const compare = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0)
