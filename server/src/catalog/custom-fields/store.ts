import type { Generated, Selectable } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { dataTypes } from './schemas.ts';

export interface CustomFieldsTable {
  id: Generated<string>;
  name: string;
  label: string;
  data_type: (typeof dataTypes)[number];
  select_options: string[] | null;
  applies_to: Generated<string[]>;
  library_ids: Generated<string[]>;
  facetable: Generated<boolean>;
  sortable: Generated<boolean>;
  required: Generated<boolean>;
  created_at: Generated<Date>;
}
export type CustomField = Selectable<CustomFieldsTable>;

declare module '../../platform/database/tables.ts' {
  interface Tables {
    custom_fields: CustomFieldsTable;
  }
}

/** Fields that belong to this category and library; all when neither is named. A field that names none belongs to every one. */
export async function customFields(
  db: Db,
  filter: { category?: string | undefined; libraryId?: string | undefined } = {},
): Promise<CustomField[]> {
  const rows = await db.selectFrom('custom_fields').selectAll().orderBy('name').execute();
  return rows.filter(
    ({ applies_to, library_ids }) =>
      (filter.category === undefined || applies_to.length === 0 || applies_to.includes(filter.category)) &&
      (filter.libraryId === undefined || library_ids.length === 0 || library_ids.includes(filter.libraryId)),
  );
}
