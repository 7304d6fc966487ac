import type { Document } from '@catalog/engine';
import { type RawBuilder, sql } from 'kysely';
import { knownPeople, loadClasses, permissionFacts } from '../../catalog/permissions/index.ts';
import { decodeVector, itemText, textHash } from '../../content/embeddings/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { documentVersion, type IndexedVectors, numericFacts, sortedFacts } from './schema.ts';

/** The columns of an item that both its document and a presented hit have. */
export interface ItemFacts {
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
  sidecar_of: string | null;
}

/** The columns a document is built from. */
interface ProjectedRow extends ItemFacts {
  fingerprint: string;
  first_seen: number;
  metadata: Record<string, unknown>;
  body_text: string | null;
  archive_members: string | null;
  user_metadata: Record<string, unknown>;
  expose_gps: boolean;
  access_class: number | null;
  /** What was embedded last, with the current model. */
  text_hash: Buffer | null;
  vector: Buffer | null;
}

/**
 * A short digest of everything the document depends on. Extracted text is represented by its extraction key and its length in bytes, so that
 * comparing a million items reads no text. To count its characters the database would have to read it.
 */
const fingerprintOf = (
  vectors: IndexedVectors | null,
): RawBuilder<string> => sql`substr(md5(concat_ws(chr(1), ${String(documentVersion)}::text, i.library_id, i.rel_path, i.status, i.file_category, i.file_group, i.extension,
  i.size, i.mtime_ns, coalesce(i.user_title, i.title), coalesce(i.user_year, i.year), i.tags::text, i.user_metadata::text, i.metadata::text, i.extracted_key,
  octet_length(i.body_text), octet_length(i.archive_members), i.sidecar_of, extract(epoch from i.first_seen)::bigint, l.expose_gps, coalesce(i.access_class, 0)${vectors ? sql`, iv.model_id, iv.text_hash` : sql``})), 1, 16)`;

const embedded = (vectors: IndexedVectors | null): RawBuilder<unknown> =>
  vectors ? sql`left join item_vectors iv on iv.item_id = i.id and iv.model_id = ${vectors.modelId}` : sql``;

/** What the index should contain: ids and fingerprints in ascending id order after a given id. */
export async function expectedFingerprints(
  db: Db,
  after: string | null,
  limit: number,
  vectors: IndexedVectors | null,
): Promise<{ id: string; fingerprint: string }[]> {
  const { rows } = await sql<{
    id: string;
    fingerprint: string;
  }>`select i.id, ${fingerprintOf(vectors)} as fingerprint from items i join libraries l on l.id = i.library_id ${embedded(vectors)}
    where ${after === null ? sql`true` : sql`i.id > ${after}`} order by i.id limit ${limit}`.execute(db);
  return rows;
}

/** How documents are built. `onUnembedded` receives the items whose text has no vector yet, or another one. */
export interface ProjectionOptions {
  vectors: IndexedVectors | null;
  onUnembedded?(ids: readonly string[]): Promise<void>;
}

const withoutVectors: ProjectionOptions = { vectors: null };

export async function documentsOf(db: Db, ids: readonly string[], options = withoutVectors): Promise<Document[]> {
  return toDocuments(db, await rowsWhere(db, sql`i.id = any(${[...ids]}::uuid[])`, ids.length, options), options);
}

/** The next documents in id order, fewer than `limit` when they have much text, and none only at the end. */
export async function documentsAfter(db: Db, after: string | null, limit: number, options = withoutVectors): Promise<Document[]> {
  for (let start = after; ; ) {
    const next = await textSizes(db, start === null ? sql`true` : sql`i.id > ${start}`, limit);
    const [ids = []] = divideBySize(next);
    const documents = await documentsOf(db, ids, options);
    const last = ids.at(-1);
    // All of them may have been deleted since their sizes were read.
    if (documents.length > 0 || last === undefined) return documents;
    start = last;
  }
}

/** The same ids in lists whose documents fit into memory together: a text may have five million characters, or ten times that. */
export async function divideByText(db: Db, ids: readonly string[]): Promise<string[][]> {
  const sizes = await textSizes(db, sql`i.id = any(${[...ids]}::uuid[])`, ids.length);
  const known = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  return divideBySize(ids.map((id) => ({ id, bytes: known.get(id) ?? 0 })));
}

const maxTextBytes = 64_000_000;

interface TextSize {
  id: string;
  bytes: number;
}

/** In id order. The length in bytes is known without reading the text. */
async function textSizes(db: Db, condition: RawBuilder<unknown>, limit: number): Promise<TextSize[]> {
  const { rows } =
    await sql<TextSize>`select i.id, coalesce(octet_length(i.body_text), 0) + coalesce(octet_length(i.archive_members), 0) as bytes
    from items i join libraries l on l.id = i.library_id where ${condition} order by i.id limit ${limit}`.execute(db);
  return rows;
}

