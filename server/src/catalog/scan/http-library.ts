import { lstat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { diskPath } from '@catalog/scanner';
import { type Static, Type } from 'typebox';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { Id, nullable, pageQuery } from '../../platform/schemas.ts';
import { parseRelPath, readableLibrary, wholeLibrary } from '../libraries/index.ts';
import { diffScans, iterateDiff } from './diff.ts';
import { explainPath } from './explain.ts';
import { checkIdCursor, presentDifference, presentExplanation } from './present-for-caller.ts';
import { hashStatus, startRehash } from './rehash.ts';
import { filesAtRisk } from './run-store.ts';
import { DiffOut, ExplanationOut, ScanStarted, TargetedScanIn, TargetedScanStarted } from './schemas.ts';
import { getScan, startScan } from './service.ts';

const tags = ['scans'];
const params = Type.Object({ library_id: Id });

export function libraryScanRoutes(app: App, { db }: Dependencies): void {
  app.post(
    '/libraries/:library_id/scan',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Start a scan of a library',
        params,
        querystring: Type.Object({
          force_empty: Type.Optional(
            Type.Boolean({ default: false, description: 'Scan even if most or all files of the library seem to be missing.' }),
          ),
        }),
        response: { 202: ScanStarted },
      },
    },
    async (request, reply) => {
      const library = await wholeLibrary(db, await visibilityOf(db, callerOf(request)), request.params.library_id);
      const forceEmpty = request.query.force_empty ?? false;
      const lost = forceEmpty ? await filesAtRisk(db, library.id) : null;
      const started = await startScan(db, library.id, { trigger: 'manual', forceEmpty });
      if (forceEmpty)
        await recordEvent(db, {
          event_type: 'mark_missing_requested',
          principal_id: request.principal?.id ?? null,
          ip: request.clientAddress,
          details: { library_id: library.id, name: library.name, scan_id: started.scan_id, files: lost },
        });
      return reply.code(202).send(started);
    },
  );

  app.post(
    '/libraries/:library_id/scan/targeted',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Start a scan of one folder or file',
        params,
        body: TargetedScanIn,
        response: { 202: TargetedScanStarted },
      },
    },
    async (request, reply) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const library = await readableLibrary(db, visibility, request.params.library_id);
      const path = parseRelPath(request.body.path ?? '', ['body', 'path']);
      if (!visibility.allows(library.id, path, 'search_metadata')) throw notFoundPath();
      await wholeLibrary(db, visibility, library.id, path);
      if (library.source_agent_id) throw problem('library_agent_owned');
      const is_file = await isFile(`${library.root_path}/${path}`);
      const recursive = request.body.recursive ?? true;
      const started = await startScan(db, library.id, {
        trigger: 'manual',
        scopes: [{ path, depth: recursive ? 'tree' : 'folder' }],
      });
      const { scan_id, job_id, status, already_running: coalesced } = started;
      return reply.code(202).send({ scan_id, job_id, status, library_id: library.id, path, recursive, is_file, coalesced });
    },
  );

  app.get(
    '/libraries/:library_id/explain',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Explain why a path is in the catalog or not',
        params,
        querystring: Type.Object({ path: Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$' }) }),
        response: { 200: ExplanationOut },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const library = await readableLibrary(db, visibility, request.params.library_id);
      const path = parseRelPath(belowRoot(request.query.path, library.root_path), ['query', 'path']);
      if (!visibility.allows(library.id, path, 'search_metadata')) throw notFoundPath();
      if (library.source_agent_id) throw problem('library_agent_owned');
      return presentExplanation(await explainPath(db, library.id, path), visibility);
    },
  );

  app.get(
    '/scans/:scan_id/diff/:other_id',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags,
        summary: 'List the changes between two scans of a library',
        params: Type.Object({ scan_id: Id, other_id: Id }),
        querystring: Type.Object({ format: Type.Optional(Type.Enum(['json', 'ndjson'])), ...pageQuery(1000, 100) }),
        response: { 200: Type.Unsafe<Static<typeof DiffOut> | Readable>({ ...DiffOut, 'x-ndjson': true }) },
      },
    },
    async (request, reply) => {
      const { scan_id, other_id } = request.params;
      const { format, limit = 100, cursor } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      const { library_id } = await getScan(db, scan_id);
      if (!visibility.mayEnter(library_id)) throw notFound('scan');
      const page = await diffScans(db, scan_id, other_id, { limit, ...checkIdCursor(cursor) });
      if (format === 'ndjson')
        return reply
          .type('application/x-ndjson; charset=utf-8')
          .header('content-disposition', `attachment; filename="scan-diff-${scan_id}-${other_id}.ndjson"`)
          .send(Readable.from(lines(scan_id, other_id, library_id, visibility)));
      return { ...page, items: page.items.flatMap((entry) => presentDifference(entry, library_id, visibility) ?? []) };
    },
  );

  async function* lines(a: string, b: string, libraryId: string, visibility: Visibility): AsyncGenerator<string> {
    for await (const entry of iterateDiff(db, a, b)) {
      const shown = presentDifference(entry, libraryId, visibility);
      if (shown) yield `${JSON.stringify(shown)}\n`;
    }
  }
}

/** Accepts an absolute path below the library's root as well. */
function belowRoot(path: string, root: string): string {
  const outer = root.endsWith('/') ? root : `${root}/`;
  return path === root ? '' : path.startsWith(outer) ? path.slice(outer.length) : path;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return !(await lstat(diskPath(path))).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ELOOP') throw notFoundPath();
    if (code === 'EACCES' || code === 'EPERM') throw problem('path_unreadable');
    throw error;
  }
}

function notFoundPath() {
  return problem('not_found', 'There is no such file or folder in this library. Check the path.');
}

export function hashRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/libraries/hash-status',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['scans'],
        summary: 'Get the number of items with outdated hashes per library',
        response: {
          200: Type.Array(
            Type.Object(
              {
                library_id: Id,
                name: Type.String(),
                agent_owned: Type.Boolean(),
                stale: Type.Integer(),
                rehash_pending: Type.Boolean(),
                hash_scheme: Type.String(),
              },
              { title: 'HashStatus' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return (await hashStatus(db)).filter(({ library_id }) => visibility.seesWhole(library_id));
    },
  );

  app.post(
    '/libraries/:library_id/rehash',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['scans'],
        summary: 'Start rehashing items with outdated hashes',
        params: Type.Object({ library_id: Id }),
        response: { 202: Type.Object({ job_id: nullable(Id), already_queued: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const library = await wholeLibrary(db, await visibilityOf(db, callerOf(request)), request.params.library_id);
      const { job_id } = await startRehash(db, library.id);
      return reply.code(202).send({ job_id, already_queued: job_id === null });
    },
  );
}
