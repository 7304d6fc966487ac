// An external PostgreSQL for fault runs: the packaged server, started by the run instead of the service.
import { mkdirSync } from 'node:fs';

/** Starts the server in this folder, or starts it again with its data. */
export async function startDatabase(folder) {
  const { startEmbedded } = await import('../../../server/src/platform/database/embedded.ts');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const server = await startEmbedded({ folder, settings: { shared_buffers: '64MB' } });
  const place = `host=${encodeURIComponent(server.host)}&port=${server.port}`;
  return { ...server, url: `postgresql://${server.user}:${server.password}@localhost/${server.database}?${place}` };
}
