import { createReadStream } from 'node:fs';
import { type Static, Type } from 'typebox';
import { customFields } from '../../catalog/custom-fields/index.ts';
import { createShareMap, parseRelPath } from '../../catalog/libraries/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { Id, NoContent, noExtraFields } from '../../platform/schemas.ts';
import { SearchQuery } from '../../search/query/index.ts';
import { columnError } from '../custom-reports/index.ts';
import { fileParameters } from '../reports/index.ts';
import { exportFile, exportFolder, exportSize } from './files.ts';
import { describeFormat, formatNames } from './formats/index.ts';
import { ExportOut, fileName, presentExport } from './schemas.ts';
import { type ExportService, fileChoice } from './service.ts';
import { defaultColumns, type ExportSource, openSource, type SearchIndex } from './sources.ts';

const tags = ['exports'];
const read = { scope: 'read' } as const;
const params = Type.Object({ export_id: Id });
const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000]*$' }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
});
const {
  cursor: _cursor,
  limit: _limit,
  offset: _offset,
  facets: _facets,
  histograms: _histograms,
  ...listMembers
} = SearchQuery.properties;
const searchMembers = {
  ...listMembers,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Only the first hits. A search by meaning has at most 1,000.' }),
  ),
};
const Format = Type.Optional(Type.Enum([...formatNames]));
const File = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

const SearchSource = Type.Object(
  { kind: Type.Literal('search'), params: Type.Object(searchMembers, noExtraFields), columns: Type.Optional(Columns) },
  noExtraFields,
);
const FolderSource = Type.Object(
  {
    kind: Type.Literal('folder'),
    library_id: Id,
    path: Type.Optional(Type.String({ maxLength: 4096 })),
    recursive: Type.Optional(Type.Boolean({ default: true })),
    columns: Type.Optional(Columns),
  },
  noExtraFields,
);
const ExportIn = Type.Object({ source: Type.Union([SearchSource, FolderSource]), format: Format, ...fileParameters }, noExtraFields);

export function exportRoutes(app: App, deps: Dependencies, index: SearchIndex, exports: ExportService): void {
  sourceRoutes(app, deps, index, exports);
  recordRoutes(app, deps, exports);
}

/** Exports of what one sees: the results of a search and the files of a folder. */
function sourceRoutes(app: App, deps: Dependencies, index: SearchIndex, exports: ExportService): void {
  const shareMap = createShareMap(deps.settings.shareMapPath);
  const open = (principal: Principal, source: ExportSource) =>
    openSource({ ...deps, principal, shareMap: shareMap(), openIndex: () => index }, source);

  const checkColumns = async (columns: readonly string[] | undefined, loc: string): Promise<string[]> => {
    if (!columns) return [...defaultColumns];
    const fields = new Set((await customFields(deps.db)).map(({ name }) => name));
    for (const name of columns) {
      const why = columnError(name, fields);
      if (why) throw fieldProblem([loc, 'columns'], why, 'unknown_column');
    }
    return [...columns];
  };

  app.post(
    '/exports',
    {
      config: read,
      schema: { tags, summary: 'Export search results or a folder in the background', body: ExportIn, response: { 202: ExportOut } },
    },
    async (request, reply) => {
      const { source: given, format = 'csv', gzip, bom } = request.body;
      const file = fileChoice({ format, gzip, bom });
      const columns = await checkColumns(given.columns, 'body');
      const source: ExportSource =
        given.kind === 'search'
          ? { kind: 'search', params: given.params as (ExportSource & { kind: 'search' })['params'], columns }
          : {
              kind: 'folder',
              library_id: given.library_id,
              path: parseRelPath(given.path ?? '', ['body', 'source', 'path']),
              recursive: given.recursive ?? true,
              columns,
            };
      const { title } = await open(callerOf(request), source);
      return reply.code(202).send(presentExport(await exports.queue(callerOf(request), { source, title, ...file })));
    },
  );

  app.get(
    '/search/export',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Download the results of a search as a file',
        querystring: Type.Object(
          { ...searchMembers, format: Format, columns: Type.Optional(Type.String({ maxLength: 5000 })), ...fileParameters },
          noExtraFields,
        ),
        response: { 200: File },
      },
    },
    async (request, reply) => {
      const {
        format = 'csv',
        columns,
        gzip,
        bom,
        ...search
      } = request.query as Static<typeof SearchQuery> & { format?: 'csv'; columns?: string; gzip?: boolean; bom?: boolean };
      const source: ExportSource = { kind: 'search', params: search, columns: await checkColumns(columns?.split(','), 'query') };
      const { headers, stream } = await exports.openFile(
        await open(callerOf(request), source),
        fileChoice({ format, gzip, bom }),
        callerOf(request),
        request.clientAddress,
      );
      return reply.headers(headers).send(stream);
    },
  );

  app.get(
    '/libraries/:library_id/export',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Download the files of a folder as a list',
        params: Type.Object({ library_id: Id }),
        querystring: Type.Object(
          {
            path: Type.Optional(Type.String({ maxLength: 4096, default: '' })),
            recursive: Type.Optional(Type.Boolean({ default: true })),
            format: Format,
            columns: Type.Optional(Type.String({ maxLength: 5000 })),
            ...fileParameters,
          },
          noExtraFields,
        ),
        response: { 200: File },
      },
    },
    async (request, reply) => {
      const { path = '', recursive = true, format = 'csv', columns, gzip, bom } = request.query;
      const source: ExportSource = {
        kind: 'folder',
        library_id: request.params.library_id,
        path: parseRelPath(path, ['query', 'path']),
        recursive,
        columns: await checkColumns(columns?.split(','), 'query'),
      };
      const { headers, stream } = await exports.openFile(
        await open(callerOf(request), source),
        fileChoice({ format, gzip, bom }),
        callerOf(request),
        request.clientAddress,
      );
      return reply.headers(headers).send(stream);
    },
  );
}

