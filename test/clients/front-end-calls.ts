import assert from 'node:assert/strict'

import { aProduction } from '../support/records/entities.ts'
import { type RecordedCall, valuesOf } from './recorded-calls.ts'

/*
 * Every method of the REST data source behind the front-end of the platform whose interface this
 * is, by its name there, and exactly as it is sent. Where a method cannot be had, its row says why.
 * `npm run docs` writes the table of docs/interface/existing-clients.md from these lists.
 */

const isGood = (body: unknown) => assert.equal(body, 'good')
const hasResults =
  (...ids: string[]) =>
  (body: { count: number; results: readonly { id: string }[] }) => {
    assert.deepEqual(
      body.results.map(each => each.id),
      ids
    )
    assert.equal(body.count, ids.length)
  }
/** The layer gives each record an id from `_key` or `_id`. */
const hasIds = (body: { _id: string; _key: string; id: string }) => assert.ok(body._id && body._key && body.id)

export const reads: readonly RecordedCall[] = [
  {
    call: 'getEntities',
    ...{ method: 'GET', path: '/entities?limit=20&skip=0&asc=1&order_by=' },
    // The specification wants an array. The layer reads `results`, so it is set up with /v2.
    needs: body => assert.ok(Array.isArray(body))
  },
  {
    call: 'getEntities of media files',
    ...{ method: 'GET', path: '/mediafiles?limit=20&skip=0&asc=0&order_by=title' },
    needs: body => assert.equal(body.results.length, 2)
  },
  {
    call: 'getEntitiesByType',
    method: 'GET',
    path: '/entities?type=venue',
    needs: body => assert.equal(body.length, 2)
  },
  { call: 'getEntity', method: 'GET', path: '/entities/PR-1', needs: hasIds },
  { call: 'getEntityById', method: 'GET', path: '/entities/PR-1', needs: hasIds },
  { call: 'getEntityById of nothing (undefined)', method: 'GET', path: '/entities/none', status: 404 },
  {
    call: 'getTenants',
    ...{ method: 'GET', path: '/tenants?limit=100&order_by=label' },
    needs: body => assert.ok(Array.isArray(body.results))
  },
  { call: 'getConfig', method: 'GET', path: '/config', needs: body => assert.equal(typeof body, 'object') },
  {
    call: 'getUserPermissions',
    ...{ method: 'GET', path: '/user/permissions' },
    needs: body => assert.ok(body.includes('read') && body.includes('write'))
  },
  {
    call: 'getRelations',
    method: 'GET',
    path: '/entities/PR-1/relations',
    needs: body => assert.equal(body[0].key, 'VE-1')
  },
  {
    call: 'getRelations of a media file',
    ...{ method: 'GET', path: '/mediafiles/MF-1/relations' },
    needs: body => assert.equal(body[0].key, 'PR-1')
  },
  { call: 'getMediaFile', method: 'GET', path: '/mediafiles/MF-1', needs: hasIds },
  {
    call: 'getMediafiles',
    ...{ method: 'GET', path: '/entities/PR-1/mediafiles?non_public=1' },
    needs: hasResults('MF-1', 'MF-2')
  },
  {
    call: 'GetAdvancedEntities',
    ...{ method: 'POST', path: '/entities/filter?limit=20&skip=0&order_by=title&asc=1&exact_count=1' },
    body: [{ type: 'type', value: 'production', match_exact: true }],
    needs: hasResults('PR-1', 'PR-2')
  },
  {
    call: 'GetAdvancedEntities without an order',
    ...{ method: 'POST', path: '/entities/filter?limit=20&skip=0&order_by=undefined&asc=0' },
    body: [{ type: 'type', value: 'venue' }],
    needs: body => assert.equal(body.count, 2)
  },
  {
    call: 'GetAdvancedEntities of media files',
    ...{ method: 'POST', path: '/mediafiles/filter?limit=20&skip=0&order_by=&asc=1' },
    body: [{ type: 'selection', key: ['elody:1|identifiers'], value: ['MF-1', 'PR-1'], match_exact: true }],
    needs: hasResults('MF-1')
  },
  {
    call: 'GetAdvancedEntities of the media files of a record',
    ...{ method: 'GET', path: '/entities/PR-1/mediafiles?limit=1&skip=0&order_by=&asc=1' },
    needs: body => assert.deepEqual([body.count, body.results.length], [2, 1])
  },
  {
    call: 'GetFilterOptions',
    ...{ method: 'POST', path: '/entities/filter?limit=999999&skip=0' },
    body: [
      {
        type: 'text',
        key: ['elody:1|metadata.name.value'],
        value: '*',
        item_types: ['venue'],
        provide_value_options_for_key: true
      }
    ],
    needs: body =>
      assert.deepEqual(body.results, [
        { label: 'Andere zaal', value: 'Andere zaal' },
        { label: 'De Zaal', value: 'De Zaal' }
      ])
  },
  {
    call: 'GetCsvExportKeysPerEntityType',
    ...{ method: 'GET', path: '/entities?type=venue&exclude_non_editable_fields=1', reads: 'text' },
    headers: { accept: 'text/csv' },
    needs: (_, { text }) => assert.ok(text.split('\n')[0]?.split(',').includes('name'))
  },
  ...['', 'type=mediafile&'].map(
    (type): RecordedCall => ({
      call: 'GetCsvExportKeysPerEntityType of media files',
      method: 'GET',
      path: `/mediafiles?${type}q=technical_origin==original&exclude_non_editable_fields=1`,
      ...{ headers: { accept: 'text/csv' }, reads: 'text' },
      needs: (_, { text }) => assert.ok(text.split('\n')[0]?.split(',').includes('mediafile_type'))
    })
  ),
  {
    call: 'GetAdvancedEntities of the history',
    ...{ method: 'POST', path: '/history/filter?limit=1000&skip=0&order_by=undefined&asc=0', body: [] },
    needs: ({ count, results }: { count: number; results: { object: { id: string } }[] }) => {
      assert.deepEqual(results.map(each => each.object.id).sort(), ['MF-1', 'MF-2', 'PR-1', 'PR-2', 'VE-1', 'VE-2'])
      assert.equal(count, 6)
    }
  },
  {
    call: 'getDerivatives',
    ...{ method: 'GET', path: '/mediafiles/MF-1/derivatives' },
    needs: body => assert.ok(Array.isArray(body.results))
  },
  { call: 'downloadUrls', method: 'GET', path: '/mediafiles/MF-1/download-urls', needs: body => assert.ok(body) },
  { call: 'history', method: 'GET', path: '/entities/PR-1/history', needs: body => assert.ok(body.results.length > 0) }
]

