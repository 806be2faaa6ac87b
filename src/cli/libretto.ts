#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: without it, taking the types out of every file is half of the
// time to start (bench/start.ts).
const { directory } = enableCompileCache()
// Threads ask for it by this name only; what takes the types out costs a thread some 15 MB where
// there is no cache.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
const { runCommand } = await import('./run-command.ts')

process.exitCode = await runCommand(process.argv.slice(2), process.env)