function recordRoutes(app: App, { db, settings }: Dependencies, exports: ExportService): void {
  const folder = exportFolder(settings);
  app.get(
    '/exports',
    {
      config: read,
      schema: {
        tags,
        summary: 'List your exports, newest first',
        description: 'Administrators see those of everybody.',
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
          offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
        }),
        response: { 200: Type.Object({ exports: Type.Array(ExportOut) }) },
      },
    },
    async (request) => {
      const { limit = 100, offset = 0 } = request.query;
      const rightsChanged = await exports.rightsCheck(callerOf(request));
      const rows = await exports.list(callerOf(request), { limit, offset });
      return { exports: rows.map((row) => presentExport(row, { rightsChanged: rightsChanged(row) })) };
    },
  );

  app.get(
    '/exports/:export_id',
    { config: read, schema: { tags, summary: 'Get an export', params, response: { 200: ExportOut } } },
    async (request) => {
      const row = await exports.readable(callerOf(request), request.params.export_id);
      return presentExport(row, { rightsChanged: (await exports.rightsCheck(callerOf(request)))(row) });
    },
  );

  app.post(
    '/exports/:export_id/cancel',
    { config: read, schema: { tags, summary: 'Cancel a waiting or running export', params, response: { 200: ExportOut } } },
    async (request) => presentExport(await exports.cancel(callerOf(request), request.params.export_id)),
  );

  app.delete(
    '/exports/:export_id',
    { config: read, schema: { tags, summary: 'Remove the file of an export', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await exports.remove(callerOf(request), request.params.export_id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/exports/:export_id/download',
    {
      config: { ...read, raw: true },
      schema: { tags, summary: 'Download the file of an export', params, response: { 200: File } },
    },
    async (request, reply) => {
      const principal = callerOf(request);
      const row = await exports.readable(principal, request.params.export_id);
      if (row.status !== 'complete')
        throw problem(
          'export_not_ready',
          row.error ? `This export has no file: ${row.error}` : 'This export is not ready yet. Wait until its status is complete.',
        );
      if ((await exports.rightsCheck(principal))(row))
        throw problem('action_denied', 'Your permissions have changed since this export was made. Start it again.');
      const size = row.purged_at === null ? await exportSize(folder, row.id) : null;
      if (size === null) throw problem('gone', 'This export has expired. Start it again.');
      await recordEvent(db, {
        event_type: 'report_export_downloaded',
        principal_id: principal.id,
        ip: request.clientAddress,
        details: { export_id: row.id, title: row.title, format: row.format, rows: row.row_count, owner: row.owner_name },
      });
      return reply
        .headers({
          'content-type': describeFormat(row.format, row.gzip).mediaType,
          'content-disposition': `attachment; filename="${fileName(row.title, row.created_at, row.format, row.gzip)}"`,
          'content-length': String(size),
          'repr-digest': `sha-256=:${Buffer.from(row.sha256 ?? '', 'hex').toString('base64')}:`,
        })
        .send(createReadStream(exportFile(folder, row.id)));
    },
  );
}
