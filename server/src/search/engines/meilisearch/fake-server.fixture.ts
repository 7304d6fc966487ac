import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { distance, parseFilterText, type Row, valuesOf } from './filter-parser.fixture.ts';

/**
 * Implements the part of the Meilisearch protocol that the adapter uses, with a naive evaluator: documents in a map, words by prefix.
 * Like the real server it rejects filters and sorts on attributes that the settings do not list, and missing indexes.
 */
export interface FakeServer {
  url: string;
  /** Returns this response to every request, until set to null. */
  misbehave(answer: { status: number; body: string } | null): void;
  /** Tasks stay queued while this is set. */
  stall(on: boolean): void;
  /** How often unfinished tasks were asked for while tasks stayed queued. */
  waiting(): number;
  /** The next document task fails. */
  failNextWrite(): void;
  /** The next swap of two indexes fails. */
  failNextSwap(): void;
  indexes(): string[];
  age(uid: string, createdAt: string): void;
  wipe(): void;
  close(): Promise<void>;
}

interface Index {
  createdAt: string;
  settings: {
    filterableAttributes?: string[];
    sortableAttributes?: string[];
    searchableAttributes?: string[];
    dictionary?: string[];
    faceting?: { maxValuesPerFacet?: number };
  };
  rows: Map<string, Row>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export async function startFakeServer(): Promise<FakeServer> {
  const held = new Map<string, Index>();
  const tasks: { status: string; error: { message: string; code: string } | null }[] = [];
  let odd: { status: number; body: string } | null = null;
  let stalled = false;
  let failing: 'documents' | 'swap' | null = null;
  let waiting = 0;

  const task = (work: () => void, type = 'work') => {
    const taskUid = tasks.length;
    let error: { message: string; code: string } | null = null;
    if (failing === type) {
      failing = null;
      error = { message: 'disk full', code: 'no_space_left_on_device' };
    } else work();
    tasks.push({ status: error ? 'failed' : 'succeeded', error });
    return { taskUid, indexUid: null, status: 'enqueued', type: 'x', enqueuedAt: new Date().toISOString() };
  };
  const at = (uid: string): Index => {
    const index = held.get(uid);
    if (!index) throw new Refusal(404, 'index_not_found');
    return index;
  };
  const fresh = (): Index => ({ createdAt: new Date().toISOString(), settings: {}, rows: new Map() });

  function answer(method: string, url: URL, body: unknown): unknown {
    const [, root, uid = '', part, more] = url.pathname.split('/');
    if (root === 'tasks' && !uid) {
      if (stalled) waiting += 1;
      return { results: stalled ? [{ uid: tasks.length - 1, status: 'enqueued' }] : [], limit: 1, from: null, next: null, total: 0 };
    }
    if (root === 'tasks') return { uid: Number(uid), ...tasks[Number(uid)], ...(stalled ? { status: 'enqueued' } : {}) };
    if (root === 'stats') return { databaseSize: 1000, usedDatabaseSize: 500, lastUpdate: null, indexes: {} };
    if (root === 'multi-search')
      return {
        results: (body as { queries: (SearchBody & { indexUid: string })[] }).queries.map((query) => ({
          indexUid: query.indexUid,
          ...search(at(query.indexUid), query),
        })),
      };
    if (root === 'swap-indexes')
      return task(() => {
        for (const { indexes } of body as { indexes: [string, string] }[]) {
          const [one, two] = [at(indexes[0]), at(indexes[1])];
          held.set(indexes[0], two);
          held.set(indexes[1], one);
        }
      }, 'swap');
    if (root !== 'indexes') throw new Refusal(404, 'not_found');
    if (!uid && method === 'GET')
      return {
        results: [...held].map(([name, { createdAt }]) => ({ uid: name, primaryKey: 'id', createdAt, updatedAt: createdAt })),
        offset: 0,
        limit: 1000,
        total: held.size,
      };
    if (!uid) return task(() => held.set((body as { uid: string }).uid, fresh()));
    if (!part && method === 'GET') return { uid, primaryKey: 'id', createdAt: at(uid).createdAt, updatedAt: at(uid).createdAt };
    if (!part && method === 'DELETE') return task(() => held.delete(uid));
    if (part === 'settings' && method === 'GET') return at(uid).settings;
    if (part === 'settings') return task(() => Object.assign(at(uid).settings, body));
    if (part === 'stats') return { numberOfDocuments: at(uid).rows.size, isIndexing: false, fieldDistribution: {} };
    if (part === 'compact') return task(() => at(uid));
    if (part === 'documents' && (more === 'delete-batch' || more === 'delete'))
      return task(() => {
        for (const id of body as string[]) at(uid).rows.delete(id);
      }, 'documents');
    if (part === 'documents' && (more === 'fetch' || method === 'GET'))
      return fetchDocuments(at(uid), (body ?? Object.fromEntries(url.searchParams)) as FetchBody);
    if (part === 'documents')
      return task(() => {
        if (!held.has(uid)) held.set(uid, fresh());
        for (const row of body as Row[]) at(uid).rows.set(String(row['id']), row);
      }, 'documents');
    if (part === 'search') return search(at(uid), body as SearchBody);
    if (part === 'facet-search') {
      const { facetName, facetQuery, filter } = body as { facetName: string; facetQuery: string } & Pick<SearchBody, 'filter'>;
      const counts = count(matching(at(uid), { q: '', filter }), facetName);
      return {
        facetHits: Object.entries(counts)
          .filter(([value]) => value.toLowerCase().startsWith(facetQuery.toLowerCase()))
          .map(([value, total]) => ({ value, highlighted: value, count: total })),
        facetQuery,
        processingTimeMs: 1,
      };
    }
    throw new Refusal(404, 'not_found');
  }

  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (odd) {
        response.writeHead(odd.status, { 'content-type': 'application/json' }).end(odd.body);
        return;
      }
      try {
        const result = answer(request.method ?? 'GET', new URL(request.url ?? '/', 'http://double'), body);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
      } catch (error) {
        const { status, code } = error instanceof Refusal ? error : { status: 400, code: 'invalid_search_filter' };
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message: (error as Error).message, code, type: 'invalid_request', link: '' }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave: (what) => (odd = what),
    stall: (on) => (stalled = on),
    waiting: () => waiting,
    failNextWrite: () => (failing = 'documents'),
    failNextSwap: () => (failing = 'swap'),
    indexes: () => [...held.keys()],
    age: (uid, createdAt) => held.set(uid, { ...fresh(), createdAt }),
    wipe: () => held.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request) text += String(part);
  return text === '' ? undefined : JSON.parse(text);
}

