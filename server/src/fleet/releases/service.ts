/**
 * Releases: a signed manifest is uploaded first, then each program that it names. A release is ready when all of them are here, and is then
 * offered to agents with an older version. A withdrawn release is never offered again.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { artifactPattern, compareVersions, type ReleaseArtifact, type ReleaseManifest, verifyRelease } from '@catalog/protocol';
import type { Visibility } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { auditOf, requireAgent } from '../agents/index.ts';
import { enqueueIn, requireWhole } from '../commands/index.ts';
import { ensureReleaseKey } from './key.ts';
import { endReleaseRollout, findLiveOf } from './rollout-store.ts';
import { addFile, findRelease, insertRelease, type ReleaseRow, readyVersions, withdrawRelease } from './store.ts';

export const maxArtifactBytes = 512 * 1024 * 1024;

export async function requireRelease(db: Db, version: string): Promise<ReleaseRow> {
  const release = await findRelease(db, version);
  if (!release) throw notFound('release');
  return release;
}

export const isReady = ({ manifest, files, withdrawn_at }: ReleaseRow): boolean =>
  withdrawn_at === null && manifest.artifacts.every(({ url }) => files.includes(url));

function programFile({ agentReleasesDir }: Pick<Settings, 'agentReleasesDir'>, version: string, filename: string): string {
  return path.join(agentReleasesDir, version, filename);
}

/** Accepts only a manifest that the key of this installation has signed. */
export async function addRelease({ db, settings }: Dependencies, manifest: ReleaseManifest, actor: Actor): Promise<void> {
  const names = new Set(manifest.artifacts.map(({ url }) => url));
  const fitting = manifest.artifacts.every(({ platform, arch, url }) => {
    const [, named, on] = artifactPattern.exec(url) ?? [];
    return named === platform && on === arch;
  });
  if (!fitting || names.size !== manifest.artifacts.length)
    throw problem('bad_request', 'Every program must be named once, after its platform, such as catalog-agent-linux-x64.');
  if (!verifyRelease(manifest, await ensureReleaseKey(db, settings)))
    throw problem(
      'bad_request',
      'The manifest is not signed with the key of this installation. Sign it with "catalog agent-release sign".',
    );
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    if (!(await insertRelease(tx, manifest, actor.principalId)))
      throw problem('conflict', `The version ${manifest.version} exists. A version is never changed; publish a new one.`);
    const details = { version: manifest.version, programs: [...names] };
    await recordEvent(tx, { event_type: 'agent_release_uploaded', ...auditOf(actor), details });
  });
}

function requireArtifact({ manifest, withdrawn_at }: ReleaseRow, filename: string): ReleaseArtifact {
  const artifact = manifest.artifacts.find(({ url }) => url === filename);
  if (!artifact) throw problem('not_found', 'The release does not name this program.');
  if (withdrawn_at !== null) throw problem('conflict', 'This release was withdrawn.');
  return artifact;
}

/** Stores a program if it is the one that the manifest names. */
export async function storeProgram(
  { db, settings }: Dependencies,
  version: string,
  filename: string,
  body: Readable,
): Promise<ReleaseArtifact> {
  const artifact = requireArtifact(await requireRelease(db, version), filename);
  const file = programFile(settings, version, filename);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}.partial`;
  const hash = createHash('sha256');
  let size = 0;
  try {
    await pipeline(
      body,
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          size += part.length;
          if (size > Math.min(artifact.size, maxArtifactBytes)) throw problem('bad_request', wrongProgram(artifact));
          hash.update(part);
          yield part;
        }
      },
      createWriteStream(partial, { mode: 0o600 }),
    );
    if (size !== artifact.size || hash.digest('hex') !== artifact.sha256) throw problem('bad_request', wrongProgram(artifact));
    const handle = await open(partial, 'r');
    await handle.sync();
    await handle.close();
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  await addFile(db, version, filename);
  return artifact;
}

const wrongProgram = ({ url, size }: ReleaseArtifact): string =>
  `The bytes are not those that the manifest names for ${url}: it has ${size} bytes and another digest.`;

/** Ends its rollout as well. */
export async function withdraw({ db, settings }: Dependencies, version: string, actor: Actor): Promise<void> {
  await requireRelease(db, version);
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const live = await findLiveOf(tx, version);
    if (live) await endReleaseRollout(tx, live, 'stopped', 'The release was withdrawn.');
    if (await withdrawRelease(tx, version))
      await recordEvent(tx, { event_type: 'agent_release_withdrawn', ...auditOf(actor), details: { version } });
  });
  await rm(path.join(settings.agentReleasesDir, version), { recursive: true, force: true });
}

const updateSeconds = 21_600;

/** Asks an agent to install the newest release for its machine, whatever a rollout says. */
export async function requestUpdate(db: Db, visibility: Visibility, agentId: string, actor: Actor) {
  const { platform, agent_version, capabilities, revoked_at } = await requireAgent(db, agentId);
  const libraryIds = await requireWhole(db, visibility, agentId);
  if (revoked_at !== null) throw problem('conflict', 'This agent is revoked and takes no commands.');
  if (capabilities?.['self_update'] !== true)
    throw problem('conflict', 'This agent is not installed as a program that can replace itself. Update it on its machine.');
  const ready = await readyVersions(db, platform, String(capabilities['arch'] ?? ''));
  const newest = ready.sort((a, b) => compareVersions(b, a))[0];
  if (newest === undefined || compareVersions(newest, agent_version ?? '0.0.0') <= 0)
    throw problem('conflict', 'There is no newer release for this agent.');
  const command = await db.transaction().execute((tx) =>
    enqueueIn(
      tx as Db,
      {
        agentId,
        kind: 'self_update',
        itemId: null,
        libraryIds,
        payload: { target: newest },
        requestedBy: actor.principalId,
        ttlSeconds: updateSeconds,
      },
      actor,
    ),
  );
  return { command, target: newest };
}

/** A program for an agent. Withdrawn ones are gone. */
export async function requireProgram({ db, settings }: Dependencies, version: string, filename: string): Promise<string> {
  const release = await requireRelease(db, version);
  requireArtifact(release, filename);
  if (!isReady(release)) throw problem('not_found', 'This release is not complete.');
  return programFile(settings, version, filename);
}
