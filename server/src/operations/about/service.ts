import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { extractors, locateTool, thumbnailers } from '@catalog/readers';
import { checkServer } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { describeSettings } from '../../settings/index.ts';
import { version } from '../../version.ts';

const serverPackage = new URL('../../../package.json', import.meta.url);
const consoleStamp = new URL('../../../../console/dist/.stamp', import.meta.url);

interface Service {
  name: string;
  version: string | null;
  detail: string;
  error: string | null;
}

/** Versions of everything that takes part. Asks nobody outside; what is absent or out of reach is said, never left blank. */
export async function describeService({ db, settings }: Dependencies, reader: SearchReader) {
  const [services, host_tools] = await Promise.all([describeServices(db, settings, reader), describeTools()]);
  const { dependencies } = JSON.parse(readFileSync(serverPackage, 'utf8')) as { dependencies: Record<string, string> };
  return {
    application: {
      name: 'Catalog',
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      source_url: settings.sourceUrl ?? `${settings.publicBaseUrl ?? ''}/source.tar.gz`,
      console_build: existsSync(consoleStamp) ? readFileSync(fileURLToPath(consoleStamp), 'utf8').slice(0, 12) : null,
    },
    packages: Object.entries(dependencies).map(([name, wanted]) => ({ name, version: wanted })),
    services,
    host_tools,
    embedding: { enabled: settings.semanticEnabled, detail: settings.semanticEnabled ? 'No model is loaded.' : 'Semantic search is off.' },
    agents: settings.agentsEnabled ? { total: 0, versions: [] } : null,
    settings: describeSettings(settings).map(({ name, value, source, section }) => ({ name, value: String(value ?? ''), source, section })),
  };
}

async function describeServices(db: Dependencies['db'], settings: Dependencies['settings'], reader: SearchReader): Promise<Service[]> {
  const database: Service = await checkServer(db).then(
    ({ version: found }) => ({ name: 'PostgreSQL', version: found, detail: settings.databaseUrl ? 'external' : 'embedded', error: null }),
    (error: Error) => ({ name: 'PostgreSQL', version: null, detail: 'out of reach', error: error.message }),
  );
  const search: Service = await reader.stats().then(
    ({ documents, segments }) => ({
      name: settings.searchUrl ? 'Meilisearch' : 'Search engine',
      version: settings.searchUrl ? null : version,
      detail: `${documents} documents in ${segments} segments`,
      error: null,
    }),
    (error: Error) => ({
      name: settings.searchUrl ? 'Meilisearch' : 'Search engine',
      version: null,
      detail: 'not ready',
      error: error.message,
    }),
  );
  return [database, search];
}

export interface HostTool {
  name: string;
  purpose: string;
  present: boolean;
  version: string | null;
  path: string | null;
  minimum_version: string | null;
  verdict: 'ok' | 'old' | 'missing' | 'unknown';
  impact: string | null;
}

/** The oldest version each tool is known to work well in. */
const minimum: Record<string, string> = { ffmpeg: '4.1', ffprobe: '4.1', exiftool: '12.0', tesseract: '4.0', pdftotext: '20.0' };
const versionFlag: Record<string, string> = { ffmpeg: '-version', ffprobe: '-version', exiftool: '-ver', pdftotext: '-v' };

/** Every external tool an extractor or renderer can use, and what is lost without it. */
export async function describeTools(): Promise<HostTool[]> {
  const lost = new Map<string, Set<string>>([['tesseract', new Set(['speed of text recognition'])]]);
  for (const { tools } of [...extractors, ...thumbnailers])
    for (const tool of tools) lost.set(tool.name, (lost.get(tool.name) ?? new Set()).add(tool.lost));
  return Promise.all([...lost].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, uses]) => describe(name, [...uses])));
}

async function describe(name: string, uses: readonly string[]): Promise<HostTool> {
  const path = locateTool(name);
  const purpose = uses.join('; ');
  const minimum_version = minimum[name] ?? null;
  if (!path)
    return {
      name,
      purpose,
      present: false,
      version: null,
      path: null,
      minimum_version,
      verdict: 'missing',
      impact: `Without it is lost: ${purpose}`,
    };
  const version = await versionOf(path, versionFlag[name] ?? '--version');
  const verdict = version === null ? 'unknown' : minimum_version && older(version, minimum_version) ? 'old' : 'ok';
  return {
    name,
    purpose,
    present: true,
    version,
    path,
    minimum_version,
    verdict,
    impact: verdict === 'old' ? `Older than ${minimum_version}; some files may not be read.` : null,
  };
}

const versions = new Map<string, Promise<string | null>>();

/** A tool is asked once: as long as its file stays the same, so does its version. A new one is seen by the next who looks. */
function versionOf(path: string, flag: string): Promise<string | null> {
  const { mtimeMs, size, ino } = statSync(path);
  const key = [path, mtimeMs, size, ino].join('\0');
  const known = versions.get(key) ?? runVersionFlag(path, flag);
  versions.set(key, known);
  return known;
}

function runVersionFlag(path: string, flag: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(path, [flag], { timeout: 5000, maxBuffer: 200_000 }, (_error, stdout, stderr) =>
      resolve(/\d+(\.\d+)+/.exec(`${stdout}\n${stderr}`)?.[0] ?? null),
    );
  });
}

function older(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  for (let at = 0; at < b!.length; at += 1) if ((a![at] ?? 0) !== b![at]) return (a![at] ?? 0) < b![at]!;
  return false;
}
