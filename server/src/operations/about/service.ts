import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkServer } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { describeSettings } from '../../settings/index.ts';
import { version } from '../../version.ts';
import { describeTools } from './tools.ts';

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
