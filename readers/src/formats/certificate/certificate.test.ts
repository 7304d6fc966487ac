import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { sampleCertificate, sampleRequest } from '../../../test/samples/certificates.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { certificate } from './certificate.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');

it.each([
  ['a.pem', sampleCertificate],
  ['a.crt', derOf(sampleCertificate)],
])('reads subject, issuer and validity of %s', async (name, bytes) => {
  const extracted = await certificate.read(samples.source(name, bytes));
  expect(extracted.title).toBe('files.example.org');
  expect(extracted.metadata['certificate']).toMatchObject({
    kind: 'certificate',
    subject: 'C=DE, O=Sample Works, CN=files.example.org',
    issuer: 'C=DE, O=Sample Works, CN=files.example.org',
    not_before: '2026-11-15T02:29:39.000Z',
    not_after: '2036-11-12T02:29:39.000Z',
    algorithm: 'sha256-ecdsa',
    key_type: 'ec',
    alternative_names: 'DNS:files.example.org',
    self_signed: true,
  });
});

it('reads a request and counts the certificates of a chain', async () => {
  const request = await certificate.read(samples.source('a.csr', sampleRequest));
  expect(request.metadata['certificate']).toMatchObject({
    kind: 'request',
    subject: 'O=Sample Works, CN=wanted.example.org',
    key_type: 'ec',
  });
  const chain = await certificate.read(samples.source('chain.pem', sampleCertificate + sampleCertificate));
  expect(chain.metadata['certificate']).toMatchObject({ count: 2 });
});

it('reports kind and size of a private key but no key material', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const [type, extension] of [
    ['pkcs1', 'key'],
    ['pkcs8', 'pem'],
  ] as const) {
    const pem = privateKey.export({ type, format: 'pem' }) as string;
    const extracted = await certificate.read(samples.source(`k.${extension}`, pem));
    expect(extracted).toEqual({ metadata: { key: { kind: 'private key', algorithm: 'rsa', bits: 2048 } } });
  }
  const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string;
  expect((await certificate.read(samples.source('locked.pem', locked))).metadata).toEqual({
    key: { kind: 'private key', encrypted: true },
  });
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  expect((await certificate.read(samples.source('k.p8', der))).metadata).toEqual({
    key: { kind: 'private key', algorithm: 'rsa', bits: 2048 },
  });
});

it('reads OpenSSH public keys with comments', async () => {
  const blob = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    Buffer.alloc(32, 7),
  ]).toString('base64');
  const extracted = await certificate.read(samples.source('id.pub', `ssh-ed25519 ${blob} me@desk\n`));
  expect(extracted.metadata['key']).toEqual({ kind: 'public key', algorithm: 'ssh-ed25519', comment: 'me@desk' });
});

it('detects key stores without opening them', async () => {
  const store = Buffer.alloc(16);
  store.writeUInt32BE(0xfeedfeed, 0);
  store.writeUInt32BE(3, 8);
  expect((await certificate.read(samples.source('a.jks', store))).metadata).toEqual({
    key: { kind: 'key store', encrypted: true, count: 3 },
  });
  const web = '{"keys":[{"kty":"RSA","n":"AAAA","d":"secret-part"},{"kty":"EC"}]}';
  expect((await certificate.read(samples.source('a.jwks', web))).metadata).toEqual({
    key: { kind: 'private key', algorithm: 'rsa', count: 2 },
  });
  expect((await certificate.read(samples.source('a.sig', Buffer.from([0x88, 0x75, 4])))).metadata).toEqual({
    key: { kind: 'pgp signature' },
  });
});

it('detects armored PGP keys', async () => {
  const block = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBF\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n';
  expect((await certificate.read(samples.source('k.asc', block))).metadata['key']).toEqual({ kind: 'pgp public key' });
});

it('rejects damaged and other files as corrupt', async () => {
  const der = derOf(sampleCertificate);
  for (const [name, bytes] of [
    ['cut.der', der.subarray(0, 200)],
    ['cut.pem', sampleCertificate.slice(0, 300)],
    ['text.crt', 'hello'],
    ['empty.cer', ''],
    ['junk.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ] as const) {
    await expect(certificate.read(samples.source(name, bytes)), name).rejects.toMatchObject({ kind: 'corrupt' });
  }
});

it('describes keys without a label by their parts', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const read = async (bytes: Buffer) => (await certificate.read(samples.source('a.der', bytes))).metadata['key'];
  expect(await read(rsa.privateKey.export({ type: 'pkcs1', format: 'der' }))).toEqual({
    kind: 'private key',
    algorithm: 'rsa',
    bits: 2048,
  });
  expect(await read(rsa.privateKey.export({ type: 'pkcs8', format: 'der' }))).toEqual({
    kind: 'private key',
    algorithm: 'rsa',
    bits: 2048,
  });
  expect(await read(rsa.publicKey.export({ type: 'spki', format: 'der' }))).toEqual({ kind: 'public key', algorithm: 'rsa', bits: 2048 });
  expect(await read(ec.privateKey.export({ type: 'sec1', format: 'der' }))).toEqual({ kind: 'private key', algorithm: 'ec' });
});
