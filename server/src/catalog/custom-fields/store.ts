import type { Generated, Selectable } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { type FieldError, problem } from '../../platform/problem.ts';

export const dataTypes = ['string', 'integer', 'float', 'boolean', 'date', 'url', 'select'] as const;

interface CustomFieldsTable {
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

/** Fields that apply to this category and library, or all fields without a filter. A field without categories or libraries applies to all. */
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

/** Checks entered values against the custom fields that apply to the item. Other keys are not checked. */
export async function checkCustomFields(
  db: Db,
  values: Record<string, unknown>,
  item: { libraryId: string; category: string },
): Promise<void> {
  const errors: FieldError[] = [];
  for (const field of await customFields(db, item)) {
    if (!Object.hasOwn(values, field.name)) continue;
    const msg = fieldError(field, values[field.name]);
    if (msg) errors.push({ loc: ['body', 'user_metadata', field.name], msg, type: 'custom_field' });
  }
  if (errors.length > 0)
    throw problem(
      'validation_failed',
      errors
        .map(({ loc, msg }) => `${loc.at(-1)} ${msg}`)
        .join('; ')
        .concat('.'),
      { errors, field_source: 'custom_field' },
    );
}

const addressSchemes = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'sftp:', 'smb:', 'file:', 'mailto:']);

function fieldError(field: Pick<CustomField, 'data_type' | 'select_options' | 'required'>, value: unknown): string | null {
  if (value === null || value === undefined) return field.required ? 'is required and cannot be removed' : null;
  switch (field.data_type) {
    case 'string':
      return typeof value === 'string' ? null : 'must be text';
    case 'integer':
      return Number.isSafeInteger(value) ? null : 'must be a whole number';
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : 'must be a date such as 2026-03-14';
    case 'url':
      return typeof value === 'string' && isAddress(value) ? null : 'must be an address such as https://example.org/';
    case 'select':
      return typeof value === 'string' && field.select_options?.includes(value)
        ? null
        : `must be one of ${field.select_options?.join(', ')}`;
  }
}

function isDate(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text)?.[1];
  if (!day || Number.isNaN(Date.parse(text))) return false;
  // Date.parse accepts 31 April as 1 May.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function isAddress(text: string): boolean {
  try {
    return addressSchemes.has(new URL(text).protocol);
  } catch {
    return false;
  }
}
