import type { Filter, SortKey } from '@catalog/engine';
import { sql } from 'kysely';
import { classesAllowing, knownPeople, resolvePrincipal } from '../../catalog/permissions/index.ts';
import { checkTaxonomyKeys } from '../../catalog/taxonomy/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { inClasses, maxIds } from '../language/index.ts';
import { scopeFilter } from './partitions.ts';
import type { SearchParams } from './schemas.ts';

/** A filter with its name and value, so that an empty result can be explained. */
export interface NamedFilter {
  name: string;
  value: string;
  filter: Filter;
}

/** The query parameters as filters: combined with AND, repeated values of one parameter with OR. */
export async function parameterFilters(db: Db, visibility: Visibility, params: SearchParams): Promise<NamedFilter[]> {
  await checkTaxonomyKeys(
    db,
    { categories: params.file_category, groups: params.file_group },
    { categories: ['query', 'file_category'], groups: ['query', 'file_group'] },
  );
  const filters: NamedFilter[] = [];
  const add = (name: string, value: string, filter: Filter): number => filters.push({ name, value, filter });
  const oneOf = (name: string, field: string, values: readonly string[] | undefined): void => {
    if (values && values.length > 0) add(name, values.join(', '), { in: [field, values] });
  };
  const between = (name: string, field: string, gte: number | undefined, lte: number | undefined): void => {
    if (gte === undefined && lte === undefined) return;
    add(name, `${gte ?? ''}..${lte ?? ''}`, {
      range: [field, { ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) }],
    });
  };
  if (params.status !== 'any') add('status', params.status ?? 'active', { eq: ['status', params.status ?? 'active'] });
  oneOf('library', 'library_id', params.library);
  oneOf('file_category', 'file_category', params.file_category);
  oneOf('file_group', 'file_group', params.file_group);
  oneOf(
    'extension',
    'extension',
    params.extension?.map((extension) => extension.toLowerCase().replace(/^\./, '')),
  );
  between('year', 'year', params.year_gte, params.year_lte);
  between('size', 'size', params.size_gte, params.size_lte);
  between('mtime', 'mtime', params.mtime_gte, params.mtime_lte);
  between('taken', 'taken', params.taken_gte, params.taken_lte);
  oneOf('camera', 'camera', params.camera);
  oneOf('lens', 'lens', params.lens);
  oneOf('artist', 'artist_name', params.artist);
  oneOf('album', 'album_name', params.album);
  oneOf('author', 'author_name', params.author);
  oneOf('language', 'language', params.language);
  oneOf('resolution', 'resolution', params.resolution);
  for (const tag of (params.tags ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean))
    add('tags', tag, { eq: ['tag', tag] });
  if (params.sidecar_of) add('sidecar_of', params.sidecar_of, { eq: ['sidecar_of', params.sidecar_of] });
  else if (!params.include_sidecars) filters.push({ name: 'include_sidecars', value: 'false', filter: { eq: ['is_sidecar', 'false'] } });
  if (params.has_error !== undefined)
    add('has_error', String(params.has_error), params.has_error ? { eq: ['has', 'error'] } : { not: { eq: ['has', 'error'] } });
  if (params.principal)
    add('principal', params.principal, inClasses(await readableClasses(db, params.principal), permissionScope(visibility)));
  if (params.world_readable !== undefined) {
    const scope = permissionScope(visibility);
    const world: Filter = { eq: ['perm_world', String(params.world_readable)] };
    add('world_readable', String(params.world_readable), scope ? { and: [world, scope] } : world);
  }
  if (params.hash) add('hash', params.hash, { in: ['id', await idsWithHash(db, params.hash)] });
  if (params.path) add('path', params.path, { scope: await scopesBelow(db, params.path, params.library) });
  return filters;
}

/** Where a caller may see permissions; null means everywhere. The rights to see the files themselves are applied to every search. */
export const permissionScope = (visibility: Visibility): Filter | null =>
  scopeFilter(visibility, Number.POSITIVE_INFINITY, 'view_permissions');

async function readableClasses(db: Db, principal: string): Promise<readonly number[]> {
  const who = resolvePrincipal(principal, await knownPeople(db));
  if (!who)
    throw fieldProblem(
      ['query', 'principal'],
      `No user or group is named "${principal.slice(0, 80)}". Use a value of GET /search/principals, uid:1000, gid:100 or a SID.`,
      'unknown_principal',
    );
  return classesAllowing(db, who.identity, 'read');
}

