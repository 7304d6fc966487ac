import type { Actor } from '../../platform/principal.ts';
import { problem, fieldProblem, notFound } from '../../platform/problem.ts';
import { recordEvent } from '../../people/audit/index.ts';

import type { Db } from '../../platform/database/index.ts';

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
    const made = await tx
      .insertInto('custom_fields')
      .values({ ...given, select_options: given.select_options ?? null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) throw problem('name_taken', `A field "${given.name}" exists already.`);
    await recordFieldEvent(tx, actor, 'create', made.name);
    return made;
  });
}

/** Name and type stay: values people entered are stored under the name and fit the type. */
export async function updateField(db: Db, id: string, given: FieldInput, actor: Actor): Promise<CustomField> {
  const before = await db.selectFrom('custom_fields').selectAll().where('id', '=', id).executeTakeFirst();
  if (!before) throw notFound('custom field');
  const { name, data_type, ...fields } = given;
  if (name !== undefined && name !== before.name)
    throw fieldProblem(['body', 'name'], 'The name of a field cannot be changed. Make a new field.', 'fixed');
  if (data_type !== undefined && data_type !== before.data_type)
    throw fieldProblem(['body', 'data_type'], 'The type of a field cannot be changed. Make a new field.', 'fixed');
  if (fields.select_options !== undefined) checkOptions(before.data_type, fields.select_options);
  await checkTargets(db, fields);
  if (Object.keys(fields).length === 0) return before;
  return db.transaction().execute(async (tx) => {
    const row = await tx.updateTable('custom_fields').set(fields).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await recordFieldEvent(tx, actor, 'change', row.name);
    return row;
  });
}

/** The values people entered stay in their notes; only the field's rules go. */
export async function deleteField(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const gone = await tx.deleteFrom('custom_fields').where('id', '=', id).returning('name').executeTakeFirst();
    if (!gone) throw notFound('custom field');
    await recordFieldEvent(tx, actor, 'delete', gone.name);
  });
}

function checkOptions(type: string, options: string[] | null): void {
  if (type === 'select' && !options?.length)
    throw fieldProblem(['body', 'select_options'], 'A field of type select needs its options.', 'select_options');
  if (type !== 'select' && options)
    throw fieldProblem(['body', 'select_options'], 'Only a field of type select has options.', 'select_options');
}

async function checkTargets(db: Db, { applies_to, library_ids }: FieldInput): Promise<void> {
  await checkTaxonomyKeys(db, { categories: applies_to }, { categories: ['body', 'applies_to'], groups: [] });
  if (!library_ids?.length) return;
  const known = await db.selectFrom('libraries').select('id').where('id', 'in', library_ids).execute();
  const stray = library_ids.find((id) => !known.some((row) => row.id === id));
  if (stray) throw fieldProblem(['body', 'library_ids'], `No library has the id ${stray}.`, 'library_unknown');
}

async function recordFieldEvent(db: Db, actor: Actor, action: string, name: string): Promise<void> {
  await recordEvent(db, { event_type: 'custom_field_changed', principal_id: actor.principalId, ip: actor.ip, details: { action, name } });
}
