import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { enqueue } from '../../platform/queue/index.ts';
import { nullable } from '../../platform/schemas.ts';
import { taxonomyTree, taxonomyVersion } from './live.ts';
import { registryGroups } from './registry.ts';
import {
  CategoryCreate,
  CategoryOut,
  CategoryUpdate,
  Deleted,
  ExtensionAdd,
  ExtensionAdded,
  FileGroupOut,
  GroupCreate,
  GroupUpdate,
  Removed,
  SeedSync,
  TaxonomyGroupOut,
  TaxonomyOut,
} from './schemas.ts';
import { seedTaxonomy } from './seed.ts';
import {
  addExtension,
  createCategory,
  createTaxonomyGroup,
  deleteCategory,
  deleteTaxonomyGroup,
  removeExtension,
  updateCategory,
  updateTaxonomyGroup,
} from './service.ts';
import { reclassifyTask } from './tasks.ts';

const tags = ['taxonomy'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ key: Type.String({ maxLength: 64 }) });

export function taxonomyRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/system/file-groups',
    { config: read, schema: { tags, summary: 'List the built-in file groups', response: { 200: Type.Array(FileGroupOut) } } },
    async () =>
      registryGroups.map(({ key, label, category, description, extensions }) => ({
        id: key,
        label,
        file_category: category,
        description,
        extensions: [...extensions],
      })),
  );

  app.get(
    '/taxonomy',
    { config: read, schema: { tags, summary: 'Get the taxonomy as a tree', response: { 200: TaxonomyOut } } },
    async () => taxonomyTree(db),
  );

  app.post(
    '/taxonomy/categories',
    { config: admin, schema: { tags, summary: 'Create a category', body: CategoryCreate, response: { 201: CategoryOut } } },
    async (request, reply) => {
      const { key, ...fields } = request.body;
      return reply.code(201).send(await createCategory(db, key, fields, actorOf(request)));
    },
  );

  app.patch(
    '/taxonomy/categories/:key',
    { config: admin, schema: { tags, summary: 'Update a category', params, body: CategoryUpdate, response: { 200: CategoryOut } } },
    async (request) => updateCategory(db, request.params.key, request.body, actorOf(request)),
  );

  app.delete(
    '/taxonomy/categories/:key',
    { config: admin, schema: { tags, summary: 'Delete an empty category', params, response: { 200: Deleted } } },
    async (request) => deleteCategory(db, request.params.key, actorOf(request)),
  );

  app.post(
    '/taxonomy/groups',
    { config: admin, schema: { tags, summary: 'Create a group', body: GroupCreate, response: { 201: TaxonomyGroupOut } } },
    async (request, reply) => {
      const { key, ...fields } = request.body;
      return reply.code(201).send(await createTaxonomyGroup(db, key, fields, actorOf(request)));
    },
  );

  app.patch(
    '/taxonomy/groups/:key',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Update a group or move it to another category',
        params,
        body: GroupUpdate,
        response: { 200: TaxonomyGroupOut },
      },
    },
    async (request) => updateTaxonomyGroup(db, request.params.key, request.body, actorOf(request)),
  );

  app.delete(
    '/taxonomy/groups/:key',
    { config: admin, schema: { tags, summary: 'Delete an empty group', params, response: { 200: Deleted } } },
    async (request) => deleteTaxonomyGroup(db, request.params.key, actorOf(request)),
  );

  app.post(
    '/taxonomy/groups/:key/extensions',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Add an extension to a group, or move it from another group',
        params,
        body: ExtensionAdd,
        response: { 200: ExtensionAdded },
      },
    },
    async (request) => addExtension(db, request.params.key, request.body.ext, actorOf(request)),
  );

  app.delete(
    '/taxonomy/groups/:key/extensions/:ext',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Remove an extension from a group',
        params: Type.Object({ key: Type.String({ maxLength: 64 }), ext: Type.String({ maxLength: 40 }) }),
        response: { 200: Removed },
      },
    },
    async (request) => removeExtension(db, request.params.key, request.params.ext, actorOf(request)),
  );

  app.post(
    '/taxonomy/sync-seed',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Restore deleted built-in categories, groups and extensions',
        querystring: Type.Object({ dry_run: Type.Optional(Type.Boolean({ default: false })) }),
        response: { 200: SeedSync },
      },
    },
    async ({ query: { dry_run = false } }) => {
      const added = await seedTaxonomy(db, { everything: true, dryRun: dry_run });
      const version = await taxonomyVersion(db);
      return { dry_run, ...added, version };
    },
  );

  app.post(
    '/system/reclassify-extensions',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Start reclassifying all items',
        response: { 200: Type.Object({ job_id: nullable(Type.String()), already_queued: Type.Boolean() }) },
      },
    },
    async () => {
      const job_id = await enqueue(db, reclassifyTask, {}, { lock: 'reclassify_extensions' });
      return { job_id, already_queued: job_id === null };
    },
  );
}
