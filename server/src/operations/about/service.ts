import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOlderTool, toolMinimum, toolVersionFlag, versionIn } from '@catalog/protocol';
import { extractors, locateTool, sandboxReport, thumbnailers } from '@catalog/readers';
import { sql } from 'kysely';
import { describeModelFiles } from '../../content/embeddings/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { checkServer, type Replica } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { checkSecretKey } from '../../platform/secrets/index.ts';
import { engineName, type SearchReader } from '../../search/engines/index.ts';
import { describeSettings, isEnabled } from '../../settings/index.ts';
import { version } from '../../version.ts';

/** The workspaces whose packages the service and its console consist of. */
const workspaces = ['server', 'engine', 'readers', 'scanner', 'protocol', 'agent', 'console', 'manual'];
const consoleStamp = new URL('../../../../console/dist/.stamp', import.meta.url);

interface Service {
  name: string;
  version: string | null;
  detail: string;
  error: string | null;
}

interface RootState {
  state: 'none' | 'match' | 'mismatch' | 'missing';
  stored: string | null;
  configured: string | null;
  message: string | null;
}
/** Compares the root of the authority for agents with the one on record; null while agents are off. */
export type CheckRoot = () => Promise<RootState | null>;

/** Versions of the service and everything it uses, without network requests to third parties. Missing parts are reported as such. */
export async function describeService(
  { db, settings, replica }: Dependencies,
  visibility: Visibility,
  reader: SearchReader,
  checkRoot: CheckRoot,
) {
  const [services, host_tools, secret_key, ca_root, sandbox] = await Promise.all([
    describeServices({ db, settings, replica }, visibility, reader),
    describeTools(),
    checkSecretKey(db, settings),
    checkRoot(),
    sandboxReport(),
  ]);
  return {
    application: {
      name: 'Catalog',
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      source_url: settings.sourceUrl ?? `${settings.publicBaseUrl ?? ''}/source.tar.gz`,
      console_build: existsSync(consoleStamp) ? readFileSync(fileURLToPath(consoleStamp), 'utf8').slice(0, 12) : null,
    },
    packages: listPackages(),
    services,
    host_tools,
    sandbox,
    embedding: describeEmbedding(settings),
    agents: isEnabled(settings, 'SVC_AGENTS_ENABLED') ? await countAgents(db) : null,
    key_fingerprints: { secret_key, ca_root },
    settings: describeSettings(settings).map(({ name, value, source, section, has_effect }) => ({
      name,
      value,
      source,
      section,
      has_effect,
    })),
  };
}

/** Enrolled agents by the version they report. */
async function countAgents(db: Dependencies['db']): Promise<{ total: number; versions: { version: string; count: number }[] }> {
  const { rows } = await sql<{ version: string; count: number }>`select coalesce(agent_version, 'unknown') as version, count(*) as count
    from agents where revoked_at is null and cert_fingerprint is not null group by 1 order by 2 desc, 1`.execute(db);
  return { total: rows.reduce((sum, { count }) => sum + count, 0), versions: rows.map(({ version, count }) => ({ version, count })) };
}

/** The embedding model. Fields that are unknown, such as those of a model on another server, are null. */
function describeEmbedding(settings: Dependencies['settings']) {
  const enabled = isEnabled(settings, 'SVC_SEMANTIC_ENABLED');
  const files = enabled ? describeModelFiles(settings) : null;
  const none = { repository: null, file: null, cached: false, size_bytes: null, revision: null, downloaded_at: null };
  if (!enabled) return { enabled, detail: 'Semantic search is off.', ...none };
  if (settings.embedUrl)
    return { enabled, detail: `Computed by ${new URL(settings.embedUrl).host}.`, ...none, repository: settings.embedModel };
  const detail = files ? 'The model is present.' : 'The model is not here yet. The worker downloads it.';
  return { enabled, detail, ...none, repository: settings.embedModel, ...files };
}