export const permissions: readonly RecordedCall[] = [
  { call: 'checkAdvancedPermission get', method: 'GET', path: '/entities/PR-1?soft=1', needs: isGood },
  { call: 'checkAdvancedPermission get of a list', method: 'GET', path: '/entities?type=venue&soft=1', needs: isGood },
  {
    call: 'checkAdvancedPermission post',
    method: 'POST',
    path: '/entities?soft=1',
    body: { type: 'venue' },
    needs: isGood
  },
  { call: 'checkAdvancedPermission put', method: 'PUT', path: '/entities?soft=1', body: [], needs: isGood },
  { call: 'checkAdvancedPermission delete', method: 'DELETE', path: '/entities/PR-2?soft=1', needs: isGood },
  {
    call: 'postEntitiesFilterSoftCall',
    ...{ method: 'POST', path: '/entities/filter?soft=1' },
    body: [{ type: 'type', value: 'production' }],
    needs: isGood
  },
  { call: 'postEntitySoftCall', method: 'POST', path: '/entities?soft=1', body: { type: 'production' }, needs: isGood },
  {
    call: 'postEntitySoftCall of no type',
    method: 'POST',
    path: '/entities?soft=1',
    body: { type: 'nothing' },
    status: 400
  },
  { call: 'patchEntityDetailSoftCall', method: 'PATCH', path: '/entities/PR-1?soft=1', body: {}, needs: isGood },
  {
    call: 'patchEntityDetailSoftCall of a list',
    method: 'PATCH',
    path: '/entities/PR-1/metadata?soft=1',
    body: [],
    needs: isGood
  },
  { call: 'delEntityDetailSoftCall', method: 'DELETE', path: '/entities/PR-1?soft=1', needs: isGood }
]

