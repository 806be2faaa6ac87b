import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import { readConfig } from '../../src/config.ts'
import { type AddressBlock, readAddressBlock, refusalOfAddress, refusalOfUrl } from '#events/address-guard.ts'
import { postWebhook, type WebhookOutcome } from '#events/post-webhook.ts'

/*
 * Nothing here leaves this machine: names are resolved by a table, and connecting is watched and,
 * unless a test needs it, not done.
 */

/** Addresses that a webhook must not reach, in every spelling that leads to them. */
const hostileUrls = [
  // This machine.
  'http://127.0.0.1/',
  'http://127.0.0.2/',
  'http://127.255.255.254/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0x7f.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://0X7F000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.0.0.01/',
  'http://00000177.0x0.0.1/',
  'http://127.0.0.1./',
  'http://127%2e0%2e0%2e1/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'https://127.0.0.1:8443/',
  'http://127.0.0.1:80/path?x=1#y',
  'HTTP://127.0.0.1/',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:////127.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://foo.localhost/',
  'http://a.b.localhost.:8080/',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://0.0.0.0/',
  'http://0/',
  'http://0.0.0.1/',
  'http://0x0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::1]:8443/',
  // IPv4 within IPv6.
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:10.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[::ffff:0:a9fe:a9fe]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2002:c0a8:101::1]/',
  'http://[2001::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  // Other special blocks of IPv6.
  'http://[2001:db8::1]/',
  'http://[2001:2::1]/',
  'http://[2001:10::1]/',
  'http://[2001:20::1]/',
  'http://[2001:1ff::1]/',
  'http://[2620:4f:8000::1]/',
  'http://[3ffe::1]/',
  'http://[3fff::1]/',
  'http://[3fff:fff::1]/',
  'http://[5f00::1]/',
  'http://[100::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fdff::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[ff0e::1]/',
  'http://[4000::1]/',
  'http://[1fff::1]/',
  'http://[fe80::1%25eth0]/',
  // Private and shared networks, and those of cloud hosts.
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://0xa.1/',
  'http://167772161/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.255.255/',
  'http://3232235777/',
  'http://0300.0250.1.1/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://100.127.255.255/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/',
  'http://169.254.0.0/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  // For protocols, documentation, measurements; to many; reserved.
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://192.31.196.1/',
  'http://192.52.193.1/',
  'http://192.175.48.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  // Other protocols, and addresses that are read differently than they look.
  'file:///etc/passwd',
  'ftp://93.184.215.14/',
  'gopher://93.184.215.14:70/_x',
  'ws://93.184.215.14/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  '//93.184.215.14/',
  'http://',
  'http://93.184.215.14:25/',
  'http://93.184.215.14:22/',
  'https://93.184.215.14:6667/',
  'http://93.184.215.14:0/',
  'http://93.184.215.14:99999/',
  'http://user@93.184.215.14/',
  'http://user:secret@93.184.215.14/',
  'http://:secret@93.184.215.14/',
  'http://@93.184.215.14/',
  'http://93.184.215.14@127.0.0.1/',
  'http://93.184.215.14:80@127.0.0.1/',
  'http://127.0.0.1\\@93.184.215.14/',
  'http://93.184.215.14\\@127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http://93.184.215.14/ http://127.0.0.1/',
  'http://127.0.0.1\t/',
  'ht\ntp://127.0.0.1/',
  ' http://127.0.0.1/',
  'http://127.0.0.1\u0000.example.org/',
  'http://local\u00adhost/',
  'http://999.1.1.1/',
  'http://1.2.3.4.5/',
  'http://[::1/',
  'http://[::ffff:127.0.0.1%0]/'
]

/** Names, with what a resolver says of them, that lead where a webhook must not go. */
const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'metadata.example': ['169.254.169.254'],
  'private.example': ['10.1.2.3'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zone.example': ['fe80::1%eth0'],
  // As after a CNAME to a host with several addresses: one bad one is enough, wherever it stands.
  'mixed-first.example': ['127.0.0.1', '93.184.215.14'],
  'mixed-last.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '192.168.0.1'],
  'nothing.example': [],
  'nonsense.example': ['not an address'],
  'decimal.example': ['2130706433']
}

