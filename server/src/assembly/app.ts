import { readFileSync } from 'node:fs';
import { archiveRoutes } from '../catalog/archive/http.ts';
import { browseRoutes } from '../catalog/browse/http.ts';
import { customFieldRoutes } from '../catalog/custom-fields/http.ts';
import { itemRoutes } from '../catalog/items/http.ts';
import { libraryRoutes } from '../catalog/libraries/http.ts';
import { metadataProfileRoutes } from '../catalog/metadata-profiles/http.ts';
import { permissionRoutes } from '../catalog/permissions/http.ts';
import { presetRoutes } from '../catalog/presets/http.ts';
import { scanRoutes } from '../catalog/scan/http.ts';
import { taxonomyRoutes } from '../catalog/taxonomy/http.ts';
import { embeddingRoutes } from '../content/embeddings/http.ts';
import { createEmbedder, type Embedder } from '../content/embeddings/index.ts';
import { contentRoutes } from '../content/pipeline/http.ts';
import { createRemoteThumbs } from '../content/pipeline/http-remote-thumb.ts';
import { openThumbStore } from '../content/thumbs/index.ts';
import { viewRoutes } from '../content/views/http.ts';
import { checkAuthority } from '../fleet/authority/index.ts';
import { createRemoteCopies, createRemoteFiles } from '../fleet/transfers/index.ts';
import { alertRoutes } from '../insight/alerts/http.ts';
import { searchInUse } from '../insight/alerts/index.ts';
import { customReportRoutes } from '../insight/custom-reports/http.ts';
import { duplicateRoutes } from '../insight/duplicates/http.ts';
import { exportRoutes } from '../insight/exports/http.ts';
import { createExportService } from '../insight/exports/index.ts';
import { integrityRoutes } from '../insight/integrity/http.ts';
import { reportRoutes } from '../insight/reports/http.ts';
import { scheduleRoutes } from '../insight/schedules/http.ts';
import { reportInUse, schedulesOfChannel } from '../insight/schedules/index.ts';
import { statsRoutes } from '../insight/stats/http.ts';
import { aboutRoutes, serviceRoutes } from '../operations/about/http.ts';
import { assistantRoutes } from '../operations/assistants/http.ts';
import { backupRoutes } from '../operations/backup/http.ts';
import { backupMaintenance, verifyTask } from '../operations/backup/tasks.ts';
import { diskRoutes } from '../operations/disk/http.ts';
import { jobRoutes } from '../operations/jobs/http.ts';
import { logRoutes } from '../operations/logs/http.ts';
import { maintenanceRoutes } from '../operations/maintenance/http.ts';
import { metricsRoutes } from '../operations/metrics/http.ts';
import { offsiteRoutes } from '../operations/offsite/http.ts';
import { copyTask } from '../operations/offsite/tasks.ts';
import { pageRoutes } from '../operations/pages/http.ts';
import { updateRoutes } from '../operations/updates/http.ts';
import { accessRoutes } from '../people/access/http.ts';
import { auditRoutes } from '../people/audit/http.ts';
import { directoryRoutes } from '../people/directory/http.ts';
import { createAuthenticator, createRenewal, identityRoutes } from '../people/identity/http.ts';
import { createSignInProviders, providerRoutes } from '../people/providers/http.ts';
import { openReplica } from '../platform/database/index.ts';
import type { Dependencies } from '../platform/dependencies.ts';
import { type App, createApp, createCallerReader, recordWrites } from '../platform/http/index.ts';
import { builderRoutes } from '../search/builder/http.ts';
import { openPassageReader, openSearchReader, type SearchReader } from '../search/engines/index.ts';
import { passageRoutes } from '../search/passages/http.ts';
import { projectionRoutes } from '../search/projection/http.ts';
import { createDamageReport } from '../search/projection/index.ts';
import { searchRoutes } from '../search/query/http.ts';
import { createMeaning } from '../search/query/index.ts';
import { savedSearchRoutes } from '../search/saved/http.ts';
import { similarRoutes } from '../search/similar/http.ts';
import { isEnabled } from '../settings/index.ts';
import { version } from '../version.ts';
import { databaseChecks } from './checks.ts';
import { fleetRoutes } from './fleet.ts';
import { maintenanceTasks } from './maintenance.ts';