export const writes: readonly RecordedCall[] = [
  {
    call: 'createEntity',
    ...{ method: 'POST', path: '/entities', status: 201 },
    body: { ...aProduction({ title: 'Made' }), relations: [{ key: 'VE-1', type: 'refVenues', editStatus: 'new' }] },
    needs: hasIds
  },
  {
    call: 'patchMetadata of a form with emptied fields',
    ...{ method: 'PATCH', path: '/entities/PR-1/metadata' },
    body: [
      { key: 'title', value: 'Hamlet II' },
      { key: 'duration', value: '' },
      { key: 'premiere_date', value: '' },
      { key: 'age_category', value: '' }
    ],
    needs: body => {
      assert.deepEqual(valuesOf({ metadata: body }, 'title'), ['Hamlet II'])
      assert.deepEqual(valuesOf({ metadata: body }, 'duration'), [])
    }
  },
  {
    call: 'patchMetadata of a form without languages, with numbers as text',
    ...{ method: 'PATCH', path: '/entities/PR-1/metadata' },
    body: [
      { key: 'subtitle', value: 'Prins', lang: null },
      { key: 'duration', value: '95', lang: null }
    ],
    needs: body => {
      assert.deepEqual(valuesOf({ metadata: body }, 'duration'), [95])
      assert.deepEqual(
        body.find((each: { key: string }) => each.key === 'subtitle'),
        { key: 'subtitle', value: 'Prins' }
      )
    }
  },
  {
    call: 'patchMetadata of a media file',
    ...{ method: 'PATCH', path: '/mediafiles/MF-1/metadata' },
    body: [{ key: 'title', value: 'Poster' }]
  },
  {
    call: 'postRelations',
    ...{ method: 'POST', path: '/entities/PR-1/relations' },
    body: [{ key: 'VE-2', type: 'refVenues' }],
    needs: body => assert.equal(body.length, 2)
  },
  {
    call: 'patchRelations',
    ...{ method: 'PATCH', path: '/entities/PR-1/relations' },
    body: [{ key: 'VE-2', type: 'refVenues', metadata: [{ key: 'role', value: 'guest' }] }],
    needs: body => assert.equal(body.find((each: { key: string }) => each.key === 'VE-2').metadata[0].value, 'guest')
  },
  {
    call: 'deleteRelations',
    ...{ method: 'DELETE', path: '/entities/PR-1/relations' },
    body: [{ key: 'VE-2', type: 'refVenues' }],
    needs: body =>
      assert.deepEqual(
        body.map((each: { key: string }) => each.key),
        ['VE-1']
      )
  },
  {
    call: 'putRelations',
    ...{ method: 'PUT', path: '/entities/PR-1/relations' },
    body: [{ key: 'VE-2', type: 'refVenues' }],
    needs: body => assert.deepEqual(body, [{ key: 'VE-2', type: 'refVenues' }])
  },
  {
    call: 'postMediaFile',
    ...{ method: 'POST', path: '/mediafiles', status: 201 },
    body: {
      ...{ filename: 'x.png', type: 'mediafile' },
      metadata: [
        { key: 'rights', value: 'niets-geselecteerd' },
        { key: 'publication_status', value: 'niet-publiek' }
      ]
    },
    needs: hasIds
  },
  {
    call: 'linkMediafileToEntity',
    ...{ method: 'POST', path: '/entities/PR-1/mediafiles' },
    body: { filename: 'y.png', type: 'mediafile' },
    needs: body => assert.deepEqual(body.relations, [{ key: 'PR-1', type: 'refProductions' }])
  },
  {
    call: 'patchMetaDataMediaFile',
    ...{ method: 'PATCH', path: '/mediafiles/MF-1' },
    body: { metadata: [{ key: 'title', value: 'Other poster' }] },
    needs: body => assert.deepEqual(valuesOf(body, 'title'), ['Other poster'])
  },
  { call: 'setMediaPrimaire', method: 'PUT', path: '/entities/PR-1/set_primary_mediafile/MF-1' },
  { call: 'setThumbnailPrimaire', method: 'PUT', path: '/entities/PR-1/set_primary_thumbnail/MF-1' },
  {
    call: 'updateEntitiesWithJson',
    ...{ method: 'PUT', path: '/entities' },
    body: [{ id: 'PR-2', type: 'production', metadata: [{ key: 'subtitle', value: 'The Moor' }] }],
    needs: body => {
      assert.deepEqual(valuesOf(body.entities[0], 'title'), ['Othello'], 'what is not sent stays')
      assert.deepEqual(body.errors, [])
    }
  },
  {
    call: 'updateMetadataWithCsv',
    ...{ method: 'PUT', path: '/entities' },
    headers: { 'content-type': 'text/csv' },
    body: 'identifiers,type,subtitle\nPR-2,production,From a table\n',
    needs: body => assert.deepEqual(valuesOf(body.entities[0], 'subtitle'), ['From a table'])
  },
  {
    call: 'batch',
    ...{ method: 'POST', path: '/batch' },
    headers: { 'content-type': 'text/csv' },
    body: 'id,type,subtitle\nPR-2,production,Again\n',
    needs: body => assert.equal(body.entities.length, 1)
  },
  { call: 'deleteData', method: 'DELETE', path: '/mediafiles/MF-2?delete_mediafiles=0', reads: 'text' },
  { call: 'deleteData with media files', method: 'DELETE', path: '/entities/PR-1?delete_mediafiles=1', reads: 'text' },
  { call: 'getMediaFile of what went with it', method: 'GET', path: '/mediafiles/MF-1', status: 404 },
  ...(
    [
      ['that are not kept by a relation', 'entities', 'refWorks', ['PR-2', 'VE-2'], ['PR-2', 'VE-2']],
      ['that are all kept', 'entities', 'refVenues', ['PR-3'], []],
      ['that are media files', 'mediafiles', '', ['MF-4'], ['MF-4']],
      ['with their media files', 'entities', '', ['PR-3'], ['MF-3', 'PR-3']]
    ] as const
  ).map(
    ([what, collection, relation, identifiers, deleted]): RecordedCall => ({
      call: `bulkDeleteEntities ${what}`,
      method: 'DELETE',
      path: `/${collection}?delete_mediafiles=${deleted.length > identifiers.length ? 1 : 0}&skip_items_with_relation=${relation}`,
      body: { identifiers },
      needs: body => assert.deepEqual(body, { deleted, parent_job_id: '' })
    })
  )
]