function divideBySize(sizes: readonly TextSize[]): string[][] {
  const lists: string[][] = [];
  let room = 0;
  for (const { id, bytes } of sizes) {
    room -= bytes;
    if (room < 0 || lists.length === 0) {
      lists.push([]);
      room = maxTextBytes - bytes;
    }
    lists.at(-1)?.push(id);
  }
  return lists;
}

/** All documents in pages; each page is read while the previous one is being used. */
export async function* allDocuments(db: Db, limit: number, options = withoutVectors): AsyncGenerator<Document[], undefined> {
  for (let next = documentsAfter(db, null, limit, options); ; ) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    next = documentsAfter(db, last.id, limit, options);
    // A consumer that stops early never awaits the next page, so its failure must not become an unhandled rejection.
    next.catch(() => {});
    yield page;
  }
}

async function rowsWhere(db: Db, condition: RawBuilder<unknown>, limit: number, { vectors }: ProjectionOptions): Promise<ProjectedRow[]> {
  const { rows } =
    await sql<ProjectedRow>`select i.id, ${fingerprintOf(vectors)} as fingerprint, i.library_id, i.rel_path, i.filename, i.extension, i.file_category, i.file_group, i.status, i.size,
      (i.mtime_ns / 1000000000)::float8 as mtime, extract(epoch from i.first_seen)::float8 as first_seen, coalesce(i.user_title, i.title) as title, coalesce(i.user_year, i.year) as year,
      i.metadata, i.body_text, i.archive_members, i.sidecar_of, i.tags, i.user_metadata, l.expose_gps, i.access_class,
      ${vectors ? sql`iv.text_hash, v.vector` : sql`null::bytea as text_hash, null::bytea as vector`}
    from items i join libraries l on l.id = i.library_id ${embedded(vectors)}
    ${vectors ? sql`left join vectors v on v.model_id = iv.model_id and v.text_hash = iv.text_hash` : sql``}
    where ${condition} order by i.id limit ${limit}`.execute(db);
  return rows;
}

async function toDocuments(db: Db, rows: readonly ProjectedRow[], { vectors, onUnembedded }: ProjectionOptions): Promise<Document[]> {
  const now = Date.now() / 1000;
  const known = rows.some(({ access_class }) => access_class !== null)
    ? { classes: await loadClasses(db), people: await knownPeople(db) }
    : null;
  if (vectors && onUnembedded) {
    const unembedded = rows
      .filter((row) => !row.text_hash?.equals(textHash(itemText({ ...row, body: row.body_text }))))
      .map(({ id }) => id);
    if (unembedded.length > 0) await onUnembedded(unembedded);
  }
  return rows.map((row) => {
    const access = row.access_class === null ? undefined : known?.classes.get(row.access_class);
    return {
      ...toDocument(row, now),
      ...(known && access ? permissionFacts(access, known.people) : {}),
      ...(row.vector ? { meaning: decodeVector(row.vector) } : {}),
    };
  });
}

/** Metadata of a broken file must not make the index reject its document: long values are truncated, huge numbers left out. */
const maxValueLength = 500;
const maxPathLength = 8000;
export const maxFactValue = 1e300;

function truncated<T extends string | undefined>(value: T, most = maxValueLength): T {
  return value?.slice(0, most) as T;
}

function factText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.filter((each) => typeof each === 'string').join(' ') : undefined;
}

type SortedFacts = Record<(typeof sortedFacts)[number], string | undefined>;

/** The facts that are facets and sort a search, as the index has them. The sender of a message is its author. */
export function sortedFactsOf(metadata: Record<string, unknown>): SortedFacts {
  const facts = Object.fromEntries(sortedFacts.map((fact) => [fact, truncated(factText(metadata[fact]))])) as SortedFacts;
  return { ...facts, author: facts.author ?? truncated(factText(metadata['email_from'])) };
}

