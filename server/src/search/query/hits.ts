// biome-ignore-all lint/style/noNonNullAssertion: a packed row always has the columns up to index 17
import type { Hit } from '@catalog/engine';
import { maySeeThumb, shownAs } from '../../catalog/items/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { type Database, readFrom } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import type { ItemFacts } from '../documents/index.ts';
import { cutOpening, cutSnippet, markMatches } from './highlight.ts';

const contentNames = ['body_text', 'ocr_text', 'archive_members', 'notes'] as const;
const none: readonly string[] = [];
/** Stands for the caller in item_touches when authentication is off. */
const openCallerId = '00000000-0000-0000-0000-000000000000';

export type PresentedHit = ReturnType<typeof present>;

interface Hydrated {
  /** The hits that the caller may see, in the order of the index. */
  hits: PresentedHit[];
  /** How often and recently the caller opened each item; empty when no caller was given. */
  interest: ReadonlyMap<string, number>;
}

/** Reads the items of the hits from the database and drops those the caller may not see. `interest` also reads how often the caller opened them. */
export async function hydrate(
  deps: Pick<Dependencies, 'database' | 'replica'>,
  hits: readonly Hit[],
  visibility: Visibility,
  caller: Principal,
  options: { interest?: boolean } = {},
): Promise<Hydrated> {
  const interest = new Map<string, number>();
  if (hits.length === 0) return { hits: [], interest };
  const subject = options.interest ? (caller.id ?? openCallerId) : null;
  const rows = await readFrom(deps, caller, (database) => readRows(database, hits, subject));
  if (deps.replica && rows.size < hits.length) {
    // The index may be ahead of a replica.
    const late = hits.filter(({ id }) => !rows.has(id));
    for (const [id, row] of await readRows(deps.database, late, subject)) rows.set(id, row);
  }
  const shown: PresentedHit[] = [];
  for (const hit of hits) {
    const row = rows.get(hit.id);
    if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_metadata')) continue;
    if (row.interest > 0) interest.set(row.id, row.interest);
    shown.push(present(hit, row, visibility));
  }
  return { hits: shown, interest };
}

async function readRows(database: Database, hits: readonly Hit[], subject: string | null): Promise<Map<string, HitRow>> {
  const rows = await readHitRows(
    database,
    hits.map((hit) => hit.id),
    { withText: hits.filter(needsText).map((hit) => hit.id), subject },
  );
  await readLaterText(database, hits, rows);
  return rows;
}

function needsText({ matchedTerms, parts }: Hit): boolean {
  return parts?.words === 0 || contentNames.some((field) => matchedTerms?.[field] !== undefined);
}

/** Written field by field because a rest copy of the row takes ten times as long, fifty times per response. */
function present(hit: Hit, row: HitRow, visibility: Visibility) {
  const mayReadContent = row.text !== null && visibility.allows(row.library_id, row.rel_path, 'search_content');
  const seesThumb = row.thumb_version !== null && maySeeThumb(visibility, row);
  const terms = (field: string): readonly string[] => hit.matchedTerms?.[field] ?? none;
  return {
    id: row.id,
    library_id: row.library_id,
    rel_path: row.rel_path,
    filename: row.filename,
    extension: row.extension,
    file_category: row.file_category,
    file_group: row.file_group,
    status: row.status,
    size: row.size,
    mtime: row.mtime,
    taken: row.taken,
    title: row.title,
    year: row.year,
    tags: row.tags,
    duration: row.duration,
    width: row.width,
    height: row.height,
    pages: row.pages,
    has_error: row.has_error,
    has_notes: row.has_notes,
    has_thumb: seesThumb,
    thumb_version: seesThumb ? row.thumb_version : null,
    sidecar_of: row.sidecar_of,
    missing_since: row.missing_since,
    _geo: row.coordinates,
    distance_m: hit.distance ?? null,
    score: hit.score,
    matched_by: matchedBy(hit),
    similarity_to_query: hit.parts && hit.parts.vector > 0 ? hit.parts.vector : null,
    snippet: row.text && mayReadContent ? (cutSnippet(row.text, contentNames.flatMap(terms)) ?? openingOf(hit, row.text)) : null,
    highlight: {
      title: row.title === null ? null : markMatches(row.title, terms('title')),
      filename: markMatches(row.filename, terms('filename')),
      path: terms('path').length > 0 ? markMatches(row.rel_path, terms('path')) : null,
    },
  };
}

