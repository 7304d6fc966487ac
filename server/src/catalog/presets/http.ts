import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { NoContent, noExtraFields, nullable } from '../../platform/schemas.ts';
import { allPresets, createPreset, deletePreset, findPreset, forkPreset, presetUsage, updatePreset } from './service.ts';
import { extensionGroups } from './shipped.ts';

const Label = Type.String({ minLength: 1, maxLength: 120 });
const Caveat = nullable(Type.String({ maxLength: 500 }));
/** Gitignore syntax, one pattern per entry; line breaks are refused because they would hide a second pattern. */
const Patterns = Type.Array(Type.String({ maxLength: 512, pattern: '^[^\\u0000\\n]*$' }), { maxItems: 500 });
const PresetName = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9_-]{1,63}$',
  description: 'lower-case letters, digits, hyphens and underscores, 2 to 64 characters',
});

const PresetOut = Type.Object(
  {
    name: Type.String(),
    label: Type.String(),
    patterns: Type.Array(Type.String()),
    default_enabled: Type.Boolean(),
    caveat: nullable(Type.String()),
    builtin: Type.Boolean(),
    used_by: Type.Integer({ description: 'Number of libraries that use the preset.' }),
  },
  { title: 'PresetOut' },
);
const PresetsOut = Type.Object(
  {
    presets: Type.Array(PresetOut),
    extension_groups: Type.Array(
      Type.Object({ name: Type.String(), label: Type.String(), file_category: Type.String(), extensions: Type.Array(Type.String()) }),
    ),
  },
  { title: 'PresetsResponse' },
);
const PresetIn = Type.Object(
  {
    name: PresetName,
    label: Type.Optional(Label),
    patterns: Type.Optional(Patterns),
    caveat: Type.Optional(Caveat),
  },
  noExtraFields,
);
const PresetPatchIn = Type.Object(
  { label: Type.Optional(Label), patterns: Type.Optional(Patterns), caveat: Type.Optional(Caveat) },
  noExtraFields,
);
const ForkIn = Type.Object({ name: PresetName, label: Type.Optional(nullable(Label)) }, noExtraFields);

const tags = ['presets'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ name: Type.String({ maxLength: 64 }) });

export function presetRoutes(app: App, { db }: Dependencies): void {
  const getPreset = async (name: string) => ({ ...(await findPreset(db, name)), used_by: (await presetUsage(db)).get(name) ?? 0 });

  app.get('/presets', { config: read, schema: { tags, summary: 'List exclusion presets', response: { 200: PresetsOut } } }, async () => {
    const use = await presetUsage(db);
    return {
      presets: (await allPresets(db)).map((preset) => ({ ...preset, used_by: use.get(preset.name) ?? 0 })),
      extension_groups: extensionGroups.map((group) => ({ ...group, extensions: [...group.extensions] })),
    };
  });

  app.get(
    '/presets/:name',
    { config: read, schema: { tags, summary: 'Get a preset', params, response: { 200: PresetOut } } },
    async (request) => getPreset(request.params.name),
  );

  app.post(
    '/presets',
    { config: admin, schema: { tags, summary: 'Create a preset', body: PresetIn, response: { 201: PresetOut } } },
    async (request, reply) => {
      const { name, label = name, patterns = [], caveat = null } = request.body;
      await createPreset(db, { name, label, patterns, caveat }, actorOf(request));
      return reply.code(201).send(await getPreset(name));
    },
  );

  app.patch(
    '/presets/:name',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Update a custom preset (takes effect with the next scan)',
        params,
        body: PresetPatchIn,
        response: { 200: PresetOut },
      },
    },
    async (request) => {
      await updatePreset(db, request.params.name, request.body, actorOf(request));
      return getPreset(request.params.name);
    },
  );

  app.delete(
    '/presets/:name',
    { config: admin, schema: { tags, summary: 'Delete a custom preset that no library uses', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await deletePreset(db, request.params.name, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/presets/:name/fork',
    {
      config: admin,
      schema: { tags, summary: 'Create a copy of a preset', params, body: ForkIn, response: { 201: PresetOut } },
    },
    async (request, reply) => {
      await forkPreset(db, request.params.name, request.body.name, request.body.label, actorOf(request));
      return reply.code(201).send(await getPreset(request.body.name));
    },
  );
}
