import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '../../server/src/platform/database/embedded.ts';
import { recordBatches, splitWords } from './corpus.ts';
import { type Measurements, type MeasureOptions, timeEach } from './measurements.ts';
import { type BenchQuery, makeQueries, type QueryClass } from './queries.ts';

/** PostgreSQL with tsvector and GIN for words and prefixes, and pg_trgm for typos and infixes. */
const table = `create unlogged table d(id int primary key, name text, lib text, cat text, grp text, status text, size bigint, mtime bigint, tags text[], nv tsvector, bv tsvector)`;
const load = `insert into d select (o->>'id')::int, o->>'name', o->>'library', o->>'category', o->>'group', o->>'status', (o->>'size')::bigint, (o->>'mtime')::bigint,
  array(select jsonb_array_elements_text(o->'tags')), setweight(to_tsvector('simple', o->>'split'), 'A') || setweight(to_tsvector('simple', o->>'splitFolder'), 'B'),
  to_tsvector('simple', coalesce(o->>'body', '')) from jsonb_array_elements($1::jsonb) o`;
const indexes = [
  'create index on d using gin(nv)',
  'create index on d using gin(bv)',
  'create index on d using gin(name gin_trgm_ops)',
  'create index on d(cat, lib, mtime)',
  "create table vocabulary as select word as term from ts_stat('select nv from d')",
  'create index on vocabulary using gin(term gin_trgm_ops)',
  'vacuum analyze d',
  'analyze vocabulary',
  'set pg_trgm.similarity_threshold = 0.25',
  // Compiling a query takes longer than these queries do.
  'set jit = off',
  "set work_mem = '256MB'",
  'set random_page_cost = 1.1',
];

const allWords = (text: string) => text.split(' ').join(' & ');

export async function measurePostgres({ size, directory }: MeasureOptions): Promise<Measurements> {
  const server = await startEmbedded({ folder: join(directory, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  try {
    return await measure(server, size);
  } finally {
    await server.stop();
  }
}

async function measure(server: EmbeddedServer, size: number): Promise<Measurements> {
  const client = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
  });
  await client.connect();
  await client.query('create extension if not exists pg_trgm');
  await client.query(table);
  let writeMs = 0;
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    writeMs += performance.now() - start;
  };
  for (const records of recordBatches(size)) {
    const rows = JSON.stringify(
      records.map((record) => ({ ...record, split: splitWords(record.name), splitFolder: splitWords(record.folder) })),
    );
    await timed(() => client.query(load, [rows]));
  }
  for (const statement of indexes) await timed(() => client.query(statement));
  const result: Measurements = { classes: {}, docsPerSecond: (size / writeMs) * 1000 };

  // The matches are found once, for the page and the count.
  const top = `with h as materialized (select id, ts_rank(nv, to_tsquery('simple', $1)) as rank from d where nv @@ to_tsquery('simple', $1))
    select (select count(*)::int from h) as c, array(select id from h order by rank desc limit 20) as ids`;
  const search = async (match: string) => {
    const { rows } = await client.query({ name: 'top', text: top, values: [match] });
    return rows[0].c as number;
  };
  const searches: Partial<Record<QueryClass, (query: BenchQuery) => Promise<number>>> = {
    'one word': ({ text }) => search(text),
    'two words': ({ text }) => search(allWords(text)),
    prefix: ({ text }) => search(`${allWords(text)}:*`),
    'one typo': async ({ text }) => {
      const similar = await client.query({
        name: 'similar',
        text: 'select term from vocabulary where term % $1 order by similarity(term, $1) desc limit 20',
        values: [text],
      });
      return similar.rows.length === 0 ? 0 : search(similar.rows.map(({ term }) => `'${term}'`).join(' | '));
    },
    'filter + 4 facets': async ({ text }) => {
      const counts = `with h as materialized (select lib, cat, grp from d where nv @@ to_tsquery('simple', $1) and status = 'active')
        select lib, cat, grp, count(*) from h group by grouping sets ((lib), (cat), (grp))`;
      await client.query({ name: 'facets', text: counts, values: [`${allWords(text)}:*`] });
      return search(`${allWords(text)}:*`);
    },
    'browse + 60 values': async () => {
      const counts = "select lib, cat, grp, count(*) from d where status = 'active' group by grouping sets ((lib), (cat), (grp))";
      return (await client.query({ name: 'browse', text: counts })).rows.length;
    },
    'sort + filter': async ({ category, library }) => {
      const sorted = "select id from d where cat = $1 and lib = $2 and status = 'active' order by mtime desc limit 20";
      return (await client.query({ name: 'sort', text: sorted, values: [category, library] })).rows.length;
    },
    infix: async ({ text }) => {
      await client.query({ name: 'infix', text: 'select id from d where name ilike $1 limit 20', values: [`%${text}%`] });
      const counted = await client.query({
        name: 'count-infix',
        text: 'select count(*)::int as c from d where name ilike $1',
        values: [`%${text}%`],
      });
      return counted.rows[0].c as number;
    },
  };
  const queries = makeQueries(size);
  for (const [name, run] of Object.entries(searches))
    result.classes[name as QueryClass] = await timeEach(queries[name as QueryClass], run, 15_000);
  await client.end();
  return result;
}