/** Lists that the layer reads as an object: its base address ends with /v2. */
export const envelopes: readonly RecordedCall[] = [
  {
    call: 'getEntities',
    ...{ method: 'GET', path: '/entities?limit=1&skip=0&asc=1&order_by=' },
    needs: body => assert.deepEqual([body.count > 2, body.results.length, body.limit], [true, 1, 1])
  },
  {
    call: 'getEntities of the next page, by its offset',
    ...{ method: 'GET', path: '/entities?limit=1&skip=1&asc=0&order_by=date_updated' },
    needs: body => assert.equal(body.skip, 1)
  },
  {
    call: 'getEntitiesByType',
    ...{ method: 'GET', path: '/entities?type=venue' },
    needs: hasResults('VE-1', 'VE-2')
  },
  { call: 'get_all_objects', method: 'GET', path: '/entities', needs: body => assert.ok(body.results.length > 2) }
]

const isEntry = (body: { object: { id: string }; timestamp: string; collection: string }) => {
  assert.deepEqual([body.object.id, body.collection], ['PR-1', 'entities'])
  assert.ok(Date.parse(body.timestamp) > 0)
}

/**
 * The calls by which the data source and the services beside it read records; they need the records
 * that were created above.
 */
export const readsAboutRecords: readonly RecordedCall[] = [
  {
    call: 'getFilterMatcherMapping',
    ...{ method: 'GET', path: '/filter/matchers' },
    needs: body => assert.ok(body.text.includes('ContainsMatcher') && body.date.includes('InBetweenMatcher'))
  },
  {
    call: 'getPermission',
    ...{ method: 'GET', path: '/entities/PR-1/permissions' },
    needs: body => assert.deepEqual(body, ['read', 'write', 'delete'])
  },
  {
    call: 'getPermission of a media file',
    ...{ method: 'GET', path: '/mediafiles/MF-1/permissions' },
    needs: body => assert.ok(body.includes('read'))
  },
  { call: 'getPermission of no media file', method: 'GET', path: '/mediafiles/PR-1/permissions', status: 404 },
  {
    call: 'getAssetsRelationedWithMediafFile',
    ...{ method: 'GET', path: '/mediafiles/MF-1/assets' },
    needs: body => {
      assert.deepEqual(
        body.map((each: { id: string }) => each.id),
        ['PR-1']
      )
      hasIds(body[0])
    }
  },
  { call: 'history', method: 'GET', path: '/history/entities/PR-1', needs: isEntry },
  {
    call: 'history of all versions',
    ...{ method: 'GET', path: '/history/entities/PR-1?all=1' },
    needs: body => {
      assert.equal(body.at(-1).object.version, 1)
      for (const each of body) isEntry(each)
    }
  },
  {
    call: 'history at a moment',
    ...{ method: 'GET', path: '/history/entities/PR-1?timestamp=2999-01-01T00:00:00Z' },
    needs: isEntry
  },
  {
    call: 'history before there was one',
    ...{ method: 'GET', path: '/history/entities/PR-1?timestamp=1999-01-01T00:00:00Z', status: 404 }
  },
  { call: 'history at no moment', method: 'GET', path: '/history/entities/PR-1?timestamp=when', status: 400 },
  { call: 'history, both ways', method: 'GET', path: '/history/entities/PR-1?timestamp=2026&all=1', status: 400 },
  { call: 'history of a type', method: 'GET', path: '/history/production/PR-1', needs: body => assert.ok(body.object) },
  { call: 'history of a media file', method: 'GET', path: '/history/mediafiles/MF-1' },
  { call: 'history in another collection', method: 'GET', path: '/history/mediafiles/PR-1', status: 404 },
  { call: 'history of nothing', method: 'GET', path: '/history/entities/none', status: 404 },
  {
    call: 'getJobs',
    ...{ method: 'GET', path: '/jobs?limit=20&skip=0' },
    needs: body => {
      assert.deepEqual([body.count, body.results.length], [1, 1])
      assert.deepEqual([body.results[0].job_info, body.results[0].job_type], ['shows.csv', 'import'])
    }
  },
  {
    call: 'getJobs that failed',
    ...{ method: 'GET', path: '/jobs?limit=20&skip=0&status=failed' },
    needs: body => assert.equal(body.count, 0)
  },
  {
    call: 'getJobs of another type',
    ...{ method: 'GET', path: '/jobs?limit=20&skip=0&type=dams.FileUpload' },
    needs: body => assert.equal(body.count, 0)
  },
  { call: 'getJob that is not there', method: 'GET', path: '/jobs/none?', status: 404 },
  {
    call: 'GetAdvancedEntities by the second filter path',
    ...{ method: 'POST', path: '/entities/filter_v2?limit=20&skip=0&order_by=undefined&asc=1' },
    body: [{ type: 'type', value: 'production', match_exact: true }],
    needs: hasResults('PR-1', 'PR-2')
  },
  {
    call: 'postEntitySoftCall without a body',
    ...{ method: 'POST', path: '/entities?soft=1' },
    needs: isGood
  },
  {
    call: 'patchEntityDetailSoftCall of the metadata, without a body',
    ...{ method: 'PATCH', path: '/entities/PR-1/metadata?soft=1' },
    needs: isGood
  },
  {
    call: 'updateMediafilesOrder',
    ...{ method: 'PATCH', path: '/mediafiles/MF-1' },
    body: { order: 2 },
    needs: body => assert.deepEqual(valuesOf(body, 'order'), [2])
  },
  {
    call: 'updateMediafilesOrder of the other',
    ...{ method: 'PATCH', path: '/mediafiles/MF-2' },
    body: { order: 1 }
  },
  {
    call: 'GetAdvancedEntities of the media files of a record, in that order',
    ...{ method: 'GET', path: '/entities/PR-1/mediafiles?limit=20&skip=0&order_by=order&asc=1' },
    needs: hasResults('MF-2', 'MF-1')
  },
  {
    call: 'addRelations, which puts the collection before each key',
    ...{ method: 'POST', path: '/entities/PR-2/relations' },
    body: [{ key: 'entities/VE-2', type: 'refVenues' }],
    needs: body => assert.deepEqual(body, [{ key: 'VE-2', type: 'refVenues' }])
  },
  {
    call: 'deleteRelations, with the collection before the key',
    ...{ method: 'DELETE', path: '/entities/PR-2/relations' },
    body: [{ key: 'entities/VE-2', type: 'refVenues' }],
    needs: body => assert.deepEqual(body, [])
  },
  {
    call: 'addRelations to nothing',
    ...{ method: 'POST', path: '/entities/PR-2/relations', status: 400 },
    body: [{ key: 'entities/VE-NONE', type: 'refVenues' }]
  }
]

