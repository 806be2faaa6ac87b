#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: without the cache, type stripping takes half of the start
// (bench/start.ts).
const { directory } = enableCompileCache()
// Threads find the cache by this variable only; type stripping costs a thread about 15 MB without
// it.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
const { runCommand } = await import('./run-command.ts')

process.exitCode = await runCommand(process.argv.slice(2), process.env)
