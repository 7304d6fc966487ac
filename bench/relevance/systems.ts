import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createIndex, openReader, openWriter } from '../../engine/src/index.ts';
import type { Document } from '../../engine/src/types.ts';
import { itemsSchema, plainName } from '../../server/src/search/documents/index.ts';
import { indexText, parseQuery } from '../../server/src/search/language/index.ts';
import { type MeilisearchClient, waitForTask } from '../meilisearch/client.ts';
import { splitWords } from '../search/corpus.ts';
import type { NamedFile } from './corpus.ts';

/** A search system that holds all files. Returns the ids of the first ten hits. */
export interface SearchSystem {
  search(text: string): Promise<number[]>;
  close(): Promise<void>;
}

const limit = 10;
const batchSize = 5000;

function* batches<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** A time that does not follow the order of the paths, because documents of equal rank are ordered by time. */
const mtimeOf = ({ id }: NamedFile) => Math.imul(id, 0x9e3779b1) >>> 0;

/** The fields of a document that come from its path, as in server/src/search/documents/project.ts. */
export function documentOf(file: NamedFile): Document {
  const stem = /^(.+)\.[^.]+$/.exec(file.name)?.[1];
  const plain = plainName(file.name);
  return {
    id: String(file.id),
    filename: file.name,
    path: `${file.folder}/${file.name}`,
    ...(stem === undefined ? {} : { stem }),
    ...(plain === undefined ? {} : { plain_name: plain }),
    mtime_sort: mtimeOf(file),
  };
}

/** The engine with the schema, the query language and the order of GET /search. */
export async function openEngine(files: readonly NamedFile[], folder: string): Promise<SearchSystem> {
  const directory = join(folder, 'engine');
  await createIndex(directory, itemsSchema);
  const writer = await openWriter(directory, itemsSchema);
  for (const some of batches(files, batchSize)) await writer.upsert(some.map(documentOf));
  await writer.commit();
  await writer.close();
  const reader = await openReader(directory);
  return {
    async search(line) {
      const text = indexText(parseQuery(line, { now: new Date(), typing: true }));
      const { hits } = await reader.search({ text, tieBreak: { field: 'mtime_sort', order: 'desc' }, limit });
      return hits.map(({ id }) => Number(id));
    },
    close: () => reader.close(),
  };
}

/** Meilisearch with the same two texts: the name, and the path with the name at its end. All else has its defaults, which are recommended. */
export async function openMeilisearch(files: readonly NamedFile[], call: MeilisearchClient): Promise<SearchSystem> {
  const index = '/indexes/catalog_relevance';
  // Deleting an index that does not exist is a failed task.
  await waitForTask(call, await call('DELETE', index)).catch(() => {});
  await waitForTask(call, await call('POST', '/indexes', { uid: 'catalog_relevance', primaryKey: 'id' }));
  await waitForTask(call, await call('PATCH', `${index}/settings`, { searchableAttributes: ['filename', 'path'] }));
  let last = {};
  for (const some of batches(files, 20_000)) {
    const documents = some.map(({ id, folder, name }) => ({ id, filename: name, path: `${folder}/${name}` }));
    last = await call('POST', `${index}/documents`, documents);
  }
  await waitForTask(call, last);
  return {
    async search(q) {
      const { hits = [] } = await call('POST', `${index}/search`, { q, limit, attributesToRetrieve: ['id'] });
      return hits.map(({ id }) => Number(id));
    },
    close: async () => void (await waitForTask(call, await call('DELETE', index))),
  };
}

/** SQLite FTS5 with the words of name and path, the last word as a prefix, and names weighted ten times as much as paths. */
export async function openFts5(files: readonly NamedFile[], folder: string): Promise<SearchSystem> {
  const db = new DatabaseSync(join(folder, 'fts5.db'));
  db.exec(`pragma journal_mode=off; pragma synchronous=off;
    create virtual table n using fts5(name, path, content='', tokenize="unicode61 remove_diacritics 2", prefix='2 3');`);
  const insert = db.prepare('insert into n(rowid, name, path) values(?,?,?)');
  db.exec('begin');
  for (const { id, folder: parent, name } of files) insert.run(id, splitWords(name), splitWords(parent));
  db.exec("commit; insert into n(n) values('optimize'); insert into n(n, rank) values('rank', 'bm25(10.0, 1.0)')");
  const top = db.prepare(`select rowid as id from n where n match ? order by rank limit ${limit}`);
  return {
    async search(text) {
      const words = splitWords(text).split(' ');
      return (top.all(`${words.map((word) => `"${word}"`).join(' ')} *`) as { id: number }[]).map(({ id }) => id);
    },
    close: async () => db.close(),
  };
}
