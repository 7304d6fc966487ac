import { type Static, Type } from 'typebox';
import { createShareMap } from '../../catalog/libraries/index.ts';
import { describeRights, visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { ExportOut, ExportParams, type ExportService, type FileReply, fileChoice, presentExport } from '../exports/index.ts';
import { findReport, reports } from './catalogue/index.ts';
import type { ReportDefinition } from './contract.ts';
import { folderTree } from './folder-tree.ts';
import { reportPinRoutes } from './http-pins.ts';
import { parseSort, presentReport, readFilters } from './present.ts';
import { runPage } from './run-page.ts';
import { FolderTreeOut, FolderTreeQuery, filterParameters, ReportOut, RunOut, RunQuery, sortParameter } from './schemas.ts';
import { openReport } from './service.ts';

const tags = ['reports'];
const read = { scope: 'read' } as const;
const params = Type.Object({ report_id: Type.String({ maxLength: 64 }) });
/** A page of JSON is built in memory; files are not limited by it. */
const maxPage = 10_000;

function knownReport(id: string): ReportDefinition {
  const report = findReport(id);
  if (!report) throw problem('not_found', `There is no report "${id}". GET /reports lists them.`);
  return report;
}

export function reportRoutes(app: App, deps: Dependencies, exports: ExportService): void {
  const { db, settings } = deps;
  const shareMap = createShareMap(settings.shareMapPath);
  reportPinRoutes(app, deps);

  app.get(
    '/reports',
    { config: read, schema: { tags, summary: 'List the reports', response: { 200: Type.Object({ reports: Type.Array(ReportOut) }) } } },
    async () => ({ reports: reports.map(presentReport) }),
  );

  app.get(
    '/reports/folder-tree',
    {
      config: read,
      schema: { tags, summary: 'Get one level of folder totals', querystring: FolderTreeQuery, response: { 200: FolderTreeOut } },
    },
    async (request) => {
      const { library_id = null, parent = '', limit = 100 } = request.query;
      return folderTree(db, callerOf(request), { library: library_id, parent, limit });
    },
  );

  app.get(
    '/reports/:report_id',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Run a report',
        description:
          'Returns a page of rows as JSON, or the whole report as a file. Files need the right to download and contain only rows that the caller may download.',
        params,
        querystring: RunQuery,
        response: { 200: Type.Unsafe<Static<typeof RunOut> | FileReply>(RunOut) },
      },
    },
    async (request, reply) => {
      const definition = knownReport(request.params.report_id);
      const { format = 'json', limit, offset, cursor, sort, gzip, bom, ...chosen } = request.query;
      const filters = readFilters(definition, chosen);
      const choice = { filters, sort: parseSort(sort, definition.columns), limit: limit ?? null };
      const context = { ...deps, principal: callerOf(request), shareMap: shareMap() };
      if (format !== 'json') {
        if (cursor !== undefined || offset)
          throw fieldProblem(['query', 'offset'], 'A file always starts with the first row. Leave out offset and cursor.', 'not_supported');
        const report = await openReport(context, definition, choice, 'download');
        const { headers, stream } = await exports.openFile(
          report.source(),
          fileChoice({ format, gzip, bom }),
          callerOf(request),
          request.clientAddress,
        );
        return reply.headers(headers).send(stream);
      }
      const rows = limit ?? (definition.capped ? definition.defaultLimit : Math.min(definition.defaultLimit, 1000));
      if (rows > maxPage)
        throw fieldProblem(
          ['query', 'limit'],
          `A page of JSON has at most ${maxPage} rows. Use next_cursor, or another format for all rows.`,
          'range',
        );
      const report = await openReport(context, definition, choice, 'view');
      const rights = describeRights(await visibilityOf(db, context.principal));
      return {
        report: presentReport(definition),
        ...(await runPage(report, [definition.id, filters, choice.sort, definition.capped && rows, rights], {
          limit: rows,
          offset,
          cursor,
        })),
      };
    },
  );

  app.post(
    '/reports/:report_id/export',
    {
      config: read,
      schema: {
        tags,
        summary: 'Export a report in the background',
        params,
        querystring: Type.Object({ ...ExportParams.properties, sort: sortParameter, ...filterParameters }, { additionalProperties: false }),
        response: { 202: ExportOut },
      },
    },
    async (request, reply) => {
      const definition = knownReport(request.params.report_id);
      const { format = 'csv', limit, sort, gzip, bom, ...chosen } = request.query;
      const file = fileChoice({ format, gzip, bom });
      // Wrong filters are refused now and not at night.
      await openReport(
        { ...deps, principal: callerOf(request), shareMap: shareMap() },
        definition,
        { filters: readFilters(definition, chosen), sort: parseSort(sort, definition.columns), limit: limit ?? null },
        'download',
      );
      const source = {
        kind: 'report' as const,
        id: definition.id,
        params: { ...chosen, ...(sort ? { sort } : {}), ...(limit ? { limit } : {}) },
      };
      return reply.code(202).send(presentExport(await exports.queue(callerOf(request), { source, title: definition.title, ...file })));
    },
  );
}
