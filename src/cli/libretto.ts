#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: without it, taking the types out of every file is half of the time to start (bench/start.ts).
enableCompileCache()
const { runCommand } = await import('./run-command.ts')

process.exitCode = await runCommand(process.argv.slice(2), process.env)
