import { generateKeyPairSync, sign } from 'node:crypto'

/**
 * A certificate for `localhost` and 127.0.0.1 that vouches for itself, and its key, as PEM. Node
 * can read certificates, not write them; this one is X.509 by hand (RFC 5280).
 */
export function createCertificate(): { readonly certificate: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')) // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from('localhost')))))
  const day = 86_400_000
  const content = sequence(
    der(0xa0, integer(2)),
    integer(Date.now()),
    algorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + 30 * day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        // A certificate authority: its own.
        extension('2.5.29.19', sequence(der(0x01, Buffer.from([0xff])))),
        extension('2.5.29.17', sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))))
      )
    )
  )
  const signature = sign('sha256', content, privateKey)
  return {
    certificate: pem('CERTIFICATE', sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
}

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  // A leading zero keeps it positive.
  return der(
    0x02,
    Buffer.from(`00${hex.padStart(hex.length + (hex.length % 2), '0')}`.replace(/^00(?=[0-7])/, ''), 'hex')
  )
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = rest.flatMap(arc => {
    const groups = [arc & 127]
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128)
    return groups
  })
  return der(0x06, Buffer.of(first * 40 + second, ...bytes))
}

const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const extension = (name: string, value: Buffer) => sequence(oid(name), der(0x04, value))
