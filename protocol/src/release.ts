/**
 * Releases of the agent program. A manifest lists the programs of one version with their digests and is signed with Ed25519 over exact bytes.
 * The same key signs the list of checksums, so that install scripts can verify a program without reading JSON.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export const releasePlatforms = ['linux', 'macos', 'windows'] as const;
export const releaseArchitectures = ['x64', 'arm64'] as const;

export interface ReleaseArtifact {
  platform: (typeof releasePlatforms)[number];
  arch: (typeof releaseArchitectures)[number];
  /** Of the file, in hexadecimal digits. */
  sha256: string;
  size: number;
  /** The file name of the program, relative to the release. */
  url: string;
}

export interface ReleaseManifest {
  version: string;
  /** RFC 3339 in UTC. */
  created_at: string;
  artifacts: ReleaseArtifact[];
  /** Base64, over releaseText(). */
  signature: string;
  /** Base64, over checksumText(). */
  checksums_signature: string;
}

type Unsigned = Omit<ReleaseManifest, 'signature' | 'checksums_signature'>;

/** `catalog-agent-linux-x64`, with `.exe` on Windows. */
export const artifactPattern = /^catalog-agent-(linux|macos|windows)-(x64|arm64)(\.exe)?$/;
export const versionPattern = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[0-9A-Za-z.-]{1,40})?$/;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sorted = ({ artifacts }: Pick<ReleaseManifest, 'artifacts'>): ReleaseArtifact[] =>
  [...artifacts].sort((a, b) => compare(a.platform, b.platform) || compare(a.arch, b.arch) || compare(a.url, b.url));

/** What is signed: compact JSON with keys and artifacts in a fixed order. */
function releaseText(release: Unsigned): string {
  const artifacts = sorted(release).map(({ platform, arch, sha256, size, url }) => ({ platform, arch, sha256, size, url }));
  return JSON.stringify({ version: release.version, created_at: release.created_at, artifacts });
}

/** The form that `sha256sum -c` reads. */
export function checksumText(release: Pick<ReleaseManifest, 'artifacts'>): string {
  return sorted(release)
    .map(({ sha256, url }) => `${sha256}  ${url}\n`)
    .join('');
}

export function signRelease(key: KeyObject, release: Unsigned): ReleaseManifest {
  const over = (text: string): string => sign(null, Buffer.from(text), key).toString('base64');
  return { ...release, signature: over(releaseText(release)), checksums_signature: over(checksumText(release)) };
}

/** False for every manifest that is not signed by the key, whatever else is wrong with it. */
export function verifyRelease(manifest: ReleaseManifest, publicKeyPem: string): boolean {
  try {
    const key = createPublicKey(publicKeyPem);
    const holds = (text: string, signature: string): boolean => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
    return (
      key.asymmetricKeyType === 'ed25519' &&
      holds(releaseText(manifest), manifest.signature) &&
      holds(checksumText(manifest), manifest.checksums_signature)
    );
  } catch {
    // Neither a key nor a manifest.
    return false;
  }
}

/** Negative when `a` is older. A prerelease is older than its release. */
export function compareVersions(a: string, b: string): number {
  const parse = (version: string): { numbers: number[]; pre: string } => {
    const [core = '', pre = ''] = version.replace(/^v/, '').split('+')[0]?.split(/-(.*)/) ?? [];
    return { numbers: core.split('.').map(Number), pre };
  };
  const [left, right] = [parse(a), parse(b)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === '' || right.pre === '') return left.pre === '' ? 1 : -1;
  return comparePrereleases(left.pre.split('.'), right.pre.split('.'));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [left, right] = [a[at], b[at]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const numeric = /^\d+$/.test(left) && /^\d+$/.test(right);
    const difference = numeric ? Number(left) - Number(right) : compare(left, right);
    if (difference !== 0) return difference;
  }
  return 0;
}
