import { Type } from 'typebox';
import { noExtraFields, nullable } from '../../platform/schemas.ts';
import { extractorNames } from './service.ts';

const Key = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  description: 'lower-case letters, digits and hyphens, at most 64 characters',
});
const Label = Type.String({ minLength: 1, maxLength: 128 });
const Description = Type.String({ maxLength: 2000 });
const Extractor = nullable(Type.Enum([...extractorNames]));
const Order = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });

export const FileGroupOut = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    file_category: Type.String(),
    description: Type.String(),
    extensions: Type.Array(Type.String()),
  },
  { title: 'FileGroupOut' },
);

const group = {
  key: Type.String(),
  label: Type.String(),
  description: Type.String(),
  category: Type.String(),
  sort_order: Type.Integer(),
  is_builtin: Type.Boolean(),
};
const category = {
  key: Type.String(),
  label: Type.String(),
  description: Type.String(),
  extractor: nullable(Type.String()),
  sort_order: Type.Integer(),
  is_builtin: Type.Boolean(),
};
export const CategoryOut = Type.Object({ ...category, version: Type.Integer() }, { title: 'CategoryOut' });
export const TaxonomyGroupOut = Type.Object({ ...group, version: Type.Integer() }, { title: 'TaxonomyGroupOut' });
export const TaxonomyOut = Type.Object(
  {
    version: Type.Integer(),
    /** Lower than `version` while a background job applies a change to existing items. */
    reclassified_version: Type.Integer(),
    tree: Type.Array(Type.Object({ ...category, groups: Type.Array(Type.Object({ ...group, extensions: Type.Array(Type.String()) })) })),
  },
  { title: 'TaxonomyOut' },
);

export const CategoryCreate = Type.Object(
  {
    key: Key,
    label: Label,
    description: Type.Optional(Description),
    extractor: Type.Optional(Extractor),
    sort_order: Type.Optional(Order),
  },
  noExtraFields,
);
export const CategoryUpdate = Type.Object(
  {
    label: Type.Optional(Label),
    description: Type.Optional(Description),
    extractor: Type.Optional(Extractor),
    sort_order: Type.Optional(Order),
  },
  noExtraFields,
);
export const GroupCreate = Type.Object(
  { key: Key, label: Label, description: Type.Optional(Description), category: Key, sort_order: Type.Optional(Order) },
  noExtraFields,
);
export const GroupUpdate = Type.Object(
  { label: Type.Optional(Label), description: Type.Optional(Description), category: Type.Optional(Key), sort_order: Type.Optional(Order) },
  noExtraFields,
);
export const ExtensionAdd = Type.Object({ ext: Type.String({ minLength: 1, maxLength: 40 }) }, noExtraFields);
export const ExtensionAdded = Type.Object({
  ext: Type.String(),
  group: Type.String(),
  previous_group: nullable(Type.String()),
  version: Type.Integer(),
});
export const Deleted = Type.Object({ deleted: Type.String(), version: Type.Integer() });
export const Removed = Type.Object({ removed: Type.String(), version: Type.Integer() });
export const SeedSync = Type.Object({
  dry_run: Type.Boolean(),
  categories: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  extensions: Type.Array(Type.String()),
  version: Type.Integer(),
});
