import path from 'node:path';
import { readSidecarFile, type SidecarFacts, type SidecarFormat, sidecarMaxBytes } from '@catalog/readers';
import { diskPath } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import { type Db, storableJson } from '../../platform/database/index.ts';
import '../tables.ts';
import { linkSidecars, parseSidecarName } from './links.ts';

export interface SidecarCounts {
  sidecars: number;
  linked: number;
  nfo_parsed: number;
  jriver_parsed: number;
  parents_updated: number;
}

interface Row {
  id: string;
  folder_id: number;
  filename: string;
  rel_path: string;
  category: string;
  group: string;
  size: number;
  is_link: boolean;
  sidecar_of: string | null;
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  external_ids: Record<string, string>;
}

const foldersAtOnce = 100;

/**
 * Links the sidecars of these folders to the items they describe and stores their facts. Safe to repeat, because it writes only differences.
 * The worker passes a `read` that parses untrusted files in a sandbox; null makes links only, for files that are on another machine.
 */
export async function associateSidecars(
  db: Db,
  libraryId: string,
  folderIds: readonly number[],
  options: { priority: SidecarPriority; read?: ReadSidecar | null },
): Promise<SidecarCounts & Record<string, number>> {
  const counts = { sidecars: 0, linked: 0, nfo_parsed: 0, jriver_parsed: 0, parents_updated: 0 };
  const library = await db.selectFrom('libraries').select('root_path').where('id', '=', libraryId).executeTakeFirstOrThrow();
  for (let at = 0; at < folderIds.length; at += foldersAtOnce) {
    const { rows } = await sql<Row>`
      select id, folder_id, filename, rel_path, file_category as category, file_group as group, size, symlink_target is not null as is_link, sidecar_of,
        case when metadata = '{}' then '{}' else metadata end as metadata, title, year, external_ids
      from items where folder_id = any(${folderIds.slice(at, at + foldersAtOnce)}::bigint[]) and status = 'active' order by filename collate "C"`.execute(
      db,
    );
    for (const folder of Map.groupBy(rows, ({ folder_id }) => folder_id).values())
      await associateFolder(db, library.root_path, folder, { read: readSidecarInProcess, ...options }, counts);
  }
  return counts;
}

async function associateFolder(
  db: Db,
  root: string,
  rows: Row[],
  { priority, read }: { priority: SidecarPriority; read: ReadSidecar | null },
  counts: SidecarCounts,
): Promise<void> {
  const links = linkSidecars(rows.map((row) => ({ ...row, isLink: row.is_link })));
  const factsByItem = new Map<string, SidecarFacts[]>();
  const unknown = new Set<string>();
  for (const row of rows) {
    const target = links.get(row.id) ?? null;
    const name = row.is_link ? null : parseSidecarName(row.filename);
    if (name) counts.sidecars += 1;
    if (target) counts.linked += 1;
    if (target !== row.sidecar_of) await sql`update items set sidecar_of = ${target} where id = ${row.id}`.execute(db);
    if (!read || !target || !name || (name.kind !== 'nfo' && name.kind !== 'player') || row.size > sidecarMaxBytes) continue;
    const facts = await read(root, row.rel_path, name.kind);
    if (facts === 'unreadable') unknown.add(target);
    if (facts === 'unreadable' || facts === null) continue;
    counts[name.kind === 'nfo' ? 'nfo_parsed' : 'jriver_parsed'] += 1;
    factsByItem.set(target, [...(factsByItem.get(target) ?? []), facts]);
  }
  if (!read) return;
  for (const row of rows) {
    // What a sidecar said before holds until it can be read again.
    if (unknown.has(row.id)) continue;
    const facts = factsByItem.get(row.id) ?? [];
    if (facts.length === 0 && !Object.keys(row.metadata).some(isSidecarKey)) continue;
    if (await storeFacts(db, row.id, facts, priority)) counts.parents_updated += 1;
  }
}