function toDocument(row: ProjectedRow, now: number): Document {
  const meta = row.metadata;
  const text = (key: string): string | undefined => factText(meta[key]);
  const facts = sortedFactsOf(meta);
  const document: Document = {
    id: row.id,
    fingerprint: row.fingerprint,
    title: row.title,
    filename: row.filename,
    path: row.rel_path,
    stem: stemOf(row),
    plain_name: plainName(row.filename),
    artist: text('artist'),
    album: text('album'),
    author: text('author') ?? text('email_from'),
    tags: row.tags,
    notes: notesOf(row.user_metadata),
    body_text: row.body_text === null ? null : textValues(row.body_text),
    ocr_text: text('ocr_text'),
    archive_members: row.archive_members,
    origin_url: text('origin_url'),
    library_id: row.library_id,
    status: row.status,
    file_category: row.file_category,
    file_group: row.file_group,
    extension: row.extension,
    tag: row.tags,
    genre: truncated(text('genre')),
    codec: truncated(text('video_codec') ?? text('audio_codec') ?? text('codec')),
    resolution: truncated(text('resolution')),
    camera: facts.camera,
    lens: facts.lens,
    artist_name: facts.artist,
    album_name: facts.album,
    author_name: facts.author,
    language: facts.language,
    is_sidecar: row.sidecar_of === null ? 'false' : 'true',
    sidecar_of: row.sidecar_of,
    has: hasValuesOf(row),
    custom: customValuesOf(row.user_metadata),
    size: row.size,
    mtime: row.mtime,
    // A date well in the future comes from a wrong clock, so it sorts last.
    mtime_sort: row.mtime > now + 172_800 ? 0 : row.mtime,
    first_seen: row.first_seen,
    taken: takenAt(meta['taken_at'], now),
    year: row.year,
    year_text: row.year === null ? undefined : String(row.year),
    title_sort: truncated(row.title ?? row.filename),
    filename_sort: row.filename,
    path_sort: truncated(row.rel_path, maxPathLength),
    path_scope: truncated(`${row.library_id}/${row.rel_path}`, maxPathLength),
    _geo: row.expose_gps ? pointOf(meta) : undefined,
  };
  for (const fact of sortedFacts) document[`${fact}_sort`] = facts[fact];
  for (const fact of numericFacts) if (typeof meta[fact] === 'number' && Math.abs(meta[fact]) < maxFactValue) document[fact] = meta[fact];
  return document;
}

/**
 * When a photo or video was taken, by the clock of its camera: the local time is kept as if it were UTC, because most cameras record no time
 * zone, and people look for a picture by the date they remember. A date in the future comes from a wrong clock and is left out.
 */
function takenAt(value: unknown, now: number): number | undefined {
  const local = typeof value === 'string' ? /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(value)?.[0] : undefined;
  const at = local ? new Date(`${local}Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(local as string)) return undefined;
  return at.getTime() / 1000 > now + 172_800 ? undefined : at.getTime() / 1000;
}

/** The name without its extension; undefined when there is none. */
function stemOf({ filename, extension }: ProjectedRow): string | undefined {
  const end = filename.length - (extension ?? '').length - 1;
  return extension && end > 0 && filename.slice(end).toLowerCase() === `.${extension.toLowerCase()}` ? filename.slice(0, end) : undefined;
}

/**
 * The name as most people type it: `cpack.cmake` for `CPack.cmake`, which the index splits into three words, and `libstdc.so` for
 * `libstdc++.so`. Undefined if the index finds the same words in the name itself.
 */
export function plainName(filename: string): string | undefined {
  const hasParts = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}(?:\+\+|#)/u.test(filename);
  return hasParts ? filename.toLowerCase().replace(/(?<=\p{L})(?:\+\+|#)/gu, ' ') : undefined;
}

/** The engine indexes a limited number of words per value, so a long text is several values. */
const valueChars = 60_000;

export function textValues(text: string): string | string[] {
  if (text.length <= valueChars) return text;
  const values: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + valueChars >= text.length ? text.length : wordEnd(text, at + valueChars);
    values.push(text.slice(at, end));
    at = end;
  }
  return values;
}

/** The last white space before `at`, so that no word is split, unless there is none near. */
function wordEnd(text: string, at: number): number {
  for (let end = at; end > at - 200; end--) if (/\s/.test(text[end - 1] as string)) return end;
  return at;
}

function notesOf(overlay: Record<string, unknown>): string | undefined {
  const words = Object.values(overlay).filter((value) => typeof value === 'string');
  return words.length > 0 ? words.join('\n') : undefined;
}

/** Values of custom fields as `name=value`, for filters. */
function customValuesOf(overlay: Record<string, unknown>): string[] {
  return Object.entries(overlay).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 200 ? [`${name}=${String(value).toLowerCase()}`] : [],
  );
}

function hasValuesOf({ metadata, body_text, archive_members, tags, user_metadata, sidecar_of }: ProjectedRow): string[] {
  const marks: [string, boolean][] = [
    ['error', metadata['_extract_error'] !== undefined],
    ['encrypted', metadata['encrypted'] === true],
    ['text', Boolean(body_text) || typeof metadata['ocr_text'] === 'string'],
    ['members', Boolean(archive_members)],
    ['tags', tags.length > 0],
    ['notes', Object.keys(user_metadata).length > 0],
    ['origin', typeof metadata['origin_url'] === 'string'],
    ['parent', sidecar_of !== null],
  ];
  return marks.filter(([, holds]) => holds).map(([name]) => name);
}

function pointOf(meta: Record<string, unknown>): { lat: number; lng: number } | undefined {
  const exif = (meta['exif'] ?? {}) as Record<string, unknown>;
  const [lat, lng] = [exif['gps_latitude'], exif['gps_longitude']];
  if (typeof lat !== 'number' || typeof lng !== 'number' || Math.abs(lat) > 90 || Math.abs(lng) > 180) return undefined;
  return { lat, lng };
}
