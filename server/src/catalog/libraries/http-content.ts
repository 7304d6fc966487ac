import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, NoContent, nullable, pageQuery, Time } from '../../platform/schemas.ts';
import { diagnose, listExtractErrors } from './diagnose.ts';
import { createScanPath, deleteScanPath, listScanPaths, parseRelPath, updateScanPath } from './scan-paths.ts';
import { ErrorsOut, ScanPathIn, ScanPathOut, ScanPathUpdate, TreeOut } from './schemas.ts';
import { readableLibrary } from './store.ts';
import { treeLevel } from './tree.ts';

const tags = ['libraries'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ library_id: Id });
const pathParams = Type.Object({ library_id: Id, scan_path_id: Id });
const Offset = Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 });

export function libraryContentRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/libraries/:library_id/tree',
    {
      config: read,
      schema: {
        tags,
        summary: 'List one level of folders and items',
        params,
        querystring: Type.Object({
          path: Type.Optional(Type.String({ maxLength: 4096, default: '', pattern: '^[^\\u0000]*$' })),
          ...pageQuery(500, 100),
          offset: Type.Optional(Offset),
          folders_offset: Type.Optional(Offset),
          items_sort: Type.Optional(
            Type.Enum(['name', 'size', 'mtime'], {
              default: 'name',
              description: 'By name, or largest or newest first. Only items sorted by name have a cursor; page the others by `offset`.',
            }),
          ),
          folders_sort: Type.Optional(Type.Enum(['name', 'size', 'count'], { default: 'name', description: 'By name, or largest first.' })),
        }),
        response: { 200: TreeOut },
      },
    },
    async (request) => {
      const { path = '', limit = 100, offset = 0, folders_offset = 0, folders_sort = 'name', items_sort = 'name', cursor } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      const library = await readableLibrary(db, visibility, request.params.library_id);
      return treeLevel(db, visibility, library, {
        path: parseRelPath(path, ['query', 'path']),
        limit,
        offset,
        foldersOffset: folders_offset,
        foldersSort: folders_sort,
        itemsSort: items_sort,
        cursor,
      });
    },
  );

  app.get(
    '/libraries/:library_id/errors',
    {
      config: read,
      schema: {
        tags,
        summary: 'List items whose extraction failed',
        params,
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
          offset: Type.Optional(Offset),
        }),
        response: { 200: ErrorsOut },
      },
    },
    async (request) => {
      const { limit = 50, offset = 0 } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      const library = await readableLibrary(db, visibility, request.params.library_id);
      return listExtractErrors(db, visibility, library.id, { limit, offset });
    },
  );

  const getScanPath = async (libraryId: string, id: string) => one((await listScanPaths(db, libraryId)).filter((path) => path.id === id));

  app.get(
    '/libraries/:library_id/scan-paths',
    { config: read, schema: { tags, summary: 'List folders with their own schedule', params, response: { 200: Type.Array(ScanPathOut) } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const library = await readableLibrary(db, visibility, request.params.library_id);
      const paths = await listScanPaths(db, library.id);
      return paths.filter(({ rel_path }) => visibility.allows(library.id, rel_path, 'search_metadata'));
    },
  );

  app.post(
    '/libraries/:library_id/scan-paths',
    {
      config: admin,
      schema: { tags, summary: 'Create a schedule for a folder', params, body: ScanPathIn, response: { 201: ScanPathOut } },
    },
    async (request, reply) => {
      const { library_id } = request.params;
      const id = await createScanPath(db, library_id, request.body, actorOf(request));
      return reply.code(201).send(await getScanPath(library_id, id));
    },
  );

  app.patch(
    '/libraries/:library_id/scan-paths/:scan_path_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Update the schedule of a folder',
        params: pathParams,
        body: ScanPathUpdate,
        response: { 200: ScanPathOut },
      },
    },
    async (request) => {
      const { library_id, scan_path_id } = request.params;
      await updateScanPath(db, library_id, scan_path_id, request.body, actorOf(request));
      return getScanPath(library_id, scan_path_id);
    },
  );

  app.delete(
    '/libraries/:library_id/scan-paths/:scan_path_id',
    { config: admin, schema: { tags, summary: 'Delete the schedule of a folder', params: pathParams, response: { 204: NoContent } } },
    async (request, reply) => {
      await deleteScanPath(db, request.params.library_id, request.params.scan_path_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

const Diagnosis = Type.Object(
  {
    library_id: Id,
    path: nullable(Type.Object({ root_path: Type.String(), state: Type.String(), code: nullable(Type.String()), network: Type.Boolean() })),
    runs: Type.Array(
      Type.Object({
        id: Id,
        status: Type.String(),
        scope: Type.String(),
        started_at: Time,
        finished_at: nullable(Time),
        error: nullable(Type.String()),
      }),
    ),
    extract_errors: Type.Object({
      total: Type.Integer(),
      by_kind: Type.Record(Type.String(), Type.Integer()),
      top_messages: Type.Array(Type.Object({ message: Type.String(), count: Type.Integer() })),
    }),
    failed_jobs: Type.Array(Type.Object({ id: Id, task: Type.String(), finished_at: nullable(Time), error: nullable(Type.String()) }), {
      description: 'The newest ones. Empty for a caller who sees only part of the catalog.',
    }),
    logs: Type.Array(Type.Object({ ts: Time, level: Type.String(), message: Type.String() }), {
      description: 'The newest warnings and errors that name the library. Empty for a caller who sees only part of the catalog.',
    }),
    agent: nullable(
      Type.Object({
        id: Id,
        name: Type.String(),
        status: Type.Enum(['pending', 'active', 'revoked']),
        last_seen_at: nullable(Time),
        last_reconcile_at: nullable(Time),
      }),
    ),
    verdicts: Type.Array(
      Type.Object({
        severity: Type.Enum(['ok', 'info', 'warning', 'error']),
        code: Type.String(),
        title: Type.String(),
        detail: Type.String(),
        actions: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'LibraryDiagnosis' },
);

export function libraryDiagnosisRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/libraries/:library_id/diagnose',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['libraries'],
        summary: 'Diagnose a library',
        params: Type.Object({ library_id: Id }),
        response: { 200: Diagnosis },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return diagnose({ db, now: clock.now() }, visibility, await readableLibrary(db, visibility, request.params.library_id));
    },
  );
}