/** Merges into the row as it is now, because the file may have been extracted while its sidecar was read. */
function storeFacts(db: Db, id: string, facts: readonly SidecarFacts[], priority: SidecarPriority): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Pick<Row, 'metadata' | 'title' | 'year' | 'external_ids'>>`
      select metadata, title, year, external_ids from items where id = ${id} for update`.execute(tx);
    const [row] = rows;
    if (!row) return false;
    const own = Object.fromEntries(Object.entries(row.metadata).filter(([key]) => !isSidecarKey(key)));
    const extracted = ownOf(row, priority);
    const metadata = keepOwn(extracted, { ...own, ...Object.assign({}, ...facts.map(({ raw }) => raw)) });
    const { title, year } = mergeSidecar(extracted, metadata, priority);
    const externalIds = Object.assign({}, ...facts.map((fact) => fact.externalIds));
    const { numAffectedRows } = await sql`
      update items set metadata = new.metadata, title = new.title, year = new.year, external_ids = new.external_ids
      from (select ${storableJson(metadata)}::jsonb as metadata, ${title}::text as title, ${year}::int as year,
        ${storableJson(externalIds)}::jsonb as external_ids) new
      where id = ${id} and (items.metadata, items.title, items.year, items.external_ids)
        is distinct from (new.metadata, new.title, new.year, new.external_ids)`.execute(tx);
    return (numAffectedRows ?? 0n) > 0n;
  });
}

export type SidecarPriority = 'fill' | 'sidecar';

type OwnFacts = Pick<Row, 'title' | 'year'>;

/** Whether a metadata key comes from a sidecar. */
export const isSidecarKey = (key: string): boolean => key.startsWith('nfo_') || key.startsWith('jr_');

/** A condition: the item has values of a sidecar. */
export const hasSidecarFacts = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from jsonb_object_keys(${sql.ref(`${alias}.metadata`)}) k where k like 'nfo\\_%' or k like 'jr\\_%')`;

/**
 * Returns the title and year that come from the file itself. A value equal to that of the sidecar may come from either, so it counts as the
 * file's own only if its metadata has it.
 */
export function ownOf({ metadata, title, year }: Pick<Row, 'metadata' | 'title' | 'year'>, priority: SidecarPriority): OwnFacts {
  const fromSidecar = mergeSidecar({ title: null, year: null }, metadata, priority);
  return {
    title: title !== null && title === fromSidecar.title ? asText(metadata['title']) : title,
    year: year !== null && year === fromSidecar.year ? asYear(metadata['year']) : year,
  };
}

/** Adds the file's own title and year to its metadata while it has a sidecar, so that they can be restored when the sidecar is removed. */
export function keepOwn(own: OwnFacts, metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Object.keys(metadata).some(isSidecarKey)) return { ...metadata };
  return { ...(own.title !== null && { title: own.title }), ...(own.year !== null && { year: own.year }), ...metadata };
}

/**
 * Title and year of an item with these raw sidecar values. `fill` uses the sidecar only for missing values; `sidecar` prefers it. Call it
 * after reading a sidecar and after an extraction.
 */
export function mergeSidecar(own: OwnFacts, metadata: Record<string, unknown>, priority: SidecarPriority): OwnFacts {
  const sidecar = {
    title: asText(metadata['nfo_title']) ?? asText(metadata['jr_name']),
    year: asYear(metadata['nfo_year']) ?? asYear(metadata['jr_year']),
  };
  if (priority === 'sidecar') return { title: sidecar.title ?? own.title, year: sidecar.year ?? own.year };
  return { title: own.title ?? sidecar.title, year: own.year ?? sidecar.year };
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const asYear = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null);

/** Reads one sidecar. Returns null when it is not what its name says, and `unreadable` when that is not known; never rejects. */
export type ReadSidecar = (root: string, relPath: string, format: SidecarFormat) => Promise<SidecarFacts | null | 'unreadable'>;

/** Reads in the calling process, without a sandbox. */
const readSidecarInProcess: ReadSidecar = async (root, relPath, format) => {
  try {
    return await readSidecarFile(diskPath(path.join(root, relPath)), format);
  } catch {
    // The scan counts such files elsewhere. One that is gone is found by the next scan.
    return 'unreadable';
  }
};
