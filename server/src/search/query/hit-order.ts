import { caseFold, type Hit, type SortKey } from '@catalog/engine';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { sortedFacts, sortedFactsOf } from '../documents/index.ts';

interface OrderRow {
  id: string;
  size: number;
  mtime: number;
  taken: string | null;
  year: number | null;
  duration: number | null;
  pages: number | null;
  width: number | null;
  first_seen: number;
  title: string;
  filename: string;
  path: string;
  /** The facts that sort as text. */
  facts: Record<string, unknown>;
}

/** The index orders texts without case, then by code units. */
function textOrder(text: string | undefined): string | null {
  return text === undefined ? null : `${caseFold(text)}\u0001${text}`;
}

/** The order of the index for hits of different partitions: sort keys, then score, newest first, then id. */
export async function hitComparator(db: Db, hits: readonly Hit[], sort: readonly SortKey[]): Promise<(a: Hit, b: Hit) => number> {
  const { rows } =
    await sql<OrderRow>`select id, size, (mtime_ns / 1000000000)::float8 as mtime, substr(metadata ->> 'taken_at', 1, 19) as taken, coalesce(user_year, year) as year,
      case when jsonb_typeof(metadata -> 'duration') = 'number' then (metadata ->> 'duration')::float8 end as duration,
      case when jsonb_typeof(metadata -> 'pages') = 'number' then (metadata ->> 'pages')::float8 end as pages,
      case when jsonb_typeof(metadata -> 'width') = 'number' then (metadata ->> 'width')::float8 end as width,
      extract(epoch from first_seen)::float8 as first_seen, coalesce(user_title, title, filename) as title, filename, rel_path as path,
      jsonb_build_object('artist', metadata -> 'artist', 'album', metadata -> 'album', 'author', metadata -> 'author', 'email_from', metadata -> 'email_from',
        'camera', metadata -> 'camera', 'lens', metadata -> 'lens', 'language', metadata -> 'language') as facts from items where id = any(${hits.map(({ id }) => id)}::uuid[])`.execute(
      db,
    );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = Date.now() / 1000;
  const newest = (hit: Hit): number => {
    const mtime = byId.get(hit.id)?.mtime ?? 0;
    return mtime > now + 172_800 ? 0 : mtime;
  };
  const value = (key: SortKey, hit: Hit): string | number | null => {
    if ('geo' in key) return hit.distance ?? null;
    const row = byId.get(hit.id);
    if (!row) return null;
    if (key.field === 'mtime_sort') return newest(hit);
    if (key.field === 'title_sort') return textOrder(row.title);
    if (key.field === 'filename_sort') return textOrder(row.filename);
    if (key.field === 'path_sort') return textOrder(row.path);
    const fact = sortedFacts.find((each) => key.field === `${each}_sort`);
    if (fact) return textOrder(sortedFactsOf(row.facts)[fact]);
    return row[key.field as 'size' | 'mtime' | 'first_seen' | 'taken' | 'year' | 'duration' | 'pages' | 'width'];
  };
  return (a, b) => {
    for (const key of sort) {
      const [x, y] = [value(key, a), value(key, b)];
      if (x === y) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y === (key.order === 'asc') ? -1 : 1;
    }
    return b.score - a.score || newest(b) - newest(a) || (a.id < b.id ? -1 : 1);
  };
}