/** A vector says little about an item unless it is clearly nearer than unrelated ones, which are around 0.5. */
const minSimilarity = 0.6;

export function matchedBy({ parts }: Hit): 'words' | 'meaning' | 'both' | null {
  if (!parts) return null;
  if (parts.words === 0) return 'meaning';
  return parts.vector >= minSimilarity ? 'both' : 'words';
}

/** What a hit by meaning was found for is the beginning of its text, in which no word need match. */
function openingOf({ parts }: Hit, text: string): string | null {
  return parts?.words === 0 ? cutOpening(text) : null;
}

/** The current columns of an item that a hit shows. */
export interface HitRow extends ItemFacts {
  taken: string | null;
  duration: number | null;
  width: number | null;
  height: number | null;
  pages: number | null;
  has_error: boolean;
  has_notes: boolean;
  thumb_version: string | null;
  shown_as: string | null;
  missing_since: string | null;
  coordinates: { lat: number; lng: number } | null;
  /** How often the caller opened it, weighted by how recently. */
  interest: number;
  text: string | null;
}

/**
 * A match behind the part of the text that was read: the text around its first word replaces that part. The database searches the long texts,
 * because a page of hits may consist of fifty books.
 */
async function readLaterText({ pool }: Pick<Database, 'pool'>, hits: readonly Hit[], rows: ReadonlyMap<string, HitRow>): Promise<void> {
  const wanted = hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    const terms = contentNames.flatMap((field) => hit.matchedTerms?.[field] ?? none);
    return row?.text?.length === maxTextChars && cutSnippet(row.text, terms) === null ? [{ row, terms }] : [];
  });
  if (wanted.length === 0) return;
  const { rows: found } = await pool.query<{ id: string; text: string | null }>({
    name: 'later-text-of-hits',
    text: `select i.id, substring(i.body_text from greatest(1, m.at - 2000) for 20000) as text
      from unnest($1::uuid[], $2::text[]) w (id, terms) join items i on i.id = w.id
      cross join lateral (select min(nullif(strpos(lower(i.body_text), t), 0)) as at from unnest(string_to_array(w.terms, E'\\x1f')) t) m
      where m.at is not null`,
    values: [wanted.map(({ row }) => row.id), wanted.map(({ terms }) => terms.join(unit))],
  });
  const texts = new Map(found.map(({ id, text }) => [id, text]));
  for (const { row } of wanted) row.text = texts.get(row.id) ?? row.text;
}

/** Snippets are cut from this many characters, so that a page of hits does not read fifty complete books. */
const maxTextChars = 300_000;

/*
 * A search reads fifty rows of twenty columns. Decoding each value by itself would cost more than the rest of the request, so the database
 * joins all of them into one string, with ASCII separators between columns and rows. Free text is encoded as JSON, which escapes these.
 */