interface FetchBody {
  limit?: number | string;
  offset?: number | string;
  sort?: string[] | string;
}

function fetchDocuments({ rows }: Index, { limit = 20, offset = 0, sort }: FetchBody) {
  const all = [...rows.values()];
  if (sort) all.sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
  return { results: all.slice(Number(offset), Number(offset) + Number(limit)), offset, limit, total: all.length };
}

interface SearchBody {
  q?: string;
  filter?: (string | string[])[] | undefined;
  sort?: string[];
  facets?: string[];
  page?: number;
  hitsPerPage?: number;
  offset?: number;
  limit?: number;
  attributesToSearchOn?: string[];
  attributesToHighlight?: string[];
  highlightPreTag?: string;
  highlightPostTag?: string;
}

function search(index: Index, body: SearchBody) {
  const { filterableAttributes = [], sortableAttributes = [] } = index.settings;
  for (const facet of body.facets ?? []) if (!filterableAttributes.includes(facet)) throw new Refusal(400, 'invalid_search_facets');
  for (const key of body.sort ?? [])
    if (!key.startsWith('_geoPoint') && !sortableAttributes.includes(key.split(':')[0]!)) throw new Refusal(400, 'invalid_search_sort');
  const rows = sorted(matching(index, body), body.sort ?? []);
  const [from, size] =
    body.page === undefined ? [body.offset ?? 0, body.limit ?? 20] : [(body.page - 1) * body.hitsPerPage!, body.hitsPerPage!];
  const most = index.settings.faceting?.maxValuesPerFacet ?? 100;
  const facetDistribution = Object.fromEntries(
    (body.facets ?? []).map((facet) => [facet, Object.fromEntries(Object.entries(count(rows, facet)).slice(0, most))]),
  );
  const numbers = (facet: string): number[] => rows.map((row) => row[facet]).filter((value) => typeof value === 'number');
  return {
    hits: rows.slice(from, from + size).map((row) => ({
      id: row['id'],
      _rankingScore: 0.9,
      _formatted: Object.fromEntries((body.attributesToHighlight ?? []).map((field) => [field, marked(row[field], body)])),
    })),
    ...(body.page === undefined ? { estimatedTotalHits: rows.length } : { totalHits: rows.length }),
    processingTimeMs: 1,
    facetDistribution,
    facetStats: Object.fromEntries(
      (body.facets ?? [])
        .filter((facet) => numbers(facet).length > 0)
        .map((facet) => [facet, { min: Math.min(...numbers(facet)), max: Math.max(...numbers(facet)) }]),
    ),
  };
}

const tokens = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function matching({ rows, settings }: Index, { q = '', filter, attributesToSearchOn }: SearchBody): Row[] {
  const conditions = (filter ?? []).map((each) => [each].flat().map(parseFilterText));
  const holds = (row: Row): boolean => conditions.every((texts) => texts.some((test) => test(row)));
  const excluded = [...q.matchAll(/(?<=^|\s)-(\w+)/g)].map(([, word]) => word!.toLowerCase());
  const wanted = tokens(q.replace(/(?<=^|\s)-\w+/g, ''));
  const fields = attributesToSearchOn ?? settings.searchableAttributes ?? [];
  return [...rows.values()].filter((row) => {
    const there = fields.flatMap((field) => valuesOf(row[field]).flatMap((value) => tokens(String(value))));
    return (
      wanted.every((word) => there.some((token) => token.startsWith(word))) && !excluded.some((word) => there.includes(word)) && holds(row)
    );
  });
}

function sorted(rows: Row[], keys: readonly string[]): Row[] {
  const compare = (a: unknown, b: unknown): number =>
    a === undefined ? 1 : b === undefined ? -1 : (a as number) < (b as number) ? -1 : a === b ? 0 : 1;
  return rows.sort((a, b) => {
    for (const key of keys) {
      const point = /^_geoPoint\((.+), (.+)\):(asc|desc)$/.exec(key);
      const value = (row: Row): unknown => {
        if (!point) return row[key.split(':')[0]!];
        return row['_geo']
          ? distance(row['_geo'] as { lat: number; lng: number }, { lat: Number(point[1]), lng: Number(point[2]) })
          : undefined;
      };
      const [x, y] = [value(a), value(b)];
      const order = x !== undefined && y !== undefined && key.endsWith(':desc') ? -compare(x, y) : compare(x, y);
      if (order !== 0) return order;
    }
    return String(a['id']) < String(b['id']) ? -1 : 1;
  });
}

function count(rows: readonly Row[], facet: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) for (const value of new Set(valuesOf(row[facet]))) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

function marked(value: unknown, { q = '', highlightPreTag = '', highlightPostTag = '' }: SearchBody): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/[\p{L}\p{N}]+/gu, (word) =>
    tokens(q).some((each) => tokens(word).some((token) => token.startsWith(each))) ? highlightPreTag + word + highlightPostTag : word,
  );
}
