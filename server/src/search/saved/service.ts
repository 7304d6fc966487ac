import { checkTaxonomyKeys } from '../../catalog/taxonomy/index.ts';
import { ownedBy, owns } from '../../people/identity/index.ts';
import { type Db, isReferenceError } from '../../platform/database/index.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, Problem, problem } from '../../platform/problem.ts';
import { checkKinds, parseQuery } from '../language/index.ts';
import { readGeo, type SearchParams } from '../query/index.ts';
import { countSaved, deleteSaved, findSaved, insertSaved, listSaved, lockSaved, type SavedSearch, updateSaved } from './store.ts';

/**
 * A saved search belongs to the person who saved it, and to the limited key it was saved with. Others can see but not change a shared one, and get 404 for a private one.
 * Administrators can see and change all. Its results depend on the rights of the caller who runs it.
 */
const maxPerOwner = 500;

function isAdmin({ scopes }: Principal): boolean {
  return hasScope(scopes, 'admin');
}

export function mayEdit(principal: Principal, row: Pick<SavedSearch, 'owner_id' | 'key_id'>): boolean {
  return isAdmin(principal) || owns(principal, row);
}

export async function savedFor(db: Db, principal: Principal): Promise<SavedSearch[]> {
  return listSaved(db, { ...ownedBy(principal), all: isAdmin(principal) });
}

export async function findReadable(db: Db, principal: Principal, id: string): Promise<SavedSearch> {
  const row = await findSaved(db, id);
  if (!row || !(row.shared || mayEdit(principal, row))) throw notFound('saved search');
  return row;
}

interface SavedInput {
  name: string;
  params?: Record<string, unknown> | undefined;
  shared?: boolean | undefined;
  owner_principal?: string | null | undefined;
}

export async function createSavedSearch(db: Db, principal: Principal, now: Date, input: SavedInput): Promise<SavedSearch> {
  if (input.owner_principal && input.owner_principal !== principal.id)
    throw fieldProblem(['body', 'owner_principal'], 'A saved search always belongs to its creator. Leave out owner_principal.', 'owner');
  if ((await countSaved(db, ownedBy(principal))) >= maxPerOwner)
    throw problem('too_many', `You can save at most ${maxPerOwner} searches. Delete some first.`);
  const params = input.params ?? {};
  await checkParams(db, params, now);
  const created = await insertSaved(db, {
    owner_id: principal.id,
    key_id: ownedBy(principal).key,
    owner_name: principal.name,
    name: input.name.trim(),
    params,
    shared: input.shared ?? false,
  });
  if (!created) throw problem('name_taken', `You already have a saved search named "${input.name.trim()}". Choose another name.`);
  return created;
}

export async function updateSavedSearch(
  db: Db,
  principal: Principal,
  id: string,
  now: Date,
  input: Partial<SavedInput>,
): Promise<SavedSearch> {
  const changed = await db.transaction().execute(async (tx) => {
    await lockSaved(tx, id);
    const row = await findEditable(tx, principal, id);
    if (input.params) await checkParams(tx, input.params, now);
    return updateSaved(tx, {
      ...row,
      name: input.name?.trim() ?? row.name,
      params: input.params ?? row.params,
      shared: input.shared ?? row.shared,
    });
  });
  if (!changed) throw problem('name_taken', `There is already a saved search named "${input.name?.trim()}". Choose another name.`);
  return changed;
}

/** Tells the caller what uses a saved search. Whatever refers to searches is above this module. */
export type SearchInUse = (db: Db, principal: Principal, id: string) => Promise<Problem>;

export async function deleteSavedSearch(db: Db, principal: Principal, id: string, inUse: SearchInUse): Promise<void> {
  await findEditable(db, principal, id);
  try {
    await deleteSaved(db, id);
  } catch (error) {
    throw isReferenceError(error) ? await inUse(db, principal, id) : error;
  }
}

async function findEditable(db: Db, principal: Principal, id: string): Promise<SavedSearch> {
  const row = await findReadable(db, principal, id);
  if (!mayEdit(principal, row)) throw problem('action_denied', 'Only the owner or an administrator can change a saved search.');
  return row;
}

/** Only valid queries can be saved, so that every saved search can run. */
async function checkParams(db: Db, params: Record<string, unknown>, now: Date): Promise<void> {
  if (JSON.stringify(params).includes('\\u0000'))
    throw fieldProblem(['body', 'params'], 'A parameter contains a NUL character, which cannot be stored. Remove it.', 'character');
  const { file_category: categories, file_group: groups } = params as Pick<SearchParams, 'file_category' | 'file_group'>;
  const at = (name: string): string[] => ['body', 'params', name];
  await checkTaxonomyKeys(db, { categories, groups }, { categories: at('file_category'), groups: at('file_group') });
  readGeo(params);
  if (typeof params['q'] !== 'string') return;
  try {
    await checkKinds(db, parseQuery(params['q'], { now }));
  } catch (error) {
    if (error instanceof Problem)
      throw problem('query_invalid', error.message, {
        ...error.extras,
        errors: [{ loc: ['body', 'params', 'q'], msg: error.message, type: String(error.extras['reason']) }],
      });
    throw error;
  }
}