/** Calls of other programs of that platform, or of one of its customers, without an answer. */
export const unanswered: readonly (RecordedCall & { readonly why: string })[] = [
  { call: 'getNewObjectId', method: 'GET', path: '/entities/sixthcollection/id', status: 404, why: 'of one customer' },
  {
    call: 'getSixthCollectionId',
    method: 'GET',
    path: '/entities/sixthcollection/entity_id',
    status: 404,
    why: 'of one customer'
  },
  {
    call: 'GetStats',
    method: 'GET',
    path: '/stats/x/PR-1?time_unit=day',
    status: 404,
    why: 'measurements of devices over time, which a catalogue does not have'
  },
  {
    call: 'getEntitiesByAdvancedSearch',
    method: 'POST',
    path: '/filter_typesense',
    body: { q: 'hamlet', query_by: 'metadata.value', filter_by: '', limit: 25, per_page: 25 },
    status: 404,
    why: 'the search of an installation with Typesense; `POST /entities/filter` with a `text` filter searches here'
  },
  {
    call: 'bulkDeleteEntities of jobs',
    method: 'DELETE',
    path: '/jobs?delete_mediafiles=0&skip_items_with_relation=',
    body: { identifiers: ['x'] },
    status: 405,
    why: 'jobs are imports here, which stay listed so that they can be undone'
  },
  {
    call: 'getAllHistoryEntries',
    method: 'GET',
    path: '/history/work_word/W-1/all',
    status: 404,
    why: 'their history service, a program with an address of its own'
  },
  {
    call: 'replaceMetadata',
    method: 'PUT',
    path: '/entities/VE-1/metadata',
    status: 400,
    why: 'it sends no body at all'
  }
]

