import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { checkTaxonomyKeys } from '../taxonomy/index.ts';
import type { CustomField } from './store.ts';

export type FieldInput = Partial<Omit<CustomField, 'id' | 'created_at'>>;

export async function createField(
  db: Db,
  given: FieldInput & Pick<CustomField, 'name' | 'label' | 'data_type'>,
  actor: Actor,
): Promise<CustomField> {
  checkOptions(given.data_type, given.select_options ?? null);
  await checkTargets(db, given);
  return db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('custom_fields')
      .values({ ...given, select_options: given.select_options ?? null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!created) throw problem('name_taken', `There is already a field "${given.name}". Choose another name.`);
    await recordFieldEvent(tx, actor, 'create', created.name);
    return created;
  });
}

/** Name and type cannot change, because entered values are stored under the name and match the type. */
export async function updateField(db: Db, id: string, given: FieldInput, actor: Actor): Promise<CustomField> {
  const before = await db.selectFrom('custom_fields').selectAll().where('id', '=', id).executeTakeFirst();
  if (!before) throw notFound('custom field');
  const { name, data_type, ...fields } = given;
  if (name !== undefined && name !== before.name)
    throw fieldProblem(['body', 'name'], 'The name of a field cannot be changed. Create a new field.', 'fixed');
  if (data_type !== undefined && data_type !== before.data_type)
    throw fieldProblem(['body', 'data_type'], 'The type of a field cannot be changed. Create a new field.', 'fixed');
  if (fields.select_options !== undefined) checkOptions(before.data_type, fields.select_options);
  // The console sends every library when a person saves, also one that was deleted since it was chosen.
  await checkTargets(db, { ...fields, library_ids: fields.library_ids?.filter((library) => !before.library_ids.includes(library)) });
  if (Object.keys(fields).length === 0) return before;
  return db.transaction().execute(async (tx) => {
    const row = await tx.updateTable('custom_fields').set(fields).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await recordFieldEvent(tx, actor, 'change', row.name);
    return row;
  });
}

/** Entered values are kept as notes without the rules of the field. */
export async function deleteField(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deleted = await tx.deleteFrom('custom_fields').where('id', '=', id).returning('name').executeTakeFirst();
    if (!deleted) throw notFound('custom field');
    await recordFieldEvent(tx, actor, 'delete', deleted.name);
  });
}

function checkOptions(type: string, options: string[] | null): void {
  if (type === 'select' && !options?.length)
    throw fieldProblem(['body', 'select_options'], 'Enter the options of the select field.', 'select_options');
  if (type !== 'select' && options)
    throw fieldProblem(
      ['body', 'select_options'],
      'Only a select field can have options. Remove them or choose the type select.',
      'select_options',
    );
}

async function checkTargets(
  db: Db,
  { applies_to, library_ids }: { applies_to?: string[] | undefined; library_ids?: string[] | undefined },
): Promise<void> {
  await checkTaxonomyKeys(db, { categories: applies_to }, { categories: ['body', 'applies_to'], groups: [] });
  if (!library_ids?.length) return;
  const known = await db.selectFrom('libraries').select('id').where('id', 'in', library_ids).execute();
  const unknown = library_ids.find((id) => !known.some((row) => row.id === id));
  if (unknown) throw fieldProblem(['body', 'library_ids'], `There is no library with the id ${unknown}.`, 'library_unknown');
}

async function recordFieldEvent(db: Db, actor: Actor, action: string, name: string): Promise<void> {
  await recordEvent(db, { event_type: 'custom_field_changed', principal_id: actor.principalId, ip: actor.ip, details: { action, name } });
}
