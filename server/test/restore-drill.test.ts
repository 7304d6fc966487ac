import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBundle } from '../src/operations/backup/index.ts';
import { connect, databaseAddress } from '../src/platform/database/index.ts';
import { settingsForTests } from '../src/settings/index.ts';
import { runCommand, type Service, startService, stopService, temporaryFolder, until } from './service.ts';

/** 1,000 items in `npm test`; DRILL_ITEMS=100000 runs the drill at full size. */
const items = Number(process.env['DRILL_ITEMS'] ?? 1000);
const place = temporaryFolder();
const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await stopService(service);
  place.remove();
});

const json = { 'content-type': 'application/json' };
const ada = { username: 'ada', password: 'long enough for ada' };

async function signIn(service: Service): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', headers: json, body: JSON.stringify(ada) });
  expect(response.status).toBe(200);
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { ...json, cookie: cookie.join('; '), origin: service.url, 'sec-fetch-site': 'same-origin' };
}

async function search(service: Service, headers: Record<string, string>, q: string) {
  const found = (await (await fetch(`${service.url}/api/v1/search?q=${q}&limit=20`, { headers })).json()) as {
    total: number;
    hits?: { id: string }[];
    items?: { id: string }[];
  };
  return [found.total, (found.hits ?? found.items ?? []).map(({ id }) => id)];
}

const start = async (configDir: string): Promise<Service> => {
  const service = await startService(configDir);
  services.push(service);
  return service;
};

/** Libraries, items, tags, people, groups and grants, written in a few statements so that 100,000 items take seconds. */
async function fill(configDir: string): Promise<void> {
  const database = connect(databaseAddress(settingsForTests({ SVC_CONFIG_DIR: configDir })));
  try {
    await database.pool.query(
      `insert into libraries (name, root_path) select 'Library ' || n, '/nowhere/' || n from generate_series(1, 3) n`,
    );
    await database.pool.query(
      `insert into folders (library_id, rel_path, path) select id, 'a', replace(id::text, '-', '')::ltree from libraries`,
    );
    await database.pool.query(
      `insert into items (library_id, folder_id, filename, extension, size, mtime_ns, tags, title, metadata)
       select f.library_id, f.id, 'picture ' || n || '.jpg', 'jpg', n, 1700000000000000000 + n::bigint * 1000000000,
         array['tag ' || n % 50], case when n % 10 = 0 then 'harbour ' || n end, jsonb_build_object('n', n)
       from folders f cross join generate_series(1, $1::int) n where f.library_id = (select id from libraries order by name limit 1)`,
      [items],
    );
    await database.pool.query(`insert into principals (username, global_role) select 'person ' || n, 'user' from generate_series(1, 20) n`);
    await database.pool.query(
      `insert into grants (principal_id, library_id, rel_path, action, effect)
       select p.id, l.id, 'a', 'search_metadata', 'allow' from principals p cross join libraries l where p.global_role = 'user'`,
    );
  } finally {
    await database.close();
  }
}

test('a drill: destroy everything, restore the downloaded file; every row is equal, search is equal, people sign in', async () => {
  const configDir = path.join(place.folder, 'before');
  const first = await start(configDir);
  await fetch(`${first.url}/api/v1/auth/bootstrap`, { method: 'POST', headers: json, body: JSON.stringify(ada) });
  await fill(configDir);
  const headers = await signIn(first);
  await until(async () => (await search(first, headers, 'picture'))[0] === items, 'every item to be searchable', 300_000);
  const expected = [await search(first, headers, 'harbour'), await search(first, headers, 'tag%3A%22tag 7%22')];
  const begun = await fetch(`${first.url}/api/v1/system/backup`, { method: 'POST', headers });
  expect(begun.status).toBe(202);
  const list = async () =>
    (await (await fetch(`${first.url}/api/v1/system/backups`, { headers })).json()) as { bundles: { name: string }[]; dir: string };
  const name = await until(async () => (await list()).bundles[0]?.name, 'the backup', 300_000);
  const original = openBundle(path.join((await list()).dir, name)).manifest;
  expect(original.item_count).toBe(items);
  const file = path.join(place.folder, 'downloaded.tar');
  const download = await fetch(`${first.url}/api/v1/system/backups/${name}`, { headers });
  writeFileSync(file, Buffer.from(await download.arrayBuffer()));
  expect((await runCommand(['restore', file, '--yes'], { SVC_CONFIG_DIR: configDir })).output).toContain('already running');
  await stopService(first);
  rmSync(configDir, { recursive: true });

  const target = path.join(place.folder, 'after');
  mkdirSync(target);
  const env = { SVC_CONFIG_DIR: target };
  const asked = await runCommand(['restore', file], env);
  expect([asked.code, asked.output]).toEqual([
    2,
    expect.stringMatching(new RegExp(`${items} items[^]*Fill the empty database[^]*Nothing was changed`)),
  ]);
  const restored = await runCommand(['restore', file, '--yes'], env);
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('All checks passed.')]);
  const made = await runCommand(['backup'], env);
  const again = openBundle(made.output.split('\n').find((line) => line.startsWith(target))!).manifest;
  // These change while the service runs; everything a person entered or a scan found is compared.
  const changing = ['jobs', 'workers', 'service_state', 'app_logs', 'cron_schedules', 'index_outbox'];
  const rows = ({ tables }: typeof original) =>
    tables.filter(({ table }) => !changing.includes(table)).map(({ table, rows: count, rows_sha256 }) => [table, count, rows_sha256]);
  expect(rows(again)).toEqual(rows(original));

  const second = await start(target);
  const after = await signIn(second);
  expect([await search(second, after, 'harbour'), await search(second, after, 'tag%3A%22tag 7%22')]).toEqual(expected);
  await stopService(second);
  expect((await runCommand(['check'], env)).code).toBe(0);
}, 900_000);
