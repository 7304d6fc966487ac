import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type FileRecord, recordAt, recordBatches, splitWords } from './corpus.ts';
import { createVocabulary, loadColumns } from './fts5-in-memory.ts';
import { cpuSeconds, latencyOf, type Measurements, type MeasureOptions, timeEach } from './measurements.ts';
import { type BenchQuery, makeQueries, type QueryClass } from './queries.ts';

/**
 * SQLite FTS5 with the same capabilities and the same durability as the engine, tuned as well as an expert would:
 *
 *   d     all fields of a record; results, filters and facets in SQL need them (tags and principals as JSON)
 *   n, b  words of names and folders, with short prefixes; words of bodies. Contentless, because the text is in `d`
 *   t     trigrams of names, for infix queries. Built last and not counted in the build that has a limit, because the engine needs no
 *         separate index for infixes
 *   d1 … d6  b-trees for filters, facets and sorts in SQL: category + library + time, library + time, time, and status with library,
 *         category and group. The limit of the build (1.7 times FTS5) was measured with exactly these indexes; keep them
 *
 * Typos are looked up in the vocabulary of `n`, and the fastest facets use columns in memory; both are loaded after the build and not
 * counted in it. Names are split at capital letters like in the engine. The build ends with `optimize`, which merges the b-trees, and a
 * checkpoint, so that everything is on disk as after the engine's commit. Neither system syncs to disk before that.
 */
const tables = `
  create table d(id integer primary key, name text, folder text, lib text, cat text, grp text, status text, size int, mtime int,
    tags text, principals text, lat real, lng real, body text);
  create virtual table n using fts5(name, folder, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2", prefix='2 3');
  create virtual table b using fts5(body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
  create virtual table t using fts5(name, content='', contentless_delete=1, tokenize="trigram");
  create virtual table nv using fts5vocab(n, 'row');`;
const indexes = `create index d1 on d(cat, lib, mtime); create index d2 on d(lib, mtime); create index d3 on d(mtime);
  create index d4 on d(status, lib); create index d5 on d(status, cat); create index d6 on d(status, grp);
  insert into n(n) values('optimize'); insert into b(b) values('optimize'); analyze;
  pragma wal_checkpoint(truncate);`;
const settings =
  'pragma journal_mode=wal; pragma synchronous=normal; pragma cache_size=-262144; pragma mmap_size=8589934592; pragma temp_store=memory';

const quoted = (word: string) => `"${word}"`;
const allWords = (text: string) => text.split(' ').map(quoted).join(' ');
const asPrefix = (text: string) => `${allWords(text)} *`;

