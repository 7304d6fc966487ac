import { type TSchema, Type } from 'typebox';
import { noExtraFields, nullable } from '../../platform/schemas.ts';
import { type Field, fields, type Provider } from './fields.ts';

const Text = Type.String({ maxLength: 20_000 });
const optionalEntry = ({ keys = [] }: Field) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Optional(Text)])) as Record<string, TSchema>, noExtraFields);

function valueSchema(field: Field): TSchema {
  switch (field.kind) {
    case 'boolean':
      return Type.Boolean();
    case 'integer':
      return Type.Integer({ minimum: field.minimum ?? 0, maximum: field.maximum ?? 1_000_000 });
    case 'list':
      return Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 500 });
    case 'entries':
      return Type.Array(optionalEntry(field), { maxItems: 50 });
    default:
      return Text;
  }
}

const entriesOf = (provider: Provider): [string, Field][] => Object.entries(fields[provider]);

/** Values of a form. Null removes a value saved in the console; the secret `__unchanged__` keeps the stored one, an empty one clears it. */
export function configIn(provider: Provider, more: Record<string, TSchema> = {}) {
  const properties = entriesOf(provider).map(([name, field]) => [name, Type.Optional(nullable(valueSchema(field)))]);
  return Type.Object({ ...(Object.fromEntries(properties) as Record<string, TSchema>), ...more }, noExtraFields);
}

export function configOut(provider: Provider) {
  const rows = entriesOf(provider);
  const values = rows.map(([name, field]) =>
    field.kind === 'secret'
      ? [`has_${name}`, Type.Boolean()]
      : [name, field.kind === 'boolean' ? Type.Boolean() : nullable(valueSchema(field))],
  );
  const Source = Type.Enum(['gui', 'env', 'unset']);
  return Type.Object(
    {
      ...(Object.fromEntries(values) as Record<string, TSchema>),
      _source: Type.Object(Object.fromEntries(rows.map(([name]) => [name, Source])) as Record<string, TSchema>),
    },
    { title: `${provider === 'oidc' ? 'Oidc' : provider === 'ldap' ? 'Ldap' : 'Directory'}Config` },
  );
}

export const Warnings = Type.Array(Type.String(), { description: 'What people would notice if this were saved.' });
