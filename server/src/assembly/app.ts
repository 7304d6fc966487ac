import { readFileSync } from 'node:fs';
import { statsRoutes } from '../insight/stats/index.ts';
import { aboutRoutes, diskRoutes, serviceRoutes } from '../operations/about/index.ts';
import { jobRoutes } from '../operations/jobs/index.ts';
import { logRoutes } from '../operations/logs/index.ts';
import { maintenanceRoutes } from '../operations/maintenance/index.ts';
import { accessRoutes } from '../people/access/index.ts';
import { auditRoutes } from '../people/audit/index.ts';
import { createAuthenticator, identityRoutes } from '../people/identity/index.ts';
import { type App, createAddressReader, createApp } from '../platform/http/index.ts';
import type { Parts } from '../platform/parts.ts';
import { openSearchReader } from '../search/engines/index.ts';
import { version } from '../version.ts';
import { contentRoutes } from '../content/pipeline/index.ts';
import { catalogRooms } from './catalog.ts';
import { itemViewRoutes, openThumbs } from './content.ts';
import { maintenanceTasks } from './maintenance.ts';
import { pageRoutes } from './pages.ts';
import { searchRooms } from './search.ts';

/** Every room's routes, in the order of the house. */
const rooms: ((app: App, parts: Parts) => void)[] = [
  identityRoutes,
  accessRoutes,
  auditRoutes,
  ...catalogRooms,
  aboutRoutes,
  diskRoutes,
  jobRoutes,
  logRoutes,
  (app, parts) => maintenanceRoutes(app, parts, maintenanceTasks(parts)),
];

export async function assembleApp(parts: Parts, options: { strictAnswers?: boolean } = {}): Promise<App> {
  const { settings, log } = parts;
  const app = await createApp({
    log: log.child('http'),
    version,
    authenticate: createAuthenticator(parts),
    readAddress: createAddressReader({
      trustedProxies: settings.trustedProxies ?? [],
      proxySharedSecret: settings.proxySharedSecret,
      trustForwardedFor: settings.authRatelimitTrustForwardedFor,
    }),
    tls:
      settings.tlsCertFile && settings.tlsKeyFile
        ? { cert: readFileSync(settings.tlsCertFile), key: readFileSync(settings.tlsKeyFile) }
        : undefined,
    ...options,
  });
  const reader = openSearchReader(settings);
  app.addHook('onClose', () => reader.close());
  await app.register(
    async (api) => {
      for (const room of rooms) room(api as unknown as App, parts);
      const thumbs = openThumbs(parts);
      contentRoutes(api as unknown as App, parts, thumbs);
      itemViewRoutes(api as unknown as App, parts);
      statsRoutes(api as unknown as App, parts, reader, thumbs);
      for (const room of searchRooms) room(api as unknown as App, parts, reader);
      serviceRoutes(api as unknown as App, parts, reader);
    },
    { prefix: '/api/v1' },
  );
  await pageRoutes(app);
  return app;
}
