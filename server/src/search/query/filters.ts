import { fieldProblem } from '../../platform/problem.ts';
import type { Filter } from '@catalog/engine';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { checkTaxonomyKeys } from '../../catalog/taxonomy/index.ts';

import { mostIds } from '../language/index.ts';
import type { SearchParams } from './schemas.ts';

/** A filter with the words that name it, so that an empty answer can say which one emptied it. */
export interface NamedFilter {
  name: string;
  value: string;
  filter: Filter;
}

/** The plain parameters as filters, AND between them, OR inside a repeated one. */
export async function parameterFilters(db: Db, params: SearchParams): Promise<NamedFilter[]> {
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
  for (const tag of (params.tags ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean))
    add('tags', tag, { eq: ['tag', tag] });
  if (params.sidecar_of) add('sidecar_of', params.sidecar_of, { eq: ['sidecar_of', params.sidecar_of] });
  else if (!params.include_sidecars) filters.push({ name: 'include_sidecars', value: 'false', filter: { eq: ['is_sidecar', 'false'] } });
  if (params.has_error !== undefined)
    add('has_error', String(params.has_error), params.has_error ? { eq: ['has', 'error'] } : { not: { eq: ['has', 'error'] } });
  if (params.principal) add('principal', params.principal, { eq: ['perm_principals', params.principal] });
  if (params.world_readable !== undefined)
    add(
      'world_readable',
      String(params.world_readable),
      params.world_readable ? { eq: ['perm_world', 'true'] } : { not: { eq: ['perm_world', 'true'] } },
    );
  if (params.hash) add('hash', params.hash, { in: ['id', await idsWithHash(db, params.hash)] });
  if (params.path) add('path', params.path, { scope: await scopesBelow(db, params.path, params.library) });
  return filters;
}

/** Items whose quick or content hash begins so; hashes are too many to be filters of the index. */
async function idsWithHash(db: Db, prefix: string): Promise<string[]> {
  const end = `${prefix}g`;
  const { rows } = await sql<{
    id: string;
  }>`select id from items where left(content_hash, 8) = ${prefix.slice(0, 8)} and content_hash >= ${prefix} and content_hash < ${end}
    union select id from items where quick_hash >= ${prefix} and quick_hash < ${end} limit ${mostIds + 1}`.execute(db);
  if (rows.length > mostIds)
    throw fieldProblem(
      ['query', 'hash'],
      `More than ${mostIds} files have this hash. Give more of its digits, or use the list of copies.`,
      'too_many_matches',
    );
  return rows.map((row) => row.id);
}

/** A folder named without its library is looked for in every library asked for. */
async function scopesBelow(db: Db, path: string, libraries: readonly string[] | undefined): Promise<string[]> {
  const clean = path.replace(/^\/+|\/+$/g, '');
  const ids = libraries ?? (await sql<{ id: string }>`select id from libraries`.execute(db)).rows.map((row) => row.id);
  return ids.map((id) => (clean === '' ? id : `${id}/${clean}`));
}
