import { type ChildProcess, fork } from 'node:child_process';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, newApiKey } from '../server/src/people/identity/tokens.ts';
import { connect, type Database, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { mallocEnv } from '../server/src/platform/processes/index.ts';
import { allDocuments } from '../server/src/search/documents/index.ts';
import { openSearchWriter } from '../server/src/search/engines/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { createAsk, createCallers, together } from './api/callers.ts';
import { visibleAfter } from './api/changes.ts';
import { loadItems } from './api/load.ts';
import { askPostgres, prepareWords, sumFolders } from './api/postgres.ts';
import { freshWords } from './api/questions.ts';
import type { Bench, Row } from './row.ts';
import { makeQuestions } from './search/questions.ts';
import { type Spread, timeEach } from './search/timing.ts';

/** Callers at once, how often each asks, and how often each asks PostgreSQL, which takes far longer. */
const callers = 50;
const turns = 8;
const peerTurns = 1;
/** Turns before the first that counts: what is compiled while the service runs is compiled after a few seconds of work. */
const warmUp = 5;

/** A million items through HTTP with the embedded engine, beside PostgreSQL answering the same questions without HTTP. */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  const database = connect({ host: server.host, port: server.port, user: server.user, database: server.database });
  let child: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    const libraries = await loadItems(database.db, size);
    const settings = settingsForTests({ SVC_CONFIG_DIR: folder });
    const rebuilt = await rebuildRate(database, settings, size);
    child = fork(new URL('api/app-process.ts', import.meta.url), [JSON.stringify(database.address), folder], {
      env: { ...mallocEnv, ...process.env },
    });
    const { url } = await heard<{ url: string }>(child);
    const key = await makeKey(database, null);
    const admin = createAsk(url, key);
    const many = createCallers(url, key);
    const questions = makeQuestions(size);
    const line = (text: string, more = '') => `/search?q=${encodeURIComponent(`${text} `)}${more}`;
    const faceted = questions['filter + 4 facets'].slice(0, 100).map(({ text }) => line(text));
    const typed = questions.prefix.slice(0, 100).map(({ text }) => `/search?q=${encodeURIComponent(text)}&facets=false&limit=20`);

    const words = questions['filter + 4 facets'].slice(0, 100).map(({ text }) => text);
    const fresh = freshWords(size, callers * ((1 + warmUp) * turns + peerTurns), new Set(words));
    const unseen = fresh.slice(0, callers * turns).map((word) => line(word));
    const before = fresh.slice(-callers * turns * warmUp).map((word) => line(word));

    const start = performance.now();
    await prepareWords(database.db);
    const peerBuild = Math.round((size / (performance.now() - start)) * 1000);
    const rows: Row[] = [
      { ...rebuilt, peer: `${peerBuild} docs/s PostgreSQL (one vector and its GIN index)`, ratio: round(rebuilt.value / peerBuild) },
    ];
    const withFacets = (text: string): Promise<number> => askPostgres(database.db, text, { facets: true });
    const peerFacets = await timeEach(words.slice(0, 60), withFacets, 15_000);
    const peerTogether = await together(callers, peerTurns, fresh.slice(callers * turns, callers * (turns + peerTurns)), withFacets);
    const peerPrefix = await timeEach(
      questions.prefix.slice(0, 60),
      ({ text }) => askPostgres(database.db, text, { prefix: true }),
      15_000,
    );
    const one = await timeEach(faceted, admin);
    rows.push(row('search with facets, one caller, p95', one, 40, peerFacets));
    // A service that has run for a while.
    await together(callers, turns * warmUp, before, many);
    rows.push(
      row('search with facets, 50 callers, every question new, p95', await together(callers, turns, unseen, many), 150, peerTogether),
    );
    rows.push(
      row('search with facets, 50 callers, the same questions again, p95', await together(callers, turns, unseen, many), 150, null),
    );
    many.close();
    rows.push(row('as-you-type prefix, p95', await timeEach(typed, admin), 25, peerPrefix));
    const tops = Array.from({ length: 12 }, () => [...libraries.values()]).flat();
    const peerTops = await timeEach(tops, (library) => sumFolders(database.db, library), 15_000);
    rows.push(
      row(
        'the top folders of a library and all they hold, p95',
        await timeEach(
          tops.map((library) => `/libraries/${library}/tree?limit=200`),
          admin,
        ),
        40,
        peerTops,
      ),
    );
    const scoped = createAsk(url, await makeKey(database, [...libraries.values()]));
    const narrow = await timeEach(faceted, scoped);
    const times = narrow.p95 / one.p95;
    rows.push({
      ...row('scoped person with 100 grants, p95', narrow, null, null),
      peer: `${round(one.p95)} ms as administrator`,
      ratio: round(times),
      limit: 'at most 1.5 × an administrator',
      ok: times <= 1.5,
    });
    rows.push(await visibleAfter(database, settings, admin));
    rows.push(await ownMemory(child, folder, [...faceted, ...typed]));
    return { rows, notes: [`${size.toLocaleString('en')} items; PostgreSQL answers in this process without HTTP`] };
  } finally {
    child?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`The app ended with code ${code}.`)));
  });
}

