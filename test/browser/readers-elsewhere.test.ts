import { taskEngines } from './tasks/engines.ts'
import { describeReaders } from './tasks/reader.ts'

for (const name of ['Firefox', 'WebKit'] as const) describeReaders(name, taskEngines[name])
