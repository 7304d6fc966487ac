/**
 * Updates of the program itself. A release counts only if the key that was pinned at enrolment has signed it, it is newer than this program,
 * and the downloaded bytes have the signed digest; nothing else that the service says is believed. States, in update.json of the data folder:
 *
 * none      -> trying: the new program is in place, the old one is kept beside it, and the agent ends to be started again
 * trying    the new program counts its starts -> kept when it has worked: it scanned and the service has heard of it
 *           -> refused after three starts without that: the old program is put back
 * kept      the old program stays beside the new one until the next update -> trying; -> refused when the service asks for the old one back
 * refused   this version is not tried again; a newer one is
 */
import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { compareVersions, type ReleaseArtifact, type ReleaseManifest, verifyRelease } from '@catalog/protocol';
import type { Client } from './client.ts';
import { filesIn, writePrivate } from './config.ts';

/** The agent ends with this code when it wants to be started again. */
export const restartCode = 20;
const maxStarts = 3;
const partBytes = 8 * 1024 * 1024;

interface UpdateState {
  version: string;
  state: 'trying' | 'kept' | 'refused';
  starts: number;
}

export interface Program {
  /** The file that is replaced. */
  file: string;
  version: string;
  platform: string;
  arch: string;
}

function readState(dataDir: string): UpdateState | null {
  const { update } = filesIn(dataDir);
  return existsSync(update) ? (JSON.parse(readFileSync(update, 'utf8')) as UpdateState) : null;
}

const writeState = (dataDir: string, state: UpdateState): void => writePrivate(filesIn(dataDir).update, JSON.stringify(state));

/** Installs a newer release, if there is one. Returns its version when the program was replaced. */
export async function updateProgram(
  client: Client,
  releaseKey: string | undefined,
  dataDir: string,
  program: Program,
): Promise<string | null> {
  if (!releaseKey) return null;
  const answer = await client.send('GET', `/update-manifest?current=${encodeURIComponent(program.version)}&arch=${program.arch}`);
  if (answer.status === 204) return null;
  const manifest = answer.body as ReleaseManifest;
  const artifact = requireTrusted(manifest, releaseKey, program);
  const before = readState(dataDir);
  if (before?.state === 'refused' && before.version === manifest.version) return null;
  const bytes = await download(client, manifest.version, artifact, `${program.file}.new`);
  if (bytes !== artifact.sha256) {
    rmSync(`${program.file}.new`, { force: true });
    throw new Error('The downloaded program does not have the signed digest. It was not installed.');
  }
  writeState(dataDir, { version: manifest.version, state: 'trying', starts: 0 });
  replace(program.file);
  return manifest.version;
}

function requireTrusted(manifest: ReleaseManifest, releaseKey: string, { version, platform, arch }: Program): ReleaseArtifact {
  if (!verifyRelease(manifest, releaseKey))
    throw new Error('The offered program is not signed with the key that was pinned at enrolment. It was not installed.');
  if (compareVersions(manifest.version, version) <= 0)
    throw new Error(`The offered program has version ${manifest.version}, which is not newer than ${version}. It was not installed.`);
  const artifact = manifest.artifacts.find((each) => each.platform === platform && each.arch === arch);
  if (!artifact) throw new Error(`The release ${manifest.version} has no program for ${platform} ${arch}.`);
  return artifact;
}

/** Downloads in parts, so that memory stays bounded. Returns the digest of what was written. */
async function download(client: Client, version: string, { url, size }: ReleaseArtifact, file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = openSync(file, 'w', 0o700);
  try {
    for (let at = 0; at < size; ) {
      const range = `bytes=${at}-${Math.min(size, at + partBytes) - 1}`;
      const answer = await client.send('GET', `/releases/${version}/artifacts/${url}`, {
        headers: { range },
        timeoutSeconds: 600,
        raw: true,
      });
      const part = answer.body as Buffer;
      if (part.length === 0 || at + part.length > size) throw new Error('The service sent another number of bytes than the release names.');
      hash.update(part);
      writeSync(handle, part);
      at += part.length;
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** The old program stays beside the new one. At every point one of the two is in place. */
function replace(file: string): void {
  chmodSync(`${file}.new`, 0o755);
  rmSync(`${file}.old`, { force: true });
  // A running program cannot be replaced on Windows, but it can be renamed.
  if (process.platform === 'win32') renameSync(file, `${file}.old`);
  else linkSync(file, `${file}.old`);
  renameSync(`${file}.new`, file);
}

/** At every start: counts the starts of a new program. Returns true when the old one was put back and must be started. */
export function countStart(dataDir: string, program: Pick<Program, 'file' | 'version'>): boolean {
  const state = readState(dataDir);
  if (state?.state !== 'trying' || state.version !== program.version) return false;
  if (state.starts < maxStarts) {
    writeState(dataDir, { ...state, starts: state.starts + 1 });
    return false;
  }
  writeState(dataDir, { ...state, state: 'refused' });
  if (!existsSync(`${program.file}.old`)) return false;
  restoreOld(program.file);
  return true;
}

function restoreOld(file: string): void {
  if (process.platform === 'win32') renameSync(file, `${file}.new`);
  renameSync(`${file}.old`, file);
}

/** Puts the program that ran before back. The service can ask for no other older one, and this version is not installed again. */
export function putBack(dataDir: string, program: Pick<Program, 'file' | 'version'>): void {
  const state = readState(dataDir);
  if (state === null || state.state === 'refused' || state.version !== program.version || !existsSync(`${program.file}.old`))
    throw new Error('The program that ran before is no longer here. Publish a newer version instead.');
  writeState(dataDir, { ...state, state: 'refused' });
  restoreOld(program.file);
}

/** Called when the program has done its work once: it is kept. */
export function confirmProgram(dataDir: string, program: Pick<Program, 'file' | 'version'>): void {
  const state = readState(dataDir);
  if (state?.state === 'trying' && state.version === program.version) writeState(dataDir, { ...state, state: 'kept' });
}
