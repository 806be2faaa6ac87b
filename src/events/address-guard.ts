import { isIPv4, isIPv6 } from 'node:net'

/*
 * Decides which addresses a webhook may be sent to. Pure: it neither resolves names nor connects.
 * It is used twice: for the URL when a webhook is created, and for every address that its host name
 * resolves to when something is sent.
 *
 * For IPv6 only addresses in the range of global unicast (2000::/3) can be allowed; all others,
 * such as `::127.0.0.1`, are refused without being listed.
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */

/** A block of addresses that begin with the same bits. */
export interface AddressBlock {
  readonly family: 4 | 6
  readonly first: bigint
  readonly prefix: number
}

const refusedBlocks = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by a provider'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'of a cloud host'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'for protocols'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.31.196.0/24', 'for protocols'],
  ['192.52.193.0/24', 'for protocols'],
  ['192.88.99.0/24', 'a relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'for protocols'],
  ['198.18.0.0/15', 'for measurements'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['2001::/23', 'for protocols or a tunnel'],
  ['2001:db8::/32', 'for documentation'],
  ['2002::/16', 'a tunnel'],
  ['2620:4f:8000::/48', 'for protocols'],
  ['3ffe::/16', 'withdrawn'],
  ['3fff::/20', 'for documentation']
].map(([block = '', what = '']) => ({ block: knownBlock(block), what }))

const globalUnicast = knownBlock('2000::/3')

/**
 * Ports of other protocols that a request could be mistaken for:
 * https://fetch.spec.whatwg.org/#port-blocking
 */
const refusedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])

const maxUrlLength = 2048

export function isInBlocks(address: string, blocks: readonly AddressBlock[]): boolean {
  if (blocks.length === 0) return false
  // A socket that listens for both families names IPv4 peers in the form of IPv6.
  const parsed = parseAddress(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  return parsed !== undefined && blocks.some(block => isWithin(parsed, block))
}

/** Tells why a connection to an address is not allowed; undefined when it is allowed. */
export function refusalOfAddress(address: string, exceptions: readonly AddressBlock[]): string | undefined {
  const parsed = parseAddress(address)
  if (!parsed) return `"${address}" is not an address`
  if (exceptions.some(block => isWithin(parsed, block))) return undefined
  const refused = refusedBlocks.find(({ block }) => isWithin(parsed, block))
  if (refused) return `${address} is not a public address (${refused.what})`
  if (parsed.family === 6 && !isWithin(parsed, globalUnicast)) return `${address} is not a public address`
  return undefined
}

/** Where webhooks may be sent to. */
export interface AllowedReceivers {
  /** Addresses that are allowed although they are not public. */
  readonly exceptions: readonly AddressBlock[]
  /** Hosts, or `*.example.org` for those below a name; none stands for all. */
  readonly hosts: readonly string[]
}

/**
 * Tells why a URL cannot be that of a webhook; undefined when it can, as far as is known before its
 * host name is resolved.
 */
export function refusalOfUrl(text: string, { exceptions, hosts }: AllowedReceivers): string | undefined {
  if (text.length > maxUrlLength) return `The address may have at most ${maxUrlLength} characters`
  // URL parsers remove or replace these characters, so that the URL that is used differs from the
  // one that people see.
  if (/[\\\s\p{C}]/u.test(text)) return 'The address contains a space, a control character or a backslash'
  const url = URL.parse(text)
  if (!url) return 'This is not an address'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'The address must begin with http:// or https://'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    return 'The address must not contain a user name or a password'
  if (url.port !== '' && refusedPorts.has(Number(url.port))) return `Port ${url.port} belongs to another protocol`
  const host = hostOf(url)
  if (hosts.length > 0 && !hosts.some(allowed => isHost(host, allowed)))
    return `"${host}" is not among the hosts that webhooks may be sent to here`
  if (isAddress(host)) return refusalOfAddress(host, exceptions)
  // RFC 6761: these names mean this machine, whatever a resolver returns.
  if (/(^|\.)localhost\.?$/i.test(host)) return refusalOfAddress('127.0.0.1', exceptions)
  return undefined
}

const isHost = (host: string, allowed: string) => {
  const name = host.replace(/\.$/, '')
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed
}

export const isAddress = (host: string) => isIPv4(host) || isIPv6(host)

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Reads a block such as `10.0.0.0/8`, or a single address; undefined for any other text. */
export function readAddressBlock(text: string): AddressBlock | undefined {
  const [, address = '', digits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const parsed = parseAddress(address)
  if (!parsed) return undefined
  const width = widthOf(parsed.family)
  const prefix = digits === undefined ? width : Number(digits)
  return prefix > width ? undefined : { family: parsed.family, first: parsed.value, prefix }
}

function knownBlock(text: string): AddressBlock {
  const block = readAddressBlock(text)
  if (!block) throw new Error(`"${text}" is not a block of addresses`)
  return block
}

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

function isWithin({ family, value }: Address, block: AddressBlock): boolean {
  const rest = BigInt(widthOf(family) - block.prefix)
  return family === block.family && value >> rest === block.first >> rest
}

function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: joined(text.split('.').map(Number), 8n) }
  // A zone (`%eth0`) names an interface of this machine: no such address is public.
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = text.split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array<number>(8 - before.length - after.length).fill(0)
  return { family: 6, value: joined([...before, ...zeros, ...after], 16n) }
}

/** The 16-bit groups of a part of an IPv6 address; it may end like an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(group => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n)
}
