import { type Static, Type } from 'typebox';
import { customFields } from '../../catalog/custom-fields/index.ts';
import { createShareMap } from '../../catalog/libraries/index.ts';
import { describeRights, visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { ExportOut, ExportParams, type ExportService, type FileReply, fileChoice, formatNames, presentExport } from '../exports/index.ts';
import { fileParameters, presentColumns, runPage, runPageMembers } from '../reports/index.ts';
import { coreColumns } from './columns.ts';
import { openDefinition } from './run.ts';
import {
  changeReport,
  copyReport,
  createReport,
  inputOf,
  mayEditReport,
  type ReportInUse,
  readableReport,
  removeReport,
  reportsFor,
} from './service.ts';
import type { CustomReport } from './store.ts';
import { validateDefinition } from './validate.ts';

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*\\S[^\\u0000]*$' });
const Query = Type.String({ maxLength: 4000, pattern: '^[^\\u0000]*$' });
const Column = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000]*$' });
const Columns = Type.Array(Column, { maxItems: 50, uniqueItems: true });
const Sort = Type.Union([Type.Array(Column, { maxItems: 8 }), Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$' })], {
  description: 'Columns in order of precedence, as a list or separated by commas; a leading - sorts descending',
});
const shape = {
  query: Type.Optional(Query),
  columns: Type.Optional(Columns),
  sort: Type.Optional(nullable(Sort)),
  group_by: Type.Optional(Type.Array(Column, { maxItems: 4, uniqueItems: true })),
  aggregates: Type.Optional(
    Type.Array(Column, { maxItems: 10, uniqueItems: true, description: 'count, or sum:, min: or max: and a column' }),
  ),
};
const Format = Type.Enum(['json', ...formatNames]);
const ReportIn = Type.Object({ name: Name, ...shape, format: Type.Optional(Format), shared: Type.Optional(Type.Boolean()) }, noExtraFields);
const ReportUpdate = Type.Object({ ...ReportIn.properties, name: Type.Optional(Name) }, noExtraFields);
const Shape = Type.Object(shape, noExtraFields);

const CustomReportOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    owner_principal: nullable(Id),
    owner_name: Type.String(),
    query: Type.String(),
    columns: Type.Array(Type.String()),
    sort: nullable(Type.String()),
    group_by: Type.Array(Type.String()),
    aggregates: Type.Array(Type.String()),
    format: Type.String(),
    shared: Type.Boolean(),
    may_edit: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'CustomReport' },
);
const ErrorOut = Type.Union([
  Type.Object({ error: Type.Literal('parse_error'), code: Type.String(), position: Type.Integer(), reason: Type.String() }),
  Type.Object({ error: Type.Literal('column_error'), message: Type.String(), column: Type.String() }),
]);
const CustomRunOut = Type.Object(
  { report: Type.Object({ id: nullable(Id), name: Type.String(), columns: Type.Array(Type.String()) }), ...runPageMembers },
  { title: 'CustomReportRun' },
);

const tags = ['custom reports'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ report_id: Id });

function shapeOf(body: Static<typeof Shape>) {
  const sort = typeof body.sort === 'string' ? body.sort.split(',').filter(Boolean) : (body.sort ?? []);
  return { query: body.query ?? '', columns: body.columns ?? [], sort, group_by: body.group_by ?? [], aggregates: body.aggregates ?? [] };
}

