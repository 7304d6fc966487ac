import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { connect, type Database, type Db, migrate, startEmbedded } from '../../server/src/platform/database/index.ts';
import { allDocuments } from '../../server/src/search/documents/index.ts';
import { openSearchWriter } from '../../server/src/search/engines/index.ts';
import { settingsForTests } from '../../server/src/settings/index.ts';
import { type Client, createClient } from './client.ts';
import { loadItems } from './load.ts';
import { createServiceKey, startApp } from './service.ts';

interface IndexedService {
  database: Database;
  url: string;
  client: Client;
  close(): Promise<void>;
}

/** A real app process over a database and an index with generated items. `folder` becomes its config folder; `prepare` may add rows before they are indexed. */
export async function startIndexedService(
  folder: string,
  items: number,
  prepare: (db: Db) => Promise<unknown> = async () => {},
): Promise<IndexedService> {
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: false });
  const { host, port, user, password } = server;
  const database = connect({ host, port, user, password, database: server.database });
  let app: ChildProcess | null = null;
  const close = async (): Promise<void> => {
    if (app?.connected) app.disconnect();
    app?.kill();
    await database.close();
    await server.stop();
  };
  try {
    await migrate(database.pool);
    await loadItems(database.db, items);
    await prepare(database.db);
    const writer = openSearchWriter(settingsForTests({ SVC_CONFIG_DIR: folder }));
    await writer.rebuild(allDocuments(database.db, 2000));
    await writer.close();
    const started = await startApp(database.address, folder);
    app = started.app;
    return { database, url: started.url, client: createClient(started.url, await createServiceKey(database.db)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
