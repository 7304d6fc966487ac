/** Stores what agents have read from their files, in sets and in the transaction of the caller. */

import { sql } from 'kysely';
import { itemsAt } from '../../catalog/paths/index.ts';
import type { ReportedFacts } from '../../catalog/scan/index.ts';
import { mergeSidecar } from '../../catalog/sidecars/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { factsBesideBytes, factsOfBytes, provenanceOf } from './facts.ts';

/** Facts by the path of their file; null removes what was read from earlier bytes. */
type ReportedByPath = ReadonlyMap<string, ReportedFacts | null>;

interface Row {
  id: string;
  rel_path: string;
  extension: string | null;
  bytes: string;
  metadata: Record<string, unknown>;
  had: boolean;
}

export async function writeReported(tx: Db, settings: Settings, libraryId: string, reported: ReportedByPath): Promise<number> {
  if (reported.size === 0) return 0;
  const { rows } = await sql<Row>`select i.id, i.rel_path, i.extension, i.metadata, i.extracted_key is not null as had,
      coalesce(i.content_hash, coalesce(i.quick_hash, 'unhashed') || '-' || i.size || '-' || i.mtime_ns) as bytes
    from ${itemsAt(libraryId, [...reported.keys()])} where i.status <> 'trashed' order by i.id for update of i`.execute(tx);
  const written = rows.map((row) => resultOf(row, reported.get(row.rel_path) ?? null, settings));
  if (written.length === 0) return 0;
  await sql`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
        as g (id uuid, metadata jsonb, title text, year integer, body_text text, archive_members text, extracted_key text)),
    updated as (
      update items i set metadata = g.metadata, title = g.title, year = g.year, body_text = g.body_text, archive_members = g.archive_members,
        extracted_key = g.extracted_key, thumb_key = case when i.extracted_key is not distinct from g.extracted_key then i.thumb_key end
      from given g where i.id = g.id
      returning i.id, old.extracted_key is not null as had, old.metadata as before, new.metadata as after)
    -- The first extraction belongs to the creation of the item and is not history.
    insert into item_history (item_id, source, actor, before, after)
    select id, 'extractor', 'extractor', jsonb_build_object('metadata', before), jsonb_build_object('metadata', after)
    from updated where had and before <> after`.execute(tx);
  return written.length;
}

/**
 * The key names the reader like one of the service, so that outdated extractions are found the same way. Its prefix keeps the facts apart
 * from those that the service has read itself: they are never copied to a file here, because an agent can send what it wants.
 */
function resultOf(row: Row, facts: ReportedFacts | null, settings: Settings) {
  const beside = factsBesideBytes(row.metadata);
  if (facts === null)
    return {
      id: row.id,
      metadata: beside,
      ...mergeSidecar({ title: null, year: null }, beside, settings.sidecarMetadataPriority),
      body_text: null,
      archive_members: null,
      extracted_key: null,
    };
  const metadata = { ...factsOfBytes(facts.metadata), ...beside, ...provenanceOf(facts.metadata) };
  return {
    id: row.id,
    metadata,
    ...mergeSidecar(facts, metadata, settings.sidecarMetadataPriority),
    body_text: facts.bodyText,
    archive_members: facts.archiveMembers,
    extracted_key: `agent-${row.bytes}:${facts.extractor}:${row.extension ?? ''}`,
  };
}
