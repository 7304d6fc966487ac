import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf, type EventStream, openEventStream } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { Id, pageOf, pageQuery } from '../../platform/schemas.ts';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import { allLibraries } from '../libraries/index.ts';
import { createStageReader } from '../stages/index.ts';
import { hashRoutes, libraryScanRoutes } from './http-library.ts';
import { forceClearScan, getScan, listScans, type PresentedScan, scanEvents, stopScan } from './index.ts';
import { createProgressListener } from './events.ts';
import { checkIdCursor, presentRunFor, withoutCounts } from './present-for-caller.ts';
import { ScanOut, ScanStatusName } from './schemas.ts';

const stagePollMs = 1000;
const tags = ['scans'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ scan_id: Id });
const StatusOut = Type.Object({ status: ScanStatusName });

/** Ends early, without a word, when the reader has gone. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});

/** Runs: listed, read, followed, stopped and cleared. */
export function runRoutes(app: App, { db, database }: Dependencies): void {
  const readStages = createStageReader(db);
  const presentRuns = async (views: readonly PresentedScan[], visibility: Visibility) => {
    const stages = await readStages(views);
    return views.map((view, n) => {
      const run = { ...presentRunFor(view, visibility), ...stages[n]! };
      return visibility.seesWhole(view.library_id) ? run : withoutCounts(run);
    });
  };
  const notices = createProgressListener(database.address);
  app.addHook('onClose', () => notices.close());

  app.get(
    '/scans',
    {
      config: read,
      schema: {
        tags,
        summary: 'Scans, newest first',
        querystring: Type.Object({ library_id: Type.Optional(Id), status: Type.Optional(ScanStatusName), ...pageQuery() }),
        response: { 200: pageOf(ScanOut) },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const entered = visibility.unrestricted
        ? {}
        : { library_ids: (await allLibraries(db)).map(({ id }) => id).filter((id) => visibility.mayEnter(id)) };
      const { cursor, ...filter } = request.query;
      const page = await listScans(db, { ...(filter as object), ...checkIdCursor(cursor), ...entered });
      return { ...page, items: await presentRuns(page.items, visibility) };
    },
  );

  app.get(
    '/scans/:scan_id',
    { config: read, schema: { tags, summary: 'One scan', params, response: { 200: ScanOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return (await presentRuns([await readableScan(request.params.scan_id, visibility)], visibility))[0]!;
    },
  );

  app.get(
    '/scans/:scan_id/events',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Follow a scan: progress, then done or error',
        description: 'Where contents are still being read after the walk, `stages` events tell how far that is, until it is done.',
        params,
      },
    },
    async (request, reply) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const { id } = await readableScan(request.params.scan_id, visibility);
      const stream = openEventStream(request, reply);
      try {
        for await (const { event, data } of scanEvents(db, id, notices.subscribe, stream.signal)) {
          const [run] = 'library_id' in data ? await presentRuns([data], visibility) : [];
          stream.send(event, run ? { scan_id: id, rate: run.files_per_s, ...run } : data);
        }
        await followStages(id, visibility, stream);
      } catch {
        stream.send('error', { scan_id: id, detail: 'The scan cannot be followed at this moment. Connect again.' });
      } finally {
        stream.close();
      }
    },
  );

  /** Contents are read and pictures drawn after the walk, often for longer than it took: told while it moves, until it is done. */
  async function followStages(id: string, visibility: Visibility, stream: EventStream): Promise<void> {
    for (let last = ''; !stream.signal.aborted; await pause(stagePollMs, stream.signal)) {
      const [run] = await presentRuns([await getScan(db, id)], visibility);
      const { stages, backpressure } = run!;
      const isUnderWay = [stages.extract, stages.thumbnail].some(({ state }) => ['waiting', 'running', 'paused'].includes(state));
      const shown = JSON.stringify([stages, backpressure]);
      if (last === '' && !isUnderWay) return;
      if (shown !== last) stream.send('stages', { scan_id: id, library_id: run!.library_id, stages, backpressure });
      if (!isUnderWay) return;
      last = shown;
    }
  }

  const stop = async (id: string, visibility: Visibility): Promise<{ status: PresentedScan['status'] }> => {
    await readableScan(id, visibility);
    return stopScan(db, id);
  };
  for (const word of ['stop', 'cancel'] as const)
    app.post(
      `/scans/:scan_id/${word}`,
      { config: write, schema: { tags, summary: 'Stop a scan; what it found so far stays', params, response: { 200: StatusOut } } },
      async (request) => stop(request.params.scan_id, await visibilityOf(db, callerOf(request))),
    );

  app.post(
    '/scans/:scan_id/force-clear',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'End a scan that no worker drains any more',
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
    const view = await getScan(db, id);
    if (!visibility.mayEnter(view.library_id)) throw notFound('scan');
    return view;
  }
}

export function scanRoutes(app: App, deps: Dependencies): void {
  runRoutes(app, deps);
  libraryScanRoutes(app, deps);
  hashRoutes(app, deps);
}
