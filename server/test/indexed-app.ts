import { sql } from 'kysely';
import { passageOutboxDepth } from '../src/content/passages/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import { openPassageWriter, openSearchWriter } from '../src/search/engines/index.ts';
import { createPassageProjector } from '../src/search/passages/index.ts';
import { createProjector, outboxDepth } from '../src/search/projection/index.ts';
import { createTestApp, type TestApp } from './app.ts';
import { until } from './service.ts';

interface SampleItem {
  path: string;
  size?: number;
  /** Seconds since 1970. */
  mtime?: number;
  tags?: string[];
  body?: string;
  members?: string;
  metadata?: Record<string, unknown>;
  status?: string;
  category?: string;
  group?: string;
  title?: string;
  year?: number;
  contentHash?: string;
  sidecarOf?: string;
  userMetadata?: Record<string, unknown>;
}

export interface IndexedApp extends TestApp {
  addLibrary(name: string, options?: { exposeGps?: boolean; passages?: boolean }): Promise<string>;
  /** Returns the ids in the order of the items. */
  addItems(libraryId: string, items: SampleItem[]): Promise<string[]>;
  /** Resolves when all changes so far are searchable. */
  waitForIndex(): Promise<void>;
  /** Resolves when all changes so far are in both indexes. */
  waitForPassages(): Promise<void>;
}

/** The app with a running projector. Items are inserted directly into the database, so that search can be tested without a scan. */
export async function createIndexedApp(env: Record<string, string> = {}, given?: Database): Promise<IndexedApp> {
  const test = await createTestApp(env, given);
  const { db } = test.deps;
  const projector = createProjector(test.deps, openSearchWriter(test.deps.settings));
  projector.start();
  const passages = createPassageProjector(test.deps, openPassageWriter(test.deps.settings));
  passages.start();
  return {
    ...test,
    async addLibrary(name, { exposeGps = false, passages = false } = {}) {
      const { rows } = await sql<{
        id: string;
      }>`insert into libraries (name, root_path, expose_gps, chunking_enabled) values (${name}, ${`/media/${name}`}, ${exposeGps}, ${passages}) returning id`.execute(
        db,
      );
      return rows[0]!.id;
    },
    async addItems(libraryId, items) {
      const ids: string[] = [];
      for (const item of items) {
        const folder = item.path.split('/').slice(0, -1).join('/');
        const filename = item.path.split('/').at(-1)!;
        const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? null;
        const made = await sql<{
          id: number;
        }>`insert into folders (library_id, rel_path, path) values (${libraryId}, ${folder}, 'x') on conflict (library_id, rel_path) do update set rel_path = excluded.rel_path returning id`.execute(
          db,
        );
        const { rows } = await sql<{
          id: string;
        }>`insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, size, mtime_ns, tags, body_text, archive_members, metadata, title, year, content_hash, quick_hash, sidecar_of, user_metadata)
          values (${libraryId}, ${made.rows[0]!.id}, ${filename}, ${extension}, ${item.category ?? 'document'}, ${item.group ?? 'pdf'}, ${item.status ?? 'active'}, ${item.size ?? 1000},
            ${String(BigInt(item.mtime ?? 1_700_000_000) * 1_000_000_000n)}::bigint, ${item.tags ?? []}, ${item.body ?? null}, ${item.members ?? null}, ${JSON.stringify(item.metadata ?? {})}::jsonb, ${item.title ?? null},
            ${item.year ?? null}, ${item.contentHash ?? null}, null, ${item.sidecarOf ?? null}, ${JSON.stringify(item.userMetadata ?? {})}::jsonb) returning id`.execute(
          db,
        );
        ids.push(rows[0]!.id);
      }
      return ids;
    },
    async waitForIndex() {
      await until(async () => (await outboxDepth(db)) === 0, 'the outbox to be drained');
      const { rows } = await sql<{ total: number }>`select count(*) as total from items`.execute(db);
      await until(
        async () => (await test.request('GET', '/search?status=any&include_sidecars=true&facets=false')).json().total === rows[0]!.total,
        'the index to hold every item',
      );
    },
    async waitForPassages() {
      await until(async () => (await outboxDepth(db)) === 0, 'the outbox to be drained');
      await until(async () => (await passageOutboxDepth(db)) === 0, 'the passages to be indexed');
    },
    async close() {
      await projector.stop();
      await passages.stop();
      await test.close();
    },
  };
}