const goodUrls = [
  'http://93.184.215.14/',
  'https://93.184.215.14/hook',
  'http://8.8.8.8:8080/',
  'https://1.1.1.1/',
  'http://9.255.255.255/',
  'http://11.0.0.1/',
  'http://100.63.255.255/',
  'http://100.128.0.1/',
  'http://126.255.255.255/',
  'http://128.0.0.1/',
  'http://172.15.255.255/',
  'http://172.32.0.1/',
  'http://192.167.255.255/',
  'http://223.255.255.255/',
  'http://198.20.0.1/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://[2a00:1450:4001:830::200e]:8443/',
  'http://[2001:4860:4860::8888]/',
  'http://[2001:200::1]/',
  'http://[2620:4f:8001::1]/',
  'https://hooks.example.org/a?b=c',
  'https://Hooks.Example.org:8443/',
  'http://münchen.example/',
  'https://notlocalhost/'
]

const goodAnswers: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.org': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'xn--mnchen-3ya.example': ['93.184.215.15'],
  notlocalhost: ['93.184.215.16']
}

const nobody: readonly AddressBlock[] = []

/** Watches who is dialled; where `isDialling` is not set, nobody is. */
function watchConnect(t: TestContext, isDialling = false) {
  const dialled: string[] = []
  const connect = net.Socket.prototype.connect
  t.mock.method(net.Socket.prototype, 'connect', function (this: net.Socket, ...given: unknown[]) {
    const [options] = given.flat() as [{ host: string; lookup?: net.LookupFunction }]
    if (net.isIP(options.host) !== 0 || !options.lookup) dialled.push(options.host)
    else
      options.lookup(options.host, { all: true }, (_, found) => {
        dialled.push(...(found as unknown as { address: string }[]).map(each => each.address))
      })
    if (isDialling) return Reflect.apply(connect, this, given)
    queueMicrotask(() => this.destroy(new Error('not dialled')))
    return this
  })
  return dialled
}

const resolver = (answers: Readonly<Record<string, readonly string[]>>) => async (host: string) => {
  const addresses = answers[host]
  if (!addresses) throw new Error(`The test resolver does not know "${host}"`)
  return addresses.map(address => ({ address, family: net.isIPv6(address) ? 6 : 4 }))
}

const refusal = (url: string, exceptions: readonly AddressBlock[] = nobody, hosts: readonly string[] = []) =>
  refusalOfUrl(url, { exceptions, hosts })

const post = (
  url: string,
  answers: Readonly<Record<string, readonly string[]>>,
  exceptions: readonly AddressBlock[] = nobody,
  hosts: readonly string[] = []
): Promise<WebhookOutcome> =>
  postWebhook({ url, headers: {}, body: '{}' }, { resolve: resolver(answers), exceptions, hosts, timeout: 2000 })

const errorOf = (outcome: WebhookOutcome) => ('error' in outcome ? outcome.error : `status ${outcome.status}`)

