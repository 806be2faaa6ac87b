import { join } from 'node:path'

import { openFolderStore } from '#media/filesystem/folder-store.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'
import { contentStoreContract } from './content-store-contract.ts'

contentStoreContract('A folder', async t => openFolderStore(join(temporaryFolder(t), 'media')))