/** Items by a prefix of their quick or content hash; hashes are not in the index, because there are too many distinct values. */
async function idsWithHash(db: Db, prefix: string): Promise<string[]> {
  const end = `${prefix}g`;
  const { rows } = await sql<{
    id: string;
  }>`select id from items where left(content_hash, 8) = ${prefix.slice(0, 8)} and content_hash >= ${prefix} and content_hash < ${end}
    union select id from items where quick_hash >= ${prefix} and quick_hash < ${end} limit ${maxIds + 1}`.execute(db);
  if (rows.length > maxIds)
    throw fieldProblem(
      ['query', 'hash'],
      `More than ${maxIds} files have this hash. Enter more digits, or open the list of copies of one of them.`,
      'too_many_matches',
    );
  return rows.map((row) => row.id);
}

/** A folder without a library is searched in every requested library. */
async function scopesBelow(db: Db, path: string, libraries: readonly string[] | undefined): Promise<string[]> {
  const clean = path.replace(/^\/+|\/+$/g, '');
  const ids = libraries ?? (await sql<{ id: string }>`select id from libraries`.execute(db)).rows.map((row) => row.id);
  return ids.map((id) => (clean === '' ? id : `${id}/${clean}`));
}

const geoProblem = (detail: string, field: string) =>
  problem('geo_invalid', detail, { errors: [{ loc: ['query', field], msg: detail, type: 'geo' }] });

function inRange(value: number | undefined, most: number, field: string): void {
  if (value !== undefined && !(Math.abs(value) <= most)) throw geoProblem(`${field} must be between -${most} and ${most}.`, field);
}

/** Reads the geo parameters; a missing or invalid one is a 422 that names it. */
export function readGeo(params: SearchParams): { filters: Filter[]; sort: SortKey | null } {
  const { geo_lat: lat, geo_lng: lng, geo_radius_m: metres, geo_sort } = params;
  const { geo_top_lat: top, geo_right_lng: right, geo_bottom_lat: bottom, geo_left_lng: left } = params;
  for (const [field, value] of Object.entries({ geo_lat: lat, geo_top_lat: top, geo_bottom_lat: bottom })) inRange(value, 90, field);
  for (const [field, value] of Object.entries({ geo_lng: lng, geo_right_lng: right, geo_left_lng: left })) inRange(value, 180, field);
  if ((lat === undefined) !== (lng === undefined))
    throw geoProblem('Send both geo_lat and geo_lng.', lat === undefined ? 'geo_lat' : 'geo_lng');
  const centre = lat !== undefined && lng !== undefined ? { lat, lng } : null;
  if (metres !== undefined && !(metres > 0)) throw geoProblem('geo_radius_m must be greater than 0.', 'geo_radius_m');
  if (metres !== undefined && !centre) throw geoProblem('geo_radius_m needs a centre. Send geo_lat and geo_lng.', 'geo_radius_m');
  if (geo_sort !== undefined && !centre) throw geoProblem('geo_sort needs a centre. Send geo_lat and geo_lng.', 'geo_sort');
  if (centre && metres === undefined && geo_sort === undefined)
    throw geoProblem('geo_lat and geo_lng alone do nothing. Send geo_radius_m or geo_sort as well.', 'geo_lat');

  const filters: Filter[] = [];
  if (centre && metres !== undefined) filters.push({ geoRadius: { ...centre, metres } });
  if ([top, right, bottom, left].some((edge) => edge !== undefined)) {
    if (top === undefined || right === undefined || bottom === undefined || left === undefined)
      throw geoProblem('Send all four edges of the box: geo_top_lat, geo_right_lng, geo_bottom_lat and geo_left_lng.', 'geo_top_lat');
    if (top < bottom) throw geoProblem('geo_top_lat is below geo_bottom_lat. Swap them.', 'geo_top_lat');
    if (left > right) throw geoProblem('geo_left_lng is east of geo_right_lng. A box cannot cross the 180th meridian.', 'geo_left_lng');
    filters.push({ geoBox: { top, right, bottom, left } });
  }
  return { filters, sort: centre && geo_sort ? { geo: centre, order: geo_sort } : null };
}

const removedLibraries = new WeakMap<Db, { generation: string; removed: string[] }>();

/**
 * Excludes libraries that were removed but whose documents are still leaving the index in batches. Removing a library raises the access
 * generation, so the cached list is read again when it changes.
 */
export async function excludeRemovedLibraries(db: Db, { accessGeneration: generation }: Principal): Promise<Filter[]> {
  const cached = removedLibraries.get(db);
  let removed = cached?.removed ?? [];
  if (!generation || cached?.generation !== generation) {
    const { rows } = await sql<{ id: string }>`select id from all_libraries where removed_at is not null`.execute(db);
    removed = rows.map(({ id }) => id);
    if (generation) removedLibraries.set(db, { generation, removed });
  }
  return removed.length > 0 ? [{ not: { in: ['library_id', removed] } }] : [];
}
