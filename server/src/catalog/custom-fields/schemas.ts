import { Id, nullable, noExtraFields, Time } from '../../platform/schemas.ts';
import { Type } from 'typebox';

export const dataTypes = ['string', 'integer', 'float', 'boolean', 'date', 'url', 'select'] as const;

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', description: 'small letters, digits and _, a letter first, 63 at most' });
const Label = Type.String({ minLength: 1, maxLength: 120 });
const Options = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' }), {
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
});
const Categories = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, uniqueItems: true });
const Libraries = Type.Array(Id, { maxItems: 500, uniqueItems: true });
const flags = {
  facetable: Type.Optional(Type.Boolean()),
  sortable: Type.Optional(Type.Boolean()),
  required: Type.Optional(Type.Boolean()),
};

export const CustomFieldIn = Type.Object(
  {
    name: Name,
    label: Label,
    data_type: Type.Enum([...dataTypes]),
    select_options: Type.Optional(nullable(Options)),
    applies_to: Type.Optional(Categories),
    library_ids: Type.Optional(Libraries),
    ...flags,
  },
  noExtraFields,
);
export const CustomFieldUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    data_type: Type.Optional(Type.Enum([...dataTypes])),
    label: Type.Optional(Label),
    select_options: Type.Optional(nullable(Options)),
    applies_to: Type.Optional(Categories),
    library_ids: Type.Optional(Libraries),
    ...flags,
  },
  noExtraFields,
);
export const CustomFieldOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    label: Type.String(),
    data_type: Type.Enum([...dataTypes]),
    select_options: nullable(Type.Array(Type.String())),
    applies_to: Type.Array(Type.String()),
    library_ids: Type.Array(Id),
    facetable: Type.Boolean(),
    sortable: Type.Boolean(),
    required: Type.Boolean(),
    created_at: Time,
  },
  { title: 'CustomFieldOut' },
);
