import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import { issueStreamToken, streamTokenSeconds } from '../../people/identity/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf, type EventStream, openEventStream } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { Id, pageOf, pageQuery } from '../../platform/schemas.ts';
import { allLibraries, wholeLibrary } from '../libraries/index.ts';
import { createStageReader } from '../stages/index.ts';
import { createProgressListener, scanEvents } from './events.ts';
import { hashRoutes, libraryScanRoutes } from './http-library.ts';
import { unattachedRoutes } from './http-unattached.ts';
import type { PresentedScan } from './present.ts';
import { checkIdCursor, presentRunFor, withoutCounts } from './present-for-caller.ts';
import { ScanOut, ScanStatusName } from './schemas.ts';
import { forceClearScan, getScan, listScans, stopScan } from './service.ts';

const stagePollMs = 1000;
const tags = ['scans'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ scan_id: Id });
const StatusOut = Type.Object({ status: ScanStatusName });

/** Resolves early when the client disconnects. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});

function runRoutes(app: App, { db, database, log }: Dependencies): void {
  const readStages = createStageReader(db);
  const presentRuns = async (scans: readonly PresentedScan[], visibility: Visibility) => {
    const stages = await readStages(scans, visibility.unrestricted);
    return scans.flatMap((scan, n) => {
      const scanStages = stages[n];
      if (!scanStages) return [];
      const run = { ...presentRunFor(scan, visibility), ...scanStages };
      return visibility.seesWhole(scan.library_id) ? run : withoutCounts(run);
    });
  };
  const listener = createProgressListener(database.address);
  app.addHook('onClose', () => listener.close());

  app.get(
    '/scans',
    {
      config: read,
      schema: {
        tags,
        summary: 'List scans, newest first',
        querystring: Type.Object({ library_id: Type.Optional(Id), status: Type.Optional(ScanStatusName), ...pageQuery() }),
        response: { 200: pageOf(ScanOut) },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const visible = visibility.unrestricted
        ? {}
        : { library_ids: (await allLibraries(db)).map(({ id }) => id).filter((id) => visibility.mayEnter(id)) };
      const { cursor, ...filter } = request.query;
      const page = await listScans(db, { ...(filter as object), ...checkIdCursor(cursor), ...visible });
      return { ...page, items: await presentRuns(page.items, visibility) };
    },
  );

  app.get(
    '/scans/:scan_id',
    { config: read, schema: { tags, summary: 'Get a scan', params, response: { 200: ScanOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return one(await presentRuns([await readableScan(request.params.scan_id, visibility)], visibility));
    },
  );

  app.post(
    '/scans/:scan_id/events-token',
    {
      config: read,
      schema: {
        tags,
        summary: 'Get a token that opens the progress of this scan once',
        description: 'For clients that can send neither a header nor a cookie. Pass it as `stream_token`.',
        params,
        response: { 200: Type.Object({ token: Type.String(), expires_in: Type.Integer() }) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { id } = await readableScan(request.params.scan_id, await visibilityOf(db, caller));
      return { token: await issueStreamToken(db, caller, `/api/v1/scans/${id}/events`), expires_in: streamTokenSeconds };
    },
  );

  app.get(
    '/scans/:scan_id/events',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Stream the progress of a scan',
        description: 'Sends `progress` events, then `done` or `error`. While extraction continues after the scan, `stages` events follow.',
        params,
        querystring: Type.Object({
          stream_token: Type.Optional(Type.String({ maxLength: 128, description: 'From `events-token`, instead of a header or cookie.' })),
        }),
        response: { 200: Type.Unsafe<void>({ type: 'string', format: 'event-stream' }) },
      },
    },
    async (request, reply) => {
      const { id, library_id } = await readableScan(request.params.scan_id, await visibilityOf(db, callerOf(request)));
      const stream = openEventStream(request, reply);
      /** What the caller sees now; null when they may no longer follow the scan. */
      const seen = async (): Promise<Visibility | null> => {
        if (!(await stream.renewCaller())) return null;
        const visibility = await visibilityOf(db, callerOf(request));
        return visibility.mayEnter(library_id) ? visibility : null;
      };
      try {
        for await (const { event, data } of scanEvents(db, id, listener.subscribe, stream.signal)) {
          const visibility = await seen();
          if (!visibility) return;
          const [run] = 'library_id' in data ? await presentRuns([data], visibility) : [];
          const reason = visibility.seesWhole(library_id) ? data : { scan_id: id, detail: 'The scan failed.' };
          stream.send(event, run ? { scan_id: id, rate: run.files_per_s, ...run } : reason);
        }
        await followStages(id, seen, stream);
      } catch (error) {
        log.warning('The progress stream of a scan failed.', { scan_id: id, error });
        stream.send('error', { scan_id: id, detail: 'The progress of the scan is not available. Connect again.' });
      } finally {
        stream.close();
      }
    },
  );

  /** Reports extraction and thumbnails, which often take longer than the scan itself, until they are done. */
  async function followStages(id: string, seen: () => Promise<Visibility | null>, stream: EventStream): Promise<void> {
    for (let last = ''; ; await pause(stagePollMs, stream.signal)) {
      const visibility = await seen();
      if (!visibility) return;
      const { library_id, stages, backpressure } = one(await presentRuns([await getScan(db, id)], visibility));
      const isActive = [stages.extract, stages.thumbnail].some(({ state }) => ['waiting', 'running', 'paused'].includes(state));
      const shown = JSON.stringify([stages, backpressure]);
      if (last === '' && !isActive) return;
      if (shown !== last) stream.send('stages', { scan_id: id, library_id, stages, backpressure });
      if (!isActive) return;
      last = shown;
    }
  }

  const stop = async (id: string, visibility: Visibility): Promise<{ status: PresentedScan['status'] }> => {
    const { library_id, scope } = await readableScan(id, visibility);
    await wholeLibrary(db, visibility, library_id, scope);
    return stopScan(db, id);
  };
  for (const word of ['stop', 'cancel'] as const)
    app.post(
      `/scans/:scan_id/${word}`,
      { config: write, schema: { tags, summary: 'Stop a scan (files found so far are kept)', params, response: { 200: StatusOut } } },
      async (request) => stop(request.params.scan_id, await visibilityOf(db, callerOf(request))),
    );

  app.post(
    '/scans/:scan_id/force-clear',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Force-clear a scan whose worker no longer responds',
        params,
        response: { 200: Type.Object({ status: ScanStatusName, previous_status: ScanStatusName }) },
      },
    },
    async (request) => {
      const { scan_id } = request.params;
      await readableScan(scan_id, await visibilityOf(db, callerOf(request)));
      const done = await forceClearScan(db, scan_id);
      await recordEvent(db, {
        event_type: 'scan_force_cleared',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { scan_id, previous_status: done.previous_status },
      });
      return done;
    },
  );

  async function readableScan(id: string, visibility: Visibility): Promise<PresentedScan> {
    const scan = await getScan(db, id);
    if (!visibility.mayEnter(scan.library_id)) throw notFound('scan');
    return scan;
  }
}

export function scanRoutes(app: App, deps: Dependencies): void {
  runRoutes(app, deps);
  libraryScanRoutes(app, deps);
  hashRoutes(app, deps);
  unattachedRoutes(app, deps);
}
