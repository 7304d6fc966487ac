import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentDigest, readSignature, signRequest, verifySignature } from './index.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const parts = {
  method: 'POST',
  path: '/api/v1/agents/a/commands/poll',
  query: 'wait=5',
  digest: contentDigest(Buffer.from('{}')),
  created: 1_800_000_000,
  nonce: 'n'.repeat(22),
  keyId: 'a',
};
const received = (headers: Record<string, string>, changed: Partial<{ method: string; url: string; hasBody: boolean }> = {}) =>
  readSignature({ method: 'POST', url: '/api/v1/agents/a/commands/poll?wait=5', hasBody: true, headers, ...changed });

test('a signature covers method, path, query, digest, time and nonce', () => {
  const headers = signRequest(privateKey, parts);
  const read = received(headers);
  if (read === null || read === 'malformed') throw new Error('The signature was not recognized.');
  expect(read).toMatchObject({ created: parts.created, nonce: parts.nonce, keyId: 'a', digest: parts.digest });
  expect(verifySignature(read, publicKey)).toBe(true);
  const isValid = (given: ReturnType<typeof received>): boolean =>
    given !== null && given !== 'malformed' && verifySignature(given, publicKey);
  expect(isValid(received(headers, { method: 'PUT' }))).toBe(false);
  expect(isValid(received(headers, { url: '/api/v1/agents/b/commands/poll?wait=5' }))).toBe(false);
  expect(isValid(received(headers, { url: '/api/v1/agents/a/commands/poll?wait=6' }))).toBe(false);
  expect(isValid(received({ ...headers, 'content-digest': contentDigest(Buffer.from('[]')) }))).toBe(false);
  const input = String(headers['signature-input']);
  expect(isValid(received({ ...headers, 'signature-input': input.replace('created=1800000000', 'created=1800000001') }))).toBe(false);
  expect(isValid(received({ ...headers, 'signature-input': input.replace('nnnn"', 'nnnm"') }))).toBe(false);
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  expect(verifySignature(read, other)).toBe(false);
});

test('a request with a body must cover its digest, and other forms of signatures are refused', () => {
  const headers = signRequest(privateKey, { ...parts, digest: null });
  expect(received(headers)).toBe('malformed');
  expect(received(headers, { hasBody: false })).not.toBe('malformed');
  expect(received({})).toBe(null);
  expect(received({ signature: 'agent=:AAAA:' })).toBe('malformed');
  expect(received({ ...signRequest(privateKey, parts), signature: 'x' })).toBe('malformed');
});
