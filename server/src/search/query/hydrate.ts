import type { Hit } from '@catalog/engine';
import type { Visibility } from '../../people/access/index.ts';
import type { Principal } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { cutSnippet, markMatches } from './highlight.ts';

interface HitRow {
  id: string;
  library_id: string;
  rel_path: string;
  filename: string;
  extension: string | null;
  file_category: string;
  file_group: string;
  status: string;
  size: number;
  mtime: number;
  title: string | null;
  year: number | null;
  tags: string[];
  duration: number | null;
  width: number | null;
  height: number | null;
  pages: number | null;
  has_error: boolean;
  has_thumb: boolean;
  thumb_version: string | null;
  sidecar_of: string | null;
  deleted_at: Date | null;
  latitude: number | null;
  longitude: number | null;
  text: string | null;
  /** How often times how lately the caller opened it. */
  interest: number | null;
}

/** A snippet is looked for in so many characters: fifty whole books are not carried for one page of hits. */
const longestText = 300_000;
const contentNames = new Set(['body_text', 'ocr_text', 'archive_members', 'notes']);
const nobody = '00000000-0000-0000-0000-000000000000';

const number = (key: string) => `case when jsonb_typeof(i.metadata -> '${key}') = 'number' then (i.metadata ->> '${key}')::float8 end`;
const gps = (key: string) =>
  `case when l.expose_gps and jsonb_typeof(i.metadata -> 'exif' -> '${key}') = 'number' then (i.metadata -> 'exif' ->> '${key}')::float8 end`;

/** Asked by every search, so it is planned once a connection: always the same text, and rights are judged on its rows. */
const rowsOfHits = `select i.id, i.library_id, i.rel_path, i.filename, i.extension, i.file_category, i.file_group, i.status, i.size,
    (i.mtime_ns / 1000000000)::float8 as mtime, coalesce(i.user_title, i.title) as title, coalesce(i.user_year, i.year) as year, i.tags,
    ${number('duration')} as duration, ${number('width')} as width, ${number('height')} as height, ${number('pages')} as pages,
    i.metadata ? '_extract_error' as has_error, i.thumb_key is not null as has_thumb, left(i.thumb_key, 16) as thumb_version, i.sidecar_of, i.deleted_at,
    ${gps('gps_latitude')} as latitude, ${gps('gps_longitude')} as longitude,
    case when i.id = any($2::uuid[]) then left(concat_ws(E'\n', i.body_text, i.metadata ->> 'ocr_text', i.archive_members), ${longestText}) end as text,
    (select t.count * case when t.last_at > now() - interval '1 hour' then 4 when t.last_at > now() - interval '1 day' then 2
        when t.last_at > now() - interval '7 days' then 0.5 else 0.25 end::float8
      from item_touches t where t.subject = $3 and t.item_id = i.id and t.last_at > now() - interval '90 days') as interest
  from items i join libraries l on l.id = i.library_id where i.id = any($1::uuid[])`;

/** The rows behind the hits, as the database has them now and only those this caller may see, in the order of the hits. */
export async function hydrate({ database }: Pick<Parts, 'database'>, hits: readonly Hit[], visibility: Visibility, caller?: Principal) {
  if (hits.length === 0) return [];
  const withText = hits.filter((hit) => Object.keys(hit.matchedTerms ?? {}).some((field) => contentNames.has(field))).map((hit) => hit.id);
  const { rows } = await database.pool.query<HitRow>({
    name: 'rows-of-hits',
    text: rowsOfHits,
    values: [hits.map((hit) => hit.id), withText, caller ? (caller.id ?? nobody) : null],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hits.flatMap((hit) => {
    const row = byId.get(hit.id);
    if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_metadata')) return [];
    return [present(hit, row, visibility.allows(row.library_id, row.rel_path, 'search_content'))];
  });
}

function present(hit: Hit, row: HitRow, mayReadContent: boolean) {
  const { deleted_at, latitude, longitude, text, ...plain } = row;
  const terms = (field: string): string[] => hit.matchedTerms?.[field] ?? [];
  const inContent = [...contentNames].flatMap(terms);
  return {
    ...plain,
    missing_since: row.status === 'active' ? null : (deleted_at?.toISOString() ?? null),
    _geo: latitude === null || longitude === null ? null : { lat: latitude, lng: longitude },
    distance_m: hit.distance ?? null,
    score: hit.score,
    snippet: text && mayReadContent && inContent.length > 0 ? cutSnippet(text, inContent) : null,
    highlight: {
      title: row.title === null ? null : markMatches(row.title, terms('title')),
      filename: markMatches(row.filename, terms('filename')),
      path: terms('path').length > 0 ? markMatches(row.rel_path, terms('path')) : null,
    },
  };
}