/** The pinned packages of all workspaces, without the workspaces themselves. */
function listPackages(): { name: string; version: string }[] {
  const versions = new Map<string, string>();
  for (const workspace of workspaces) {
    const file = new URL(`../../../../${workspace}/package.json`, import.meta.url);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string> | undefined>;
    // The packages of the manual are used when it is built and are part of its pages.
    for (const [name, pinned] of Object.entries((workspace === 'manual' ? devDependencies : dependencies) ?? {}))
      if (!name.startsWith('@catalog/')) versions.set(name, pinned);
  }
  return [...versions].map(([name, pinned]) => ({ name, version: pinned })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function describeServices(
  { db, settings, replica }: Pick<Dependencies, 'db' | 'settings' | 'replica'>,
  visibility: Visibility,
  reader: SearchReader,
): Promise<Service[]> {
  const database: Service = await checkServer(db).then(
    ({ version: found }) => ({ name: 'PostgreSQL', version: found, detail: settings.databaseUrl ? 'external' : 'embedded', error: null }),
    (error: Error) => ({ name: 'PostgreSQL', version: null, detail: 'unreachable', error: error.message }),
  );
  const search: Service = await reader.stats().then(
    ({ documents, segments }) => ({
      name: engineName(settings),
      version: settings.searchUrl ? null : version,
      // Both count the files of all libraries.
      detail: visibility.unrestricted ? `${documents} documents in ${segments} segments` : 'ready',
      error: null,
    }),
    (error: Error) => ({
      name: engineName(settings),
      version: null,
      detail: 'not ready',
      error: error.message,
    }),
  );
  return [database, ...(replica ? [describeReplica(replica.state(), database.version)] : []), search];
}

/** A replica has the version of its primary, because it replays the same log. */
function describeReplica({ inUse, lagSeconds, reason }: ReturnType<Replica['state']>, found: string | null): Service {
  const behind = lagSeconds === null ? '' : `, ${lagSeconds} s behind`;
  return { name: 'PostgreSQL replica', version: inUse ? found : null, detail: `${inUse ? 'in use' : 'left out'}${behind}`, error: reason };
}

interface HostTool {
  name: string;
  purpose: string;
  present: boolean;
  version: string | null;
  path: string | null;
  minimum_version: string | null;
  verdict: 'ok' | 'old' | 'missing' | 'unknown';
  impact: string | null;
}

/** Every external tool that an extractor or thumbnailer can use, and what is unavailable without it. */
async function describeTools(): Promise<HostTool[]> {
  const lost = new Map<string, Set<string>>([['tesseract', new Set(['fast text recognition'])]]);
  for (const { tools } of [...extractors, ...thumbnailers])
    for (const tool of tools) lost.set(tool.name, (lost.get(tool.name) ?? new Set()).add(tool.lost));
  return Promise.all([...lost].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, uses]) => describe(name, [...uses])));
}

async function describe(name: string, uses: readonly string[]): Promise<HostTool> {
  const path = locateTool(name);
  const purpose = uses.join('; ');
  const minimum_version = toolMinimum(name);
  if (!path)
    return {
      name,
      purpose,
      present: false,
      version: null,
      path: null,
      minimum_version,
      verdict: 'missing',
      impact: `Unavailable without it: ${purpose}`,
    };
  const version = await versionOf(path, toolVersionFlag(name));
  const verdict = version === null ? 'unknown' : isOlderTool(name, version) ? 'old' : 'ok';
  return {
    name,
    purpose,
    present: true,
    version,
    path,
    minimum_version,
    verdict,
    impact: verdict === 'old' ? `Older than ${minimum_version}, so some files may not be read. Install a newer version.` : null,
  };
}

const versions = new Map<string, Promise<string | null>>();

/** Cached while the file of the tool is unchanged, so that an update is noticed without running the tool each time. */
function versionOf(path: string, flag: string): Promise<string | null> {
  const { mtimeMs, size, ino } = statSync(path);
  const key = [path, mtimeMs, size, ino].join('\0');
  const known = versions.get(key) ?? runVersionFlag(path, flag);
  versions.set(key, known);
  return known;
}

function runVersionFlag(path: string, flag: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(path, [flag], { timeout: 5000, maxBuffer: 200_000 }, (_error, stdout, stderr) => resolve(versionIn(`${stdout}\n${stderr}`)));
  });
}