describe('Addresses that webhooks must not reach', () => {
  it('are more than 120, each written once', () => {
    const all = [...hostileUrls, ...Object.keys(hostileNames)]
    assert.ok(all.length >= 120, String(all.length))
    assert.equal(new Set(all).size, all.length)
  })

  it('are refused when a webhook is made', () => {
    const accepted = hostileUrls.filter(url => refusal(url) === undefined)
    assert.deepEqual(accepted, [])
  })

  it('are never dialled, whatever spelling leads to them', async t => {
    const dialled = watchConnect(t)
    for (const url of hostileUrls) assert.match(errorOf(await post(url, {})), /^Refused: /, url)
    assert.deepEqual(dialled, [])
  })

  it('are never dialled, whatever name leads to them', async t => {
    const dialled = watchConnect(t)
    for (const name of Object.keys(hostileNames)) {
      assert.equal(refusal(`https://${name}/`), undefined, 'a name alone tells nothing')
      assert.match(errorOf(await post(`https://${name}/`, hostileNames)), /^Refused: |has no address/, name)
    }
    assert.deepEqual(dialled, [])
  })

  it('cannot be reached by a name that resolves differently the second time', async t => {
    const dialled = watchConnect(t)
    const answers = ['93.184.215.14', '127.0.0.1', '127.0.0.1']
    let asked = 0
    const resolve = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
    const settings = { resolve, exceptions: nobody, hosts: [], timeout: 2000 }
    const request = { url: 'http://rebind.example/', headers: {}, body: '{}' }

    await postWebhook(request, settings)
    assert.deepEqual(dialled, ['93.184.215.14'], 'the address that was checked')
    assert.equal(asked, 1, 'the name is resolved once')

    assert.match(errorOf(await postWebhook(request, settings)), /^Refused: "rebind.example" leads to 127.0.0.1/)
    assert.equal(dialled.length, 1)
  })

  it('cannot be reached by a redirect', async t => {
    let hits = 0
    const target = await listen(t, () => hits++)
    const loopback = blocks('127.0.0.1')
    for (const status of [301, 302, 303, 307, 308]) {
      const redirecting = await listen(t, (_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${target}/` }).end()
      )
      const outcome = await post(`http://127.0.0.1:${redirecting}/`, {}, loopback)
      assert.equal('status' in outcome && outcome.status, status)
    }
    assert.equal(hits, 0)
  })
})

describe('Addresses that webhooks may reach', () => {
  it('are at least 20, and accepted when a webhook is made', () => {
    assert.ok(goodUrls.length >= 20)
    assert.deepEqual(
      goodUrls.map(url => refusal(url)).filter(each => each !== undefined),
      []
    )
  })

  it('are dialled, at one of the addresses that were checked', async t => {
    const dialled = watchConnect(t)
    for (const url of goodUrls) {
      const before = dialled.length
      assert.equal(errorOf(await post(url, goodAnswers)), 'not dialled', url)
      assert.ok(dialled.length > before, url)
    }
    for (const address of dialled) assert.equal(refusalOfAddress(address, nobody), undefined, address)
  })

  it('are really reached: the connection goes where the resolver said, under the name asked for', async t => {
    let host: string | undefined
    const port = await listen(t, (request, response) => {
      host = request.headers.host
      response.end()
    })
    const dialled = watchConnect(t, true)

    const outcome = await post(
      `http://receiver.example:${port}/`,
      { 'receiver.example': ['127.0.0.1'] },
      blocks('127.0.0.0/8')
    )

    assert.equal('status' in outcome && outcome.status, 200)
    assert.deepEqual(dialled, ['127.0.0.1'])
    assert.equal(host, `receiver.example:${port}`)
  })
})

describe('A list of hosts', () => {
  const { webhookHosts: hosts } = readConfig({ WEBHOOK_HOSTS: 'hooks.example.org, *.Example.com, 93.184.215.14' })

  it('allows what it names and nothing beside it, by any spelling', () => {
    for (const host of ['hooks.example.org', 'HOOKS.example.org.', 'a.example.com', 'a.b.example.com', '93.184.215.14'])
      assert.equal(refusal(`https://${host}/in`, nobody, hosts), undefined, host)
    for (const host of [
      'example.org',
      'a.hooks.example.org',
      'example.com',
      'badexample.com',
      'hooks.example.org.evil.net'
    ])
      assert.match(refusal(`https://${host}/in`, nobody, hosts) ?? '', /is not among the hosts/, host)
  })

  it('does not make an address public', async t => {
    const dialled = watchConnect(t)
    const outcome = await post('https://hooks.example.org/', { 'hooks.example.org': ['10.0.0.1'] }, nobody, hosts)
    assert.match(errorOf(outcome), /leads to 10.0.0.1 is not a public address/)
    assert.match(errorOf(await post('https://example.net/', {}, nobody, hosts)), /^Refused: .*is not among the hosts/)
    assert.deepEqual(dialled, [])
  })

  it('is read strictly', () => {
    for (const wrong of ['https://example.org', 'example.org/in', 'example.org:80', '*', 'a.*.org', 'a b', ','])
      assert.throws(() => readConfig({ WEBHOOK_HOSTS: wrong }), /WEBHOOK_HOSTS must be a comma list of hosts/, wrong)
  })
})

describe('Exceptions', () => {
  it('allow what they name and nothing beside it', () => {
    const exceptions = blocks('10.1.0.0/16', '192.168.7.9', 'fd00:1::/32')
    const isAllowed = (address: string) => refusalOfAddress(address, exceptions) === undefined

    for (const address of ['10.1.0.0', '10.1.255.255', '192.168.7.9', 'fd00:1::1', 'fd00:1:ffff::'])
      assert.ok(isAllowed(address), address)
    for (const address of ['10.0.255.255', '10.2.0.0', '192.168.7.8', '192.168.7.10', 'fd00:2::1', '::ffff:10.1.0.1'])
      assert.ok(!isAllowed(address), address)
  })

  it('let localhost through only when loopback is among them', () => {
    assert.equal(refusal('http://localhost:8080/', blocks('127.0.0.0/8')), undefined)
    assert.notEqual(refusal('http://localhost:8080/', blocks('10.0.0.0/8')), undefined)
  })

  it('are read strictly', () => {
    for (const text of ['', '10.0.0.0/33', '10.0.0/8', '::1/129', 'localhost', '10.0.0.0/', '10.0.0.0/-1', '0x7f.1'])
      assert.equal(readAddressBlock(text), undefined, text)
  })
})

function blocks(...texts: string[]): AddressBlock[] {
  return texts.map(text => readAddressBlock(text) ?? assert.fail(text))
}

/** A server on this machine; gives its port. */
async function listen(t: TestContext, answer: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}