const title = (value: string) => [{ lang: 'nl', value, key: 'title' }]
/** The layer gives each result a label by its metadata. */
const isTitled = (value: string) => (body: { metadata: readonly { key: string; value: unknown }[] }) =>
  assert.deepEqual(valuesOf(body, 'title'), [value])

export const createSavedSearch: RecordedCall = {
  call: 'createSavedSearch',
  ...{ method: 'POST', path: '/saved_searches' },
  body: {
    ...{ type: 'saved_search', private: true, metadata: title('Ham') },
    definition: [{ type: 'text', key: ['elody:1|properties.title.value'], value: 'ham' }]
  },
  needs: isTitled('Ham')
}

/** The calls about a saved search, in this order. */
export const savedSearches = (id: string): readonly RecordedCall[] => {
  const one = { path: `/saved_searches/${id}` }
  return [
    {
      call: 'getSavedSearches, whose pages count from 1 and begin with page 0',
      ...{ method: 'GET', path: '/saved_searches?title=&limit=5&skip=-5' },
      needs: (body: { results: readonly { id: string }[] }) => assert.ok(body.results.some(each => each.id === id))
    },
    { call: 'getSavedSearchById', method: 'GET', ...one, needs: isTitled('Ham') },
    {
      call: 'patchSavedSearchTitle',
      ...{ method: 'PATCH', ...one, body: { metadata: title('Hamlet') } },
      needs: isTitled('Hamlet')
    },
    {
      call: 'patchSavedSearchDefinition',
      ...{ method: 'PATCH', ...one, body: { definition: [] } },
      needs: isTitled('Hamlet')
    },
    { call: 'deleteSavedSearch', method: 'DELETE', ...one, reads: 'text' }
  ]
}

/** Every call that is answered, as the documents list them. */
export const answered = [
  ...reads,
  ...readsAboutRecords,
  ...permissions,
  ...writes,
  createSavedSearch,
  ...savedSearches('S-1')
]
