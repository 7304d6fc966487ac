import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { checksumText, compareVersions, type ReleaseManifest, signRelease, verifyRelease } from './index.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const artifact = (platform: 'linux' | 'windows', url: string) => ({ platform, arch: 'x64' as const, sha256: 'a'.repeat(64), size: 5, url });
const manifest: ReleaseManifest = signRelease(privateKey, {
  version: '1.2.3',
  created_at: '2030-01-01T00:00:00Z',
  artifacts: [artifact('windows', 'catalog-agent-windows-x64.exe'), artifact('linux', 'catalog-agent-linux-x64')],
});

test('a signature covers version, time and every artifact, in any order', () => {
  expect(verifyRelease(manifest, pem)).toBe(true);
  expect(verifyRelease({ ...manifest, artifacts: [...manifest.artifacts].reverse() }, pem)).toBe(true);
  const changes: Partial<ReleaseManifest>[] = [
    { version: '1.2.4' },
    { created_at: '2030-01-02T00:00:00Z' },
    { artifacts: manifest.artifacts.slice(1) },
    { artifacts: manifest.artifacts.map((each) => ({ ...each, sha256: 'b'.repeat(64) })) },
    { artifacts: manifest.artifacts.map((each) => ({ ...each, size: 6 })) },
    { signature: manifest.checksums_signature },
    { checksums_signature: manifest.signature },
    { signature: '' },
  ];
  for (const change of changes) expect(verifyRelease({ ...manifest, ...change }, pem), JSON.stringify(change)).toBe(false);
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const key of [other, '', 'no key']) expect(verifyRelease(manifest, key)).toBe(false);
});

test('checksums have the form of sha256sum', () => {
  expect(checksumText(manifest)).toBe(`${'a'.repeat(64)}  catalog-agent-linux-x64\n${'a'.repeat(64)}  catalog-agent-windows-x64.exe\n`);
});

test('versions are compared by number, and a prerelease is older than its release', () => {
  const order = ['0.9.0', '1.0.0-alpha', '1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0-beta', '1.0.0', '1.0.10', 'v1.2.0', '1.10.0+build'];
  for (const [at, version] of order.entries())
    for (const [other, against] of order.entries()) expect(Math.sign(compareVersions(version, against))).toBe(Math.sign(at - other));
});