export function customReportRoutes(app: App, deps: Dependencies, exports: ExportService, inUse: ReportInUse): void {
  const { db, clock, settings } = deps;
  const shareMap = createShareMap(settings.shareMapPath);
  const contextOf = (principal: Principal) => ({ ...deps, principal, shareMap: shareMap() });

  app.get(
    '/custom-reports/columns',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the columns a custom report can have',
        response: {
          200: Type.Object({
            core: Type.Array(Type.String()),
            custom_fields: Type.Array(Type.String()),
            aggregates: Type.Array(Type.String()),
            formats: Type.Array(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const fields = (await customFields(db)).filter(
        ({ library_ids }) => library_ids.length === 0 || library_ids.some((id) => visibility.mayEnter(id)),
      );
      return {
        core: [...coreColumns],
        custom_fields: fields.map(({ name }) => name),
        aggregates: ['count', 'sum', 'min', 'max'],
        formats: ['json', ...formatNames],
      };
    },
  );

  app.post(
    '/custom-reports/validate',
    {
      config: read,
      schema: {
        tags,
        summary: 'Check a definition',
        body: Shape,
        response: { 200: Type.Object({ ok: Type.Boolean(), errors: Type.Array(ErrorOut) }) },
      },
    },
    async ({ body }) => {
      const { errors } = await validateDefinition(db, inputOf(shapeOf(body)), clock.now());
      return { ok: errors.length === 0, errors };
    },
  );

  app.post(
    '/custom-reports/preview',
    {
      config: read,
      schema: {
        tags,
        summary: 'Show the first rows of a definition that is not saved',
        body: Type.Object({ ...shape, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, noExtraFields),
        response: { 200: CustomRunOut },
      },
    },
    async (request) => {
      const { limit = 25, ...given } = request.body;
      const list = await openDefinition(contextOf(callerOf(request)), inputOf(shapeOf(given)), 'view', {
        title: 'Preview',
        name: 'preview',
        limit: null,
      });
      return {
        report: { id: null, name: 'Preview', columns: presentColumns(list.columns).columns },
        ...(await runPage(list, given, { limit })),
      };
    },
  );

  app.get(
    '/custom-reports',
    {
      config: read,
      schema: {
        tags,
        summary: 'List your custom reports and those shared by others',
        querystring: Type.Object({ owner_principal: Type.Optional(Id) }),
        response: { 200: Type.Array(CustomReportOut) },
      },
    },
    async (request) =>
      (await reportsFor(db, callerOf(request)))
        .filter(({ owner_id }) => request.query.owner_principal === undefined || owner_id === request.query.owner_principal)
        .map((row) => present(row, callerOf(request))),
  );

  app.post(
    '/custom-reports',
    { config: write, schema: { tags, summary: 'Create a custom report', body: ReportIn, response: { 201: CustomReportOut } } },
    async (request, reply) => {
      const { name, format = 'csv', shared = false, ...given } = request.body;
      const created = await createReport(db, callerOf(request), clock.now(), { name, format, shared, ...shapeOf(given) });
      return reply.code(201).send(present(created, callerOf(request)));
    },
  );

  app.get(
    '/custom-reports/:report_id',
    { config: read, schema: { tags, summary: 'Get a custom report', params, response: { 200: CustomReportOut } } },
    async (request) => present(await readableReport(db, callerOf(request), request.params.report_id), callerOf(request)),
  );

  app.patch(
    '/custom-reports/:report_id',
    { config: write, schema: { tags, summary: 'Change a custom report', params, body: ReportUpdate, response: { 200: CustomReportOut } } },
    async (request) => {
      const { sort, ...given } = request.body;
      const changes = { ...given, ...(sort === undefined ? {} : { sort: shapeOf({ sort }).sort }) };
      return present(await changeReport(db, callerOf(request), request.params.report_id, clock.now(), changes), callerOf(request));
    },
  );

  app.delete(
    '/custom-reports/:report_id',
    { config: write, schema: { tags, summary: 'Delete a custom report that no schedule uses', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeReport(db, callerOf(request), request.params.report_id, inUse);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/custom-reports/:report_id/copy',
    {
      config: write,
      schema: {
        tags,
        summary: 'Copy a custom report',
        params,
        body: Type.Object({ name: Type.Optional(Name) }, noExtraFields),
        response: { 201: CustomReportOut },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(present(await copyReport(db, callerOf(request), request.params.report_id, request.body.name), callerOf(request))),
  );

  app.get(
    '/custom-reports/:report_id/run',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Run a custom report',
        params,
        querystring: Type.Object(
          {
            format: Type.Optional(Format),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
            offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
            cursor: Type.Optional(Type.String({ maxLength: 8192 })),
            ...fileParameters,
          },
          noExtraFields,
        ),
        response: { 200: Type.Unsafe<Static<typeof CustomRunOut> | FileReply>(CustomRunOut) },
      },
    },
    async (request, reply) => {
      const { format = 'json', limit = null, offset, cursor, gzip, bom } = request.query;
      const row = await readableReport(db, callerOf(request), request.params.report_id);
      const names = { title: row.name, name: 'custom-report', limit };
      if (format !== 'json') {
        const list = await openDefinition(contextOf(callerOf(request)), inputOf(row), 'download', names);
        const { headers, stream } = await exports.openFile(
          list.source(),
          fileChoice({ format, gzip, bom }),
          callerOf(request),
          request.clientAddress,
        );
        return reply.headers(headers).send(stream);
      }
      if (limit !== null && limit > 10_000)
        throw fieldProblem(
          ['query', 'limit'],
          'A page of JSON has at most 10000 rows. Use next_cursor, or another format for all rows.',
          'range',
        );
      const list = await openDefinition(contextOf(callerOf(request)), inputOf(row), 'view', names);
      const rights = describeRights(await visibilityOf(db, callerOf(request)));
      const page = await runPage(list, [row.id, row.updated_at, rights], { limit: limit ?? 1000, offset, cursor });
      return { report: { id: row.id, name: row.name, columns: page.columns }, ...page };
    },
  );

  app.post(
    '/custom-reports/:report_id/export',
    {
      config: read,
      schema: {
        tags,
        summary: 'Export a custom report in the background',
        params,
        querystring: ExportParams,
        response: { 202: ExportOut },
      },
    },
    async (request, reply) => {
      const { format, limit, gzip, bom } = request.query;
      const row = await readableReport(db, callerOf(request), request.params.report_id);
      await openDefinition(contextOf(callerOf(request)), inputOf(row), 'download', {
        title: row.name,
        name: 'custom-report',
        limit: limit ?? null,
      });
      const file = fileChoice({ format: format ?? (row.format === 'json' ? 'ndjson' : row.format), gzip, bom });
      const source = { kind: 'custom' as const, id: row.id, ...(limit ? { limit } : {}) };
      return reply.code(202).send(presentExport(await exports.queue(callerOf(request), { source, title: row.name, ...file })));
    },
  );
}

function present(row: CustomReport, principal: Principal) {
  return {
    id: row.id,
    name: row.name,
    owner_principal: row.owner_id,
    owner_name: row.owner_name,
    query: row.query,
    columns: row.columns,
    sort: row.sort.length > 0 ? row.sort.join(',') : null,
    group_by: row.group_by,
    aggregates: row.aggregates,
    format: row.format,
    shared: row.shared,
    may_edit: mayEditReport(principal, row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
