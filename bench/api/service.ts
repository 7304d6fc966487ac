import { type ChildProcess, fork } from 'node:child_process';
import { sql } from 'kysely';
import { digestOf, newApiKey } from '../../server/src/people/identity/credentials.ts';
import type { Db } from '../../server/src/platform/database/index.ts';

export async function startApp(
  address: object,
  configDir: string,
  env = process.env,
  flags: readonly string[] = [],
): Promise<{ app: ChildProcess; url: string }> {
  const app = fork(new URL('app-process.ts', import.meta.url), [JSON.stringify(address), configDir], { env, execArgv: [...flags] });
  const { url } = await nextMessage<{ url: string }>(app);
  return { app, url };
}

/** The next message of a child process; rejects if it exits first. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`A process of the benchmark exited with code ${code}.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

/** A key of a service account that may read everything. */
export async function createServiceKey(db: Db): Promise<string> {
  const { key, prefix } = newApiKey();
  await sql`with account as (insert into service_accounts (name) values ('bench')
      on conflict (lower(name)) do update set name = excluded.name returning id)
    insert into api_keys (name, prefix, key_hash, scopes, service_account_id)
    select 'bench', ${prefix}, ${digestOf(key)}, '{read}', id from account`.execute(db);
  return key;
}

/** A key of a person with 100 grants on folders of these libraries. */
export async function createScopedKey(db: Db, libraries: string[]): Promise<string> {
  const { key, prefix } = newApiKey();
  await sql`with person as (insert into principals (username, global_role) values ('scoped', 'user') returning id),
    places as (select library_id, rel_path from folders where library_id = any(${libraries}::uuid[]) and rel_path not like '%/%/%/%'
      order by md5(rel_path || library_id::text) limit 50),
    granted as (insert into grants (principal_id, library_id, rel_path, action, effect)
      select p.id, f.library_id, f.rel_path, a.action, 'allow' from person p, places f, (values ('search_metadata'), ('search_content')) a (action))
    insert into api_keys (name, prefix, key_hash, scopes, principal_id)
    select 'bench', ${prefix}, ${digestOf(key)}, '{read}', id from person`.execute(db);
  return key;
}
