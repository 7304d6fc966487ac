import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { checkTaxonomyKeys } from '../taxonomy/index.ts';
import { createField, deleteField, updateField } from './service.ts';
import { type CustomField, customFields, dataTypes } from './store.ts';

const Name = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  description: 'lower-case letters, digits and underscores, starting with a letter, at most 63 characters',
});
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

const CustomFieldIn = Type.Object(
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
const CustomFieldUpdate = Type.Object(
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
const CustomFieldOut = Type.Object(
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

const tags = ['custom fields'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ field_id: Id });

export function customFieldRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/custom-fields',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List custom fields',
        querystring: Type.Object({ applies_to: Type.Optional(Type.String({ maxLength: 64 })), library_id: Type.Optional(Id) }),
        response: { 200: Type.Array(CustomFieldOut) },
      },
    },
    async (request) => {
      const { applies_to, library_id } = request.query;
      await checkTaxonomyKeys(
        db,
        { categories: applies_to === undefined ? [] : [applies_to] },
        { categories: ['query', 'applies_to'], groups: [] },
      );
      const visibility = await visibilityOf(db, callerOf(request));
      const rows = await customFields(db, { category: applies_to, libraryId: library_id });
      return rows.flatMap((row) => {
        const library_ids = row.library_ids.filter((id) => visibility.mayEnter(id));
        // A field of hidden libraries only must not look like one of all libraries.
        return row.library_ids.length > 0 && library_ids.length === 0 ? [] : [present({ ...row, library_ids })];
      });
    },
  );

  app.post(
    '/custom-fields',
    { config: admin, schema: { tags, summary: 'Create a custom field', body: CustomFieldIn, response: { 201: CustomFieldOut } } },
    async (request, reply) => reply.code(201).send(present(await createField(db, request.body, actorOf(request)))),
  );

  app.patch(
    '/custom-fields/:field_id',
    {
      config: admin,
      schema: { tags, summary: 'Update a custom field', params, body: CustomFieldUpdate, response: { 200: CustomFieldOut } },
    },
    async (request) => present(await updateField(db, request.params.field_id, request.body, actorOf(request))),
  );

  app.delete(
    '/custom-fields/:field_id',
    {
      config: admin,
      schema: { tags, summary: 'Delete a custom field (entered values are kept)', params, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await deleteField(db, request.params.field_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function present(row: CustomField) {
  return { ...row, created_at: row.created_at.toISOString() };
}