/** The API and console process: every route below /api/v1, and the pages of console and manual. */
export async function assembleApp(
  given: Dependencies,
  options: { strictResponses?: boolean; compileAtStart?: boolean } = {},
): Promise<App> {
  const { settings, log } = given;
  const replica = openReplica(settings, given.database, log.child('replica'));
  const deps: Dependencies = { ...given, replica };
  const app = await createApp({
    log: log.child('http'),
    version,
    authenticate: createAuthenticator(deps),
    renew: createRenewal(deps),
    readCaller: createCallerReader({
      trustedProxies: settings.trustedProxies ?? [],
      proxySharedSecret: settings.proxySharedSecret,
      trustForwardedFor: settings.authRatelimitTrustForwardedFor,
    }),
    tls:
      settings.tlsCertFile && settings.tlsKeyFile
        ? { cert: readFileSync(settings.tlsCertFile), key: readFileSync(settings.tlsKeyFile) }
        : undefined,
    delaySeconds: settings.stopDelaySeconds,
    drainSeconds: Math.min(15, settings.stopGraceSeconds / 2),
    ...options,
  });
  const reader = openSearchReader(settings, createDamageReport({ db: deps.db, log: log.child('index') }));
  const passages = openPassageReader(settings, createDamageReport({ db: deps.db, log: log.child('index') }, 'passage_index_rebuild'));
  const embedder = createEmbedder(settings, { background: false });
  app.addHook('onClose', async () => {
    await Promise.all([reader.close(), passages.close(), embedder.close(), replica?.close()]);
  });
  if (replica) recordWrites(app, replica);
  // Before the others, because it measures their responses.
  metricsRoutes(app, deps);
  await app.register(async (api) => apiRoutes(api, deps, { items: reader, passages }, embedder), { prefix: '/api/v1' });
  await app.register(async (api) => fleetRoutes(api, deps), { prefix: '/api/v1' });
  assistantRoutes(app, deps);
  await pageRoutes(app);
  return app;
}

function apiRoutes(app: App, deps: Dependencies, readers: { items: SearchReader; passages: SearchReader }, embedder: Embedder): void {
  const reader = readers.items;
  const thumbs = openThumbStore(deps.settings);
  const providers = createSignInProviders(deps);
  identityRoutes(app, deps, providers);
  providerRoutes(app, deps, providers);
  directoryRoutes(app, deps);
  accessRoutes(app, deps);
  auditRoutes(app, deps);
  taxonomyRoutes(app, deps);
  presetRoutes(app, deps);
  libraryRoutes(app, deps);
  itemRoutes(app, deps, createRemoteFiles(deps));
  archiveRoutes(app, deps);
  permissionRoutes(app, deps);
  customFieldRoutes(app, deps);
  metadataProfileRoutes(app, deps);
  scanRoutes(app, deps);
  browseRoutes(app, deps);
  aboutRoutes(app, deps);
  updateRoutes(app, deps);
  backupRoutes(app, deps, { backup: backupMaintenance(deps), verify: verifyTask(deps, databaseChecks) });
  offsiteRoutes(app, deps, copyTask(deps));
  diskRoutes(app, deps);
  jobRoutes(app, deps);
  logRoutes(app, deps);
  maintenanceRoutes(app, deps, maintenanceTasks(deps));
  const fetchRemote = createRemoteCopies(deps);
  contentRoutes(app, deps, thumbs, createRemoteThumbs(app, deps, thumbs, fetchRemote));
  viewRoutes(app, deps, fetchRemote);
  embeddingRoutes(app, deps);
  const checkRoot = async () => (isEnabled(deps.settings, 'SVC_AGENTS_ENABLED') ? checkAuthority(deps.db, deps.settings) : null);
  statsRoutes(app, deps, reader, thumbs, checkRoot);
  const exports = createExportService(deps);
  reportRoutes(app, deps, exports);
  customReportRoutes(app, deps, exports, reportInUse);
  exportRoutes(app, deps, { reader, meaning: createMeaning(deps, embedder) }, exports);
  duplicateRoutes(app, deps, exports);
  integrityRoutes(app, deps);
  scheduleRoutes(app, deps);
  searchRoutes(app, deps, reader, embedder);
  passageRoutes(app, deps, readers, embedder);
  similarRoutes(app, deps, reader);
  builderRoutes(app, deps);
  savedSearchRoutes(app, deps, searchInUse);
  projectionRoutes(app, deps);
  alertRoutes(app, deps, reader, schedulesOfChannel);
  serviceRoutes(app, deps, reader, checkRoot);
}
