import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { assembleApp } from '../src/assembly/app.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/index.ts';
import type { Dependencies } from '../src/platform/dependencies.ts';
import type { App } from '../src/platform/http/index.ts';
import { silentLog } from '../src/platform/log/index.ts';
import { settingsForTests } from '../src/settings/index.ts';
import { cloneDatabase } from './database.ts';

export interface TestApp {
  app: App;
  deps: Dependencies;
  configDir: string;
  /** Bearer keys of one service account, by scope. */
  keys: Record<'read' | 'write' | 'admin', string>;
  /** Sends a request with the key of this scope (default admin), or with a given key; `as: null` sends no credential. */
  request(
    method: string,
    url: string,
    body?: unknown,
    options?: { as?: 'read' | 'write' | 'admin' | string | null; headers?: Record<string, string> },
  ): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** The real app on its own database, unless one is given; every response is validated against its schema. */
export async function createTestApp(env: Record<string, string> = {}, given?: Database): Promise<TestApp> {
  const database = given ?? (await cloneDatabase());
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-app-'));
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, SVC_BROWSE_ROOTS: '/', ...env });
  const deps: Dependencies = { db: database.db, database, settings, log: silentLog, clock: systemClock };
  const app = await assembleApp(deps, { strictResponses: true });
  await app.ready();
  const keys = { read: await makeKey(deps, ['read']), write: await makeKey(deps, ['write']), admin: await makeKey(deps, ['admin']) };
  return {
    app,
    deps,
    configDir,
    keys,
    request(method, url, body, { as = 'admin', headers = {} } = {}) {
      const key = as === null ? null : as in keys ? keys[as as keyof typeof keys] : as;
      const target = url.startsWith('/api/') || url.startsWith('/docs') || url === '/' ? url : `/api/v1${url}`;
      return app.inject({
        method: method as InjectOptions['method'] & string,
        url: target,
        ...(body === undefined ? {} : { payload: body as object }),
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      } as InjectOptions) as Promise<LightMyRequestResponse>;
    },
    async close() {
      await app.close();
      await database.close();
      rmSync(configDir, { recursive: true, force: true });
    },
  };
}

let counter = 0;

/** Inserts a key directly into the database, so that tests do not depend on the routes for keys. */
async function makeKey({ db }: Dependencies, scopes: ('read' | 'write' | 'admin')[]): Promise<string> {
  const { digestOf, newApiKey } = await import('../src/people/identity/credentials.ts');
  counter += 1;
  const account = await db
    .insertInto('service_accounts')
    .values({ name: `test ${counter} ${scopes}`, description: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { key, prefix } = newApiKey();
  await db
    .insertInto('api_keys')
    .values({
      name: `${scopes}`,
      prefix,
      key_hash: digestOf(key),
      scopes,
      service_account_id: account.id,
      principal_id: null,
      libraries: null,
      path_scope: null,
      expires_at: null,
      last_used_at: null,
    })
    .execute();
  return key;
}

/** The session cookie of a response, as a request header. */
export function sessionCookie(response: LightMyRequestResponse): { cookie: string } {
  const cookie = response.cookies.find(({ name }) => name === '__Host-catalog_session');
  if (!cookie) throw new Error(`No session cookie in ${response.statusCode} ${response.body}`);
  return { cookie: `__Host-catalog_session=${cookie.value}` };
}