async function rebuildRate({ db }: Database, settings: ReturnType<typeof settingsForTests>, size: number): Promise<Row> {
  const writer = openSearchWriter(settings);
  const start = performance.now();
  await writer.rebuild(allDocuments(db, 2000));
  const rate = (size / (performance.now() - start)) * 1000;
  await writer.close();
  return {
    name: 'full rebuild from the database',
    value: Math.round(rate),
    unit: 'docs/s',
    peer: '',
    ratio: null,
    limit: 'at least 15,000 docs/s',
    ok: rate >= 15_000,
  };
}

/** What the app holds beyond the engine: its resident memory less what a process needs that holds the same index and answers the same words. */
async function ownMemory(app: ChildProcess, folder: string, questions: readonly string[]): Promise<Row> {
  const whole = heard<{ rss: number }>(app);
  app.send('memory');
  const { rss } = await whole;
  const words = questions.map((question) => new URLSearchParams(question.split('?')[1]).get('q') ?? '');
  const alone = fork(new URL('api/engine-process.ts', import.meta.url), [join(folder, 'index', 'items'), JSON.stringify(words)], {
    env: { ...mallocEnv, ...process.env },
  });
  const { bytes } = await heard<{ bytes: number }>(alone);
  const own = Math.round((rss - bytes) / 2 ** 20);
  return {
    name: 'app memory beside the engine',
    value: own,
    unit: 'MiB',
    peer: '',
    ratio: null,
    limit: 'at most 300 MiB',
    ok: own <= 300,
    detail: `resident ${Math.round(rss / 2 ** 20)} MiB, of which the engine alone ${Math.round(bytes / 2 ** 20)} MiB`,
  };
}

/** A service account, or a person with 100 grants over these libraries. */
async function makeKey({ db }: Database, libraries: string[] | null): Promise<string> {
  const { key, prefix } = newApiKey();
  if (libraries === null) {
    await sql`with made as (insert into service_accounts (name) values ('bench') returning id)
      insert into api_keys (name, prefix, key_hash, scopes, service_account_id) select 'bench', ${prefix}, ${digestOf(key)}, '{read}', id from made`.execute(
      db,
    );
    return key;
  }
  await sql`with person as (insert into principals (username, global_role) values ('scoped', 'user') returning id),
    places as (select library_id, rel_path from folders where library_id = any(${libraries}::uuid[]) and rel_path not like '%/%/%/%' order by md5(rel_path || library_id::text) limit 50),
    granted as (insert into grants (principal_id, library_id, rel_path, action, effect) select p.id, f.library_id, f.rel_path, a.action, 'allow' from person p, places f, (values ('search_metadata'), ('search_content')) a (action))
    insert into api_keys (name, prefix, key_hash, scopes, principal_id) select 'bench', ${prefix}, ${digestOf(key)}, '{read}', id from person`.execute(
    db,
  );
  return key;
}

function row(name: string, own: Spread, limit: number | null, peer: Spread | null): Row {
  return {
    name,
    value: round(own.p95),
    unit: 'ms',
    peer: peer ? `${round(peer.p95)} ms PostgreSQL` : '',
    ratio: peer ? round(own.p95 / peer.p95) : null,
    limit: limit === null ? '' : `at most ${limit} ms`,
    ok: limit === null || own.p95 <= limit,
    detail: `p50 ${round(own.p50)} ms, ${own.count} questions`,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

export default bench;
