import { sql } from 'kysely';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { enqueue } from '../../platform/queue/index.ts';
import '../tables.ts';
import { increaseTaxonomyVersion } from './live.ts';
import { reclassifyTask } from './tasks.ts';

export const extractorNames = ['image', 'audio', 'video', 'document', 'model3d'] as const;

interface CategoryFields {
  label?: string;
  description?: string;
  extractor?: string | null;
  sort_order?: number;
}
interface GroupFields {
  label?: string;
  description?: string;
  category?: string;
  sort_order?: number;
}

/**
 * Makes a change in one transaction with the new version, the audit event and the job that reclassifies items. A lock serializes changes, so
 * that each gets its own version.
 */
async function applyChange<T>(
  db: Db,
  actor: Actor,
  details: Record<string, unknown>,
  work: (tx: Db) => Promise<T>,
): Promise<T & { version: number }> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('taxonomy'))`.execute(tx);
    const done = await work(tx);
    const version = await increaseTaxonomyVersion(tx);
    await recordEvent(tx, {
      event_type: 'taxonomy_changed',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { ...details, version },
    });
    await enqueue(tx, reclassifyTask, { version }, { lock: `reclassify_extensions:${version}` });
    return { ...done, version };
  });
}

export const createCategory = (db: Db, key: string, fields: CategoryFields & { label: string }, actor: Actor) =>
  applyChange(db, actor, { action: 'create_category', key }, async (tx) => {
    if (await exists(tx, 'categories', key)) throw problem('name_taken', `There is already a category "${key}". Choose another key.`);
    return tx
      .insertInto('categories')
      .values({ extractor: null, ...fields, key })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

export const updateCategory = (db: Db, key: string, fields: CategoryFields, actor: Actor) =>
  applyChange(db, actor, { action: 'change_category', key, fields: Object.keys(fields) }, async (tx) => {
    const row = await tx.selectFrom('categories').selectAll().where('key', '=', key).executeTakeFirst();
    if (!row) throw unknownKey('category', key);
    if (Object.keys(fields).length === 0) return row;
    return tx.updateTable('categories').set(fields).where('key', '=', key).returningAll().executeTakeFirstOrThrow();
  });

export const deleteCategory = (db: Db, key: string, actor: Actor) =>
  applyChange(db, actor, { action: 'delete_category', key }, async (tx) => {
    if (!(await exists(tx, 'categories', key))) throw unknownKey('category', key);
    if (key === 'other')
      throw problem('taxonomy_in_use', 'The category "other" cannot be deleted, because it holds files of unknown type.');
    const inside = await tx.selectFrom('groups').select('key').where('category', '=', key).execute();
    if (inside.length > 0)
      throw problem(
        'taxonomy_in_use',
        `The category "${key}" still has the groups ${inside.map((group) => group.key).join(', ')}. Move or delete them first.`,
      );
    await refuseIfSelected(tx, 'enabled_categories', key);
    await tx.deleteFrom('categories').where('key', '=', key).execute();
    return { deleted: key };
  });

export const createTaxonomyGroup = (db: Db, key: string, fields: GroupFields & { label: string; category: string }, actor: Actor) =>
  applyChange(db, actor, { action: 'create_group', key }, async (tx) => {
    if (await exists(tx, 'groups', key)) throw problem('name_taken', `There is already a group "${key}". Choose another key.`);
    await requireCategory(tx, fields.category);
    return tx
      .insertInto('groups')
      .values({ ...fields, key })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

export const updateTaxonomyGroup = (db: Db, key: string, fields: GroupFields, actor: Actor) =>
  applyChange(db, actor, { action: 'change_group', key, fields: Object.keys(fields) }, async (tx) => {
    const row = await tx.selectFrom('groups').selectAll().where('key', '=', key).executeTakeFirst();
    if (!row) throw unknownKey('group', key);
    if (fields.category !== undefined) {
      await requireCategory(tx, fields.category);
      if (key === 'other' && fields.category !== 'other')
        throw problem('taxonomy_in_use', 'The group "other" cannot leave the category "other".');
    }
    if (Object.keys(fields).length === 0) return row;
    return tx.updateTable('groups').set(fields).where('key', '=', key).returningAll().executeTakeFirstOrThrow();
  });

export const deleteTaxonomyGroup = (db: Db, key: string, actor: Actor) =>
  applyChange(db, actor, { action: 'delete_group', key }, async (tx) => {
    if (!(await exists(tx, 'groups', key))) throw unknownKey('group', key);
    if (key === 'other') throw problem('taxonomy_in_use', 'The group "other" cannot be deleted, because it holds files of unknown type.');
    const { count } = await tx
      .selectFrom('extensions')
      .select(sql<number>`count(*)`.as('count'))
      .where('group_key', '=', key)
      .executeTakeFirstOrThrow();
    if (count > 0)
      throw problem(
        'taxonomy_in_use',
        `The group "${key}" still has ${count} extension${count === 1 ? '' : 's'}. Move or remove them first.`,
      );
    await refuseIfSelected(tx, 'enabled_groups', key);
    await tx.deleteFrom('groups').where('key', '=', key).execute();
    return { deleted: key };
  });

/** Adds an extension to a group, moving it from its current group if it has one. */
export const addExtension = (db: Db, group: string, given: string, actor: Actor) => {
  const ext = parseExtension(given);
  return applyChange(db, actor, { action: 'add_extension', ext, group }, async (tx) => {
    if (!(await exists(tx, 'groups', group))) throw unknownKey('group', group);
    if (group === 'other')
      throw problem('unprocessable', 'The group "other" cannot have extensions. To move an extension there, remove it from its group.');
    const before = await tx.selectFrom('extensions').select('group_key').where('ext', '=', ext).executeTakeFirst();
    await sql`insert into extensions (ext, group_key) values (${ext}, ${group}) on conflict (ext) do update set group_key = excluded.group_key`.execute(
      tx,
    );
    return { ext, group, previous_group: before?.group_key ?? null };
  });
};

export const removeExtension = (db: Db, group: string, given: string, actor: Actor) =>
  applyChange(db, actor, { action: 'remove_extension', ext: given, group }, async (tx) => {
    const ext = given.toLowerCase();
    const { numDeletedRows } = await tx.deleteFrom('extensions').where('ext', '=', ext).where('group_key', '=', group).executeTakeFirst();
    if (numDeletedRows === 0n) throw problem('not_found', `The group "${group}" has no extension "${ext}".`);
    return { removed: ext };
  });

/** Normalizes input such as ".TAR.GZ" to "tar.gz". Only extensions that start with "tar." may have two parts. */
function parseExtension(given: string): string {
  const ext = given.trim().toLowerCase().replace(/^\./, '');
  if (!/^(?:tar\.)?[a-z0-9_+-]{1,32}$/.test(ext))
    throw fieldProblem(['body', 'ext'], 'Enter 1 to 32 letters, digits, _, + or -. A dot is allowed only after "tar".');
  return ext;
}

async function exists(db: Db, table: 'categories' | 'groups', key: string): Promise<boolean> {
  return (await db.selectFrom(table).select('key').where('key', '=', key).executeTakeFirst()) !== undefined;
}

async function requireCategory(db: Db, key: string): Promise<void> {
  if (!(await exists(db, 'categories', key)))
    throw problem('taxonomy_unknown', `There is no category "${key}".`, {
      errors: [{ loc: ['body', 'category'], msg: 'is not a known category', type: 'taxonomy_unknown' }],
    });
}

/** Refuses while a library selects it, because that library would silently exclude its files. */
async function refuseIfSelected(db: Db, column: 'enabled_categories' | 'enabled_groups', key: string): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select name from libraries where ${sql.ref(column)} @> array[${key}] order by name limit 5`.execute(db);
  if (rows.length > 0)
    throw problem(
      'taxonomy_in_use',
      `These libraries still select it: ${rows.map(({ name }) => name).join(', ')}. Change their file types first.`,
    );
}

function unknownKey(what: 'category' | 'group', key: string) {
  return problem('not_found', `There is no ${what} "${key}".`);
}
