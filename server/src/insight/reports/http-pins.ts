import { Type } from 'typebox';
import { ownedBy } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { findReport } from './catalogue/index.ts';
import { addPin, dropOldPins, maxPins, pinsOf, removePin } from './pins.ts';

const tags = ['reports'];
const read = { scope: 'read' } as const;
const params = Type.Object({ report_id: Type.String({ maxLength: 64, pattern: '^[a-z0-9_]+$' }) });
const PinsOut = Type.Object({ reports: Type.Array(Type.String(), { description: 'Ids of reports, oldest pin first.' }) });

/** Pins belong to the account and follow it to every browser. */
export function reportPinRoutes(app: App, { db }: Pick<Dependencies, 'db'>): void {
  app.get(
    '/report-pins',
    { config: read, schema: { tags, summary: 'List the reports on your start page', response: { 200: PinsOut } } },
    async (request) => ({ reports: await pinsOf(db, ownedBy(callerOf(request))) }),
  );
  app.put(
    '/report-pins/:report_id',
    {
      config: read,
      schema: {
        tags,
        summary: 'Pin a report to your start page',
        description: `At most ${maxPins} reports are pinned; the oldest pin makes room.`,
        params,
        response: { 200: PinsOut },
      },
    },
    async (request) => {
      const { report_id } = request.params;
      if (!findReport(report_id)) throw problem('not_found', `There is no report "${report_id}". GET /reports lists them.`);
      const owner = ownedBy(callerOf(request));
      await addPin(db, owner, report_id);
      await dropOldPins(db, owner);
      return { reports: await pinsOf(db, owner) };
    },
  );
  app.delete(
    '/report-pins/:report_id',
    { config: read, schema: { tags, summary: 'Take a report off your start page', params, response: { 200: PinsOut } } },
    async (request) => {
      const owner = ownedBy(callerOf(request));
      await removePin(db, owner, request.params.report_id);
      return { reports: await pinsOf(db, owner) };
    },
  );
}
