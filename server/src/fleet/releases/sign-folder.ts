/** Signs the programs in a folder: writes manifest.json, SHA256SUMS and its signature beside them. */
import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { artifactPattern, checksumText, type ReleaseArtifact, type ReleaseManifest, signRelease, versionPattern } from '@catalog/protocol';

export async function signFolder(folder: string, key: KeyObject, now: Date): Promise<ReleaseManifest> {
  const file = path.join(folder, 'VERSION');
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (!versionPattern.test(version)) throw new Error(`${file} must contain the version of the programs, such as 1.2.3.`);
  const artifacts: ReleaseArtifact[] = [];
  for (const name of readdirSync(folder).sort()) {
    const [, platform, arch] = artifactPattern.exec(name) ?? [];
    if (platform === undefined) continue;
    const { sha256, size } = await digestOf(path.join(folder, name));
    artifacts.push({ platform: platform as ReleaseArtifact['platform'], arch: arch as ReleaseArtifact['arch'], sha256, size, url: name });
  }
  if (artifacts.length === 0) throw new Error(`There is no program in ${folder}. Their names begin with catalog-agent-.`);
  const manifest = signRelease(key, { version, created_at: now.toISOString(), artifacts });
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), checksumText(manifest));
  writeFileSync(path.join(folder, 'SHA256SUMS.sig'), `${manifest.checksums_signature}\n`);
  return manifest;
}

async function digestOf(file: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return { sha256: hash.digest('hex'), size: statSync(file).size };
}
