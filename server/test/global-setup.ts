import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { seed } from '../src/assembly/seed.ts';
import { connect, migrate, startEmbedded } from '../src/platform/database/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string };
  }
}

/** Starts one PostgreSQL server for the whole run, with a migrated template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-test-'));
  const server = await startEmbedded({
    folder: path.join(folder, 'pg'),
    durable: false,
    settings: { max_connections: '300', shared_buffers: '128MB' },
  });
  const admin = connect(
    { host: server.host, port: server.port, user: server.user, password: server.password, database: 'postgres' },
    { max: 1 },
  );
  await admin.pool.query('create database catalog_template');
  await admin.close();
  const template = connect(
    { host: server.host, port: server.port, user: server.user, password: server.password, database: 'catalog_template' },
    { max: 1 },
  );
  await migrate(template.pool);
  await seed(template.db);
  await template.close();
  project.provide('postgres', { host: server.host, port: server.port, user: server.user, password: server.password });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
