import { type Static, Type } from 'typebox';
import { compactIfNeeded, verifiedTotals } from '../../catalog/counts/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor, Id, noExtraFields, nullable, pageQuery, Time } from '../../platform/schemas.ts';
import { queryWithLimit } from '../reports/index.ts';
import { acceptFound } from './events.ts';
import {
  budgetLeft,
  countOpen,
  type EventRow,
  findEvent,
  goodCopies,
  libraryAges,
  listEvents,
  readSettings,
  writeSettings,
} from './store.ts';

const tags = ['integrity'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ event_id: Id });
const maxCopies = 20;

const SettingsIn = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Off until an administrator switches it on.' }),
    bytes_per_day: Type.Integer({ minimum: 1_000_000, maximum: 1_000_000_000_000_000 }),
    rate_mbps: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Average speed of reading in MB/s.' }),
    every_days: Type.Integer({ minimum: 1, maximum: 3650, description: 'A file is read again after so many days.' }),
    library_ids: nullable(Type.Array(Id, { maxItems: 1_000, uniqueItems: true })),
  },
  noExtraFields,
);
const Ages = Type.Object(
  {
    library_id: Id,
    library: Type.String(),
    files: Type.Integer({ description: 'Files with a content hash.' }),
    bytes: Type.Integer(),
    month: Type.Integer({ description: 'Read again in the last 30 days.' }),
    quarter: Type.Integer({ description: '31 to 90 days ago.' }),
    year: Type.Integer({ description: '91 to 365 days ago.' }),
    older: Type.Integer(),
    never: Type.Integer({ description: 'Not read since they were first hashed.' }),
    verified_bytes: Type.Integer({ description: 'Bytes read again in the last 365 days.' }),
    verified_percent: Type.Number({ description: 'Share of the files read again in the last 365 days.' }),
    oldest: nullable(Type.String({ format: 'date-time', description: 'The day on which the file that has waited longest was read.' })),
  },
  { title: 'VerifiedAges' },
);
const SummaryOut = Type.Object({
  enabled: Type.Boolean(),
  open_events: Type.Integer(),
  libraries: Type.Array(Ages),
  settings: nullable(
    Type.Object({ ...SettingsIn.properties, bytes_left_today: Type.Integer() }, { description: 'For administrators only.' }),
  ),
});
const GoodCopyOut = Type.Object({
  item_id: Id,
  library_id: Id,
  library: Type.String(),
  rel_path: Type.String(),
  last_verified_at: nullable(Time),
});
const EventOut = Type.Object(
  {
    id: Id,
    item_id: Id,
    library_id: Id,
    library: Type.String(),
    rel_path: Type.String(),
    size: Type.Integer(),
    expected_hash: Type.String(),
    found_hash: Type.String(),
    state: Type.Enum(['open', 'restored', 'replaced', 'accepted', 'gone']),
    found_at: Time,
    last_read_at: Time,
    closed_at: nullable(Time),
    closed_by: nullable(Type.String()),
    good_copies: Type.Array(GoodCopyOut, { description: `Up to ${maxCopies} files that still have the good content.` }),
  },
  { title: 'IntegrityEvent' },
);

export function integrityRoutes(app: App, deps: Dependencies): void {
  summaryRoutes(app, deps);
  eventRoutes(app, deps);
}

function summaryRoutes(app: App, { db }: Dependencies): void {
  const summarize = async (principal: Parameters<typeof visibilityOf>[1]) => {
    const visibility = await visibilityOf(db, principal);
    const settings = await readSettings(db);
    const open_events = await countOpen(db, visibility.whereItem('i'));
    const ages = await queryWithLimit(db, libraryAges(visibility.split('i')), 'Try again later.');
    await compactIfNeeded(db, verifiedTotals);
    return {
      enabled: settings.enabled,
      open_events,
      libraries: ages.map((row) => ({
        ...row,
        verified_percent: row.files === 0 ? 0 : (100 * (row.month + row.quarter + row.year)) / row.files,
        oldest: row.oldest?.toISOString() ?? null,
      })),
      settings: principal.scopes.includes('admin') ? { ...settings, bytes_left_today: Math.max(0, await budgetLeft(db)) } : null,
    };
  };
  app.get(
    '/integrity',
    {
      config: read,
      schema: { tags, summary: 'Get how much of each library was read again, and when', response: { 200: SummaryOut } },
    },
    async (request) => summarize(callerOf(request)),
  );
  app.put(
    '/integrity/settings',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Switch the re-reading of stored files on or off and set its budget',
        body: SettingsIn,
        response: { 200: SummaryOut },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      await writeSettings(db, request.body);
      await recordEvent(db, {
        event_type: 'integrity_settings_changed',
        principal_id: principal.id,
        ip: request.clientAddress,
        details: { ...request.body },
      });
      return summarize(principal);
    },
  );
}

interface Position {
  found_at: string;
  id: string;
}
function isPosition(value: unknown): value is Position {
  const { found_at, id } = (value ?? {}) as Partial<Position>;
  return typeof found_at === 'string' && !Number.isNaN(Date.parse(found_at)) && typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
}

function eventRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/integrity/events',
    {
      config: read,
      schema: {
        tags,
        summary: 'List files whose content changed without being written, newest first',
        querystring: Type.Object(
          { state: Type.Optional(Type.Enum(['open', 'closed'], { default: 'open' })), ...pageQuery() },
          noExtraFields,
        ),
        response: { 200: Type.Object({ events: Type.Array(EventOut), next_cursor: nullable(Type.String()) }) },
      },
    },
    async (request) => {
      const { state = 'open', limit = 50, cursor } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      const found = await listEvents(db, visibility.whereItem('i'), {
        open: state === 'open',
        before: decodeCursor(cursor, isPosition),
        limit: limit + 1,
      });
      const events: Static<typeof EventOut>[] = [];
      for (const event of found.slice(0, limit)) events.push(await present(event, visibility));
      const last = found.length > limit ? found[limit - 1] : undefined;
      return { events, next_cursor: last ? encodeCursor({ found_at: last.found_at.toISOString(), id: last.id }) : null };
    },
  );
  app.post(
    '/integrity/events/:event_id/accept',
    {
      config: admin,
      schema: { tags, summary: 'Accept the content found as the right one', params, response: { 200: EventOut } },
    },
    async (request) => {
      const principal = callerOf(request);
      const visibility = await visibilityOf(db, principal);
      const event = await findEvent(db, request.params.event_id);
      if (!event || !visibility.allows(event.library_id, event.rel_path, 'search_metadata')) throw notFound('integrity event');
      await acceptFound(db, event, principal.name);
      await recordEvent(db, {
        event_type: 'integrity_content_accepted',
        principal_id: principal.id,
        ip: request.clientAddress,
        details: { item_id: event.item_id, rel_path: event.rel_path, found_hash: event.found_hash },
      });
      return present((await findEvent(db, event.id)) ?? event, visibility);
    },
  );

  const present = async (event: EventRow, visibility: Awaited<ReturnType<typeof visibilityOf>>): Promise<Static<typeof EventOut>> => {
    const { mtime_ns: _time, found_quick_hash: _quick, ...row } = event;
    const copies = await goodCopies(db, visibility.whereItem('i'), event, maxCopies);
    return {
      ...row,
      found_at: row.found_at.toISOString(),
      last_read_at: row.last_read_at.toISOString(),
      closed_at: row.closed_at?.toISOString() ?? null,
      good_copies: copies.map((copy) => ({ ...copy, last_verified_at: copy.last_verified_at?.toISOString() ?? null })),
    };
  };
}
