import { Type } from 'typebox';
import { NoContent, nullable, noExtraFields } from '../../platform/schemas.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { extensionGroups } from './shipped.ts';
import { allPresets, updatePreset, createPreset, deletePreset, forkPreset, findPreset, presetUsage } from './service.ts';

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

const tags = ['presets'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ name: Type.String({ maxLength: 64 }) });

export function presetRoutes(app: App, { db }: Dependencies): void {
  const one = async (name: string) => ({ ...(await findPreset(db, name)), used_by: (await presetUsage(db)).get(name) ?? 0 });

  app.get('/presets', { config: read, schema: { tags, summary: 'Exclusion presets', response: { 200: PresetsOut } } }, async () => {
    const use = await presetUsage(db);
    return {
      presets: (await allPresets(db)).map((preset) => ({ ...preset, used_by: use.get(preset.name) ?? 0 })),
      extension_groups: extensionGroups.map((group) => ({ ...group, extensions: [...group.extensions] })),
    };
  });

  app.get(
    '/presets/:name',
    { config: read, schema: { tags, summary: 'One preset', params, response: { 200: PresetOut } } },
    async (request) => one(request.params.name),
  );

  app.post(
    '/presets',
    { config: admin, schema: { tags, summary: 'Create a preset', body: PresetIn, response: { 201: PresetOut } } },
    async (request, reply) => {
      const { name, label, patterns = [], caveat = null } = request.body;
      await createPreset(db, { name, label, patterns, caveat }, actorOf(request));
      return reply.code(201).send(await one(name));
    },
  );

  app.patch(
    '/presets/:name',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change a preset of your own; it takes effect with the next scan',
        params,
        body: PresetPatchIn,
        response: { 200: PresetOut },
      },
    },
    async (request) => {
      await updatePreset(db, request.params.name, request.body, actorOf(request));
      return one(request.params.name);
    },
  );

  app.delete(
    '/presets/:name',
    { config: admin, schema: { tags, summary: 'Delete a preset that no library enables', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await deletePreset(db, request.params.name, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/presets/:name/fork',
    {
      config: admin,
      schema: { tags, summary: 'Copy a preset under a name of your own', params, body: ForkIn, response: { 201: PresetOut } },
    },
    async (request, reply) => {
      await forkPreset(db, request.params.name, request.body.name, request.body.label, actorOf(request));
      return reply.code(201).send(await one(request.body.name));
    },
  );
}
