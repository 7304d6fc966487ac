import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The few CBOR types of an attestation object. */
type CborKey = number | string;
type Cbor = number | string | Buffer | Map<CborKey, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [encode(key), encode(each)])]);
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

export interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
}

/** A passkey in memory, as a phone or a security key holds it. */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #publicKey: { x: string; y: string };
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  }

  #authData(rpId: string, userVerified: boolean, attested: boolean): Buffer {
    this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attested ? 0x40 : 0);
    const parts = [sha256(rpId), Buffer.from([flags]), counter];
    if (attested) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(this.id.length);
      const cose = new Map<CborKey, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(this.#publicKey.x, 'base64url')],
        [-3, Buffer.from(this.#publicKey.y, 'base64url')],
      ]);
      parts.push(Buffer.alloc(16), length, this.id, encode(cose));
    }
    return Buffer.concat(parts);
  }

  create({ challenge, origin = 'http://localhost:8080', rpId = 'localhost', userVerified = true }: Ceremony) {
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }));
    const attestation = new Map<CborKey, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authData(rpId, userVerified, true)],
    ]);
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  get({ challenge, origin = 'http://localhost:8080', rpId = 'localhost', userVerified = true }: Ceremony) {
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
    const authData = this.#authData(rpId, userVerified, false);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#key);
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  }
}
