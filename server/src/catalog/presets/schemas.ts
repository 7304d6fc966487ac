import { nullable, noExtraFields } from '../../platform/schemas.ts';
import { Type } from 'typebox';

const Label = Type.String({ minLength: 1, maxLength: 120 });
const Caveat = nullable(Type.String({ maxLength: 500 }));
/** The ignore-file syntax, one pattern an entry: a line break inside one would hide a second pattern. */
export const Patterns = Type.Array(Type.String({ maxLength: 512, pattern: '^[^\\u0000\\n]*$' }), { maxItems: 500 });
export const PresetName = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9_-]{1,63}$',
  description: 'small letters, digits, - and _, 2 to 64 of them',
});

export const PresetOut = Type.Object(
  {
    name: Type.String(),
    label: Type.String(),
    patterns: Type.Array(Type.String()),
    default_enabled: Type.Boolean(),
    caveat: nullable(Type.String()),
    builtin: Type.Boolean(),
    used_by: Type.Integer({ description: 'Libraries in which the preset is in effect.' }),
  },
  { title: 'PresetOut' },
);
export const PresetsOut = Type.Object(
  {
    presets: Type.Array(PresetOut),
    extension_groups: Type.Array(
      Type.Object({ name: Type.String(), label: Type.String(), file_category: Type.String(), extensions: Type.Array(Type.String()) }),
    ),
  },
  { title: 'PresetsResponse' },
);
export const PresetIn = Type.Object(
  { name: PresetName, label: Label, patterns: Type.Optional(Patterns), caveat: Type.Optional(Caveat) },
  noExtraFields,
);
export const PresetPatchIn = Type.Object(
  { label: Type.Optional(Label), patterns: Type.Optional(Patterns), caveat: Type.Optional(Caveat) },
  noExtraFields,
);
export const ForkIn = Type.Object({ name: PresetName, label: Type.Optional(nullable(Label)) }, noExtraFields);