const unit = '\x1f';
const record = '\x1e';
const facts = ['duration', 'width', 'height', 'pages'] as const;
const columns = [
  'i.id',
  'i.library_id',
  'to_json(i.rel_path)',
  'to_json(i.extension)',
  // Taxonomy keys never contain the separator.
  'i.file_category',
  'i.file_group',
  'i.status',
  'i.size',
  'i.mtime_ns / 1000000000',
  'to_json(coalesce(i.user_title, i.title))',
  'coalesce(i.user_year, i.year)',
  `case when i.tags <> '{}' then to_json(i.tags) end`,
  'left(i.thumb_key, 16)',
  'i.sidecar_of',
  `case when i.status <> 'active' then round(extract(epoch from i.deleted_at) * 1000) end`,
  // The lookup per hit is skipped for a caller who never opened an item.
  `case when (select exists (select from item_touches t where t.subject = $3)) then
    (select t.count * case when t.last_at > now() - interval '1 hour' then 4 when t.last_at > now() - interval '1 day' then 2
        when t.last_at > now() - interval '7 days' then 0.5 else 0.25 end::float8
      from item_touches t where t.subject = $3 and t.item_id = i.id and t.last_at > now() - interval '90 days') end`,
  // `left` counts characters, which is slow; a text with few enough bytes needs no cut.
  `case when i.id = any($2::uuid[]) then
    (select to_json(case when octet_length(t.words) <= ${maxTextChars} then t.words else left(t.words, ${maxTextChars}) end)
      from (select concat_ws(E'\\n', i.body_text, i.metadata ->> 'ocr_text', i.archive_members) as words offset 0) t) end`,
  `i.user_metadata <> '{}'`,
  // Last, so that files without metadata can leave these columns out.
  `case when i.metadata <> '{}' then concat(i.metadata ? '_extract_error', ${facts.map((key) => `E'\\x1f', i.metadata -> '${key}'`).join(', ')}, E'\\x1f', i.metadata -> 'taken_at', E'\\x1f', to_json(${shownAs}),
    case when i.metadata ? 'exif' and (select l.expose_gps from all_libraries l where l.id = i.library_id) then
      concat(E'\\x1f', i.metadata -> 'exif' -> 'gps_latitude', E'\\x1f', i.metadata -> 'exif' -> 'gps_longitude') end) end`,
];

/** A fixed text, so that it is prepared once per connection; rights are checked on its rows. */
const statement = `select string_agg(concat(${columns.join(", E'\\x1f', ")}), E'\\x1e') as packed
  from items i where i.id = any($1::uuid[]) and i.library_id <> all (array(select l.id from all_libraries l where l.removed))`;

/** The rows of these items by id, with the text of those named in `withText`, and the interest of `subject` in them. */
export async function readHitRows(
  { pool }: Pick<Database, 'pool'>,
  ids: readonly string[],
  { withText, subject }: { withText: readonly string[]; subject: string | null },
): Promise<Map<string, HitRow>> {
  const { rows } = await pool.query<{ packed: string | null }>({ name: 'rows-of-hits', text: statement, values: [ids, withText, subject] });
  const byId = new Map<string, HitRow>();
  for (const packed of rows[0]?.packed?.split(record) ?? []) {
    const row = unpack(packed);
    byId.set(row.id, row);
  }
  return byId;
}

function unpack(packed: string): HitRow {
  const part = packed.split(unit);
  const rel_path = words(part[2]!) ?? '';
  return {
    id: part[0]!,
    library_id: part[1]!,
    rel_path,
    // `catalog check` verifies that a path ends with the file name.
    filename: rel_path.slice(rel_path.lastIndexOf('/') + 1),
    extension: words(part[3]!),
    file_category: part[4]!,
    file_group: part[5]!,
    status: part[6]!,
    size: Number(part[7]),
    mtime: Number(part[8]),
    title: words(part[9]!),
    year: fact(part[10]),
    tags: part[11] === '' ? [] : (JSON.parse(part[11]!) as string[]),
    thumb_version: part[12] || null,
    sidecar_of: part[13] || null,
    missing_since: part[14] === '' ? null : new Date(Number(part[14])).toISOString(),
    interest: fact(part[15]) ?? 0,
    text: words(part[16]!),
    has_notes: part[17] === 't',
    has_error: part[18] === 't',
    duration: fact(part[19]),
    width: fact(part[20]),
    height: fact(part[21]),
    pages: fact(part[22]),
    taken: part[23]?.startsWith('"') ? words(part[23]) : null,
    shown_as: words(part[24] ?? ''),
    coordinates: coordinatesOf(fact(part[25]), fact(part[26])),
  };
}

/** Decodes a JSON string; most contain no escapes. */
function words(json: string): string | null {
  if (json === '') return null;
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Metadata of a file can have any value; anything but a finite number is null. */
function fact(json: string | undefined): number | null {
  if (!json || !/^-?\d/.test(json)) return null;
  const value = Number(json);
  return Number.isFinite(value) ? value : null;
}

function coordinatesOf(lat: number | null, lng: number | null): HitRow['coordinates'] {
  return lat === null || lng === null ? null : { lat, lng };
}