export async function measureFts5({ size, directory }: MeasureOptions): Promise<Measurements> {
  const file = join(directory, 'fts5.db');
  const db = new DatabaseSync(file);
  db.exec(settings);
  db.exec(tables);
  const insert = db.prepare('insert or replace into d values(?,?,?,?,?,?,?,?,?,?,?,?,?,?)');
  const insertName = db.prepare('insert into n(rowid, name, folder) values(?,?,?)');
  const insertBody = db.prepare('insert into b(rowid, body) values(?,?)');
  const insertTrigrams = db.prepare('insert into t(rowid, name) values(?,?)');
  const put = (record: FileRecord) => {
    const id = Number(record.id);
    insert.run(
      id,
      record.name,
      record.folder,
      record.library,
      record.category,
      record.group,
      record.status,
      record.size,
      record.mtime,
      JSON.stringify(record.tags),
      JSON.stringify(record.principals),
      record.place?.lat ?? null,
      record.place?.lng ?? null,
      record.body,
    );
    insertName.run(id, splitWords(record.name), splitWords(record.folder));
    if (record.body !== null) insertBody.run(id, record.body);
  };
  let writeMs = 0;
  let cpu = 0;
  const timed = (work: () => void) => {
    const start = performance.now();
    const before = cpuSeconds();
    work();
    writeMs += performance.now() - start;
    cpu += cpuSeconds() - before;
  };
  for (const records of recordBatches(size, 50_000)) {
    timed(() => {
      db.exec('begin');
      for (const record of records) put(record);
      db.exec('commit');
    });
  }
  timed(() => db.exec(indexes));
  const result: Measurements = {
    classes: {},
    docsPerSecond: (size / writeMs) * 1000,
    docsPerCpuSecond: size / cpu,
    diskBytes: statSync(file).size,
  };
  for (const records of recordBatches(size, 50_000)) {
    timed(() => {
      db.exec('begin');
      for (const { id, name } of records) insertTrigrams.run(Number(id), name);
      db.exec('commit');
    });
  }
  timed(() => db.exec("insert into t(t) values('optimize'); pragma wal_checkpoint(truncate)"));
  result.docsPerCpuSecondWithInfix = size / cpu;
  const queries = makeQueries(size);

  const top = db.prepare('select rowid from n where n match ? order by rank limit 20');
  const count = db.prepare('select count(*) as c from n where n match ?');
  const topBody = db.prepare('select rowid from b where b match ? order by rank limit 20');
  const topInfix = db.prepare('select rowid from t where t match ? order by rank limit 20');
  const countInfix = db.prepare('select count(*) as c from t where t match ?');
  const search = (match: string) => {
    top.all(match);
    return (count.get(match) as { c: number }).c;
  };
  const vocabulary = createVocabulary((db.prepare('select term from nv').all() as { term: string }[]).map(({ term }) => term));
  const similarTerms = (text: string) => vocabulary.near(text).slice(0, 50).map(quoted).join(' OR ') || '""';
  const sorted = db.prepare("select id from d where cat=? and lib=? and status='active' order by mtime desc limit 20");
  const facets = ['lib', 'cat', 'grp'].map((field) =>
    db.prepare(`select ${field} k, count(*) c from n join d on d.id=n.rowid where n match ? and d.status='active' group by 1`),
  );
  const searches: Partial<Record<QueryClass, (query: BenchQuery) => number>> = {
    'one word': ({ text }) => search(quoted(text)),
    'two words': ({ text }) => search(allWords(text)),
    prefix: ({ text }) => search(asPrefix(text)),
    'one typo': ({ text }) => search(similarTerms(text)),
    'all fields': ({ text }) => {
      topBody.all(asPrefix(text));
      return search(asPrefix(text));
    },
    'filter + 4 facets': ({ text }) => {
      for (const facet of facets) facet.all(asPrefix(text));
      return search(asPrefix(text));
    },
    infix: ({ text }) => {
      topInfix.all(quoted(text));
      return (countInfix.get(quoted(text)) as { c: number }).c;
    },
    'sort + filter': ({ category, library }) => sorted.all(category, library).length,
  };
  for (const [name, run] of Object.entries(searches)) result.classes[name as QueryClass] = await timeEach(queries[name as QueryClass], run);

  // The fastest variant: FTS5 returns unranked row ids, and facets are counted over typed arrays.
  const columns = loadColumns(size);
  const rowids = db.prepare('select rowid from n where n match ?');
  rowids.setReturnArrays(true);
  const withColumns: Partial<Record<QueryClass, (query: BenchQuery) => number>> = {
    'filter + 4 facets': ({ text }) => columns.count((rowids.all(asPrefix(text)) as unknown as [number][]).map(([id]) => id)),
    'browse + 60 values': () => columns.countAll(false),
    'browse + 300 tags': () => columns.countAll(true),
  };
  const columnResults: NonNullable<Measurements['columns']> = {};
  for (const [name, run] of Object.entries(withColumns))
    columnResults[name as QueryClass] = await timeEach(queries[name as QueryClass], run);
  result.columns = columnResults;

  const removeName = db.prepare('delete from n where rowid=?');
  const removeBody = db.prepare('delete from b where rowid=?');
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const records = Array.from({ length: Math.min(1000, size) }, (_, index) => recordAt((round * 1000 + index) % size));
    const start = performance.now();
    db.exec('begin');
    for (const record of records) {
      removeName.run(Number(record.id));
      removeBody.run(Number(record.id));
      put({ ...record, name: `zzupd${round} ${record.name}` });
    }
    db.exec('commit');
    search(`"zzupd${round}"`);
    rounds.push(performance.now() - start);
  }
  result.upsertMs = latencyOf(rounds).p50;
  db.close();
  return result;
}
