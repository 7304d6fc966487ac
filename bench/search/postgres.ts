import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../server/src/platform/database/embedded.ts';
import { recordBatches } from './corpus.ts';
import type { Figures, Task } from './figures.ts';
import { type ClassName, makeQuestions, type Question } from './questions.ts';
import { timeEach } from './timing.ts';

/** PostgreSQL: tsvector with GIN for words and prefixes, pg_trgm for typos and infixes. */
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
];

const split = (text: string) =>
  (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).join(' ');
const every = (text: string) => text.split(' ').join(' & ');

export async function runPostgres({ size, directory }: Task): Promise<Figures> {
  const server = await startEmbedded({ folder: join(directory, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  try {
    return await measure(server, size);
  } finally {
    await server.stop();
  }
}

async function measure(server: { host: string; port: number; user: string; database: string }, size: number): Promise<Figures> {
  const client = new pg.Client({ host: server.host, port: server.port, user: server.user, database: server.database });
  await client.connect();
  await client.query('create extension if not exists pg_trgm');
  await client.query(table);
  let writing = 0;
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    writing += performance.now() - start;
  };
  for (const records of recordBatches(size)) {
    const rows = JSON.stringify(records.map((one) => ({ ...one, split: split(one.name), splitFolder: split(one.folder) })));
    await timed(() => client.query(load, [rows]));
  }
  for (const statement of indexes) await timed(() => client.query(statement));
  const figures: Figures = { classes: {}, docsPerSecond: (size / writing) * 1000 };

  const top = "select id from d where nv @@ to_tsquery('simple', $1) order by ts_rank(nv, to_tsquery('simple', $1)) desc limit 20";
  const search = async (match: string) => {
    await client.query({ name: 'top', text: top, values: [match] });
    const counted = await client.query({
      name: 'count',
      text: "select count(*)::int as c from d where nv @@ to_tsquery('simple', $1)",
      values: [match],
    });
    return counted.rows[0].c as number;
  };
  const asks: Partial<Record<ClassName, (question: Question) => Promise<number>>> = {
    'one word': ({ text }) => search(text),
    'two words': ({ text }) => search(every(text)),
    prefix: ({ text }) => search(`${every(text)}:*`),
    'one typo': async ({ text }) => {
      const near = await client.query('select term from vocabulary where term % $1 order by similarity(term, $1) desc limit 20', [text]);
      return near.rows.length === 0 ? 0 : search(near.rows.map(({ term }) => `'${term}'`).join(' | '));
    },
    'filter + 4 facets': async ({ text }) => {
      const counts = `with h as materialized (select lib, cat, grp from d where nv @@ to_tsquery('simple', $1) and status = 'active')
        select lib, cat, grp, count(*) from h group by grouping sets ((lib), (cat), (grp))`;
      await client.query(counts, [`${every(text)}:*`]);
      return search(`${every(text)}:*`);
    },
    'browse + 60 values': async () => {
      const counts = "select lib, cat, grp, count(*) from d where status = 'active' group by grouping sets ((lib), (cat), (grp))";
      return (await client.query(counts)).rows.length;
    },
    'sort + filter': async ({ category, library }) => {
      const sorted = "select id from d where cat = $1 and lib = $2 and status = 'active' order by mtime desc limit 20";
      return (await client.query({ name: 'sort', text: sorted, values: [category, library] })).rows.length;
    },
    infix: async ({ text }) => {
      await client.query({ name: 'infix', text: 'select id from d where name ilike $1 limit 20', values: [`%${text}%`] });
      const counted = await client.query({
        name: 'infixes',
        text: 'select count(*)::int as c from d where name ilike $1',
        values: [`%${text}%`],
      });
      return counted.rows[0].c as number;
    },
  };
  const questions = makeQuestions(size);
  for (const [name, ask] of Object.entries(asks))
    figures.classes[name as ClassName] = await timeEach(questions[name as ClassName], ask, 15_000);
  await client.end();
  return figures;
}
