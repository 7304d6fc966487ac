import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { decodeCursor, encodeCursor, nullable } from '../../platform/schemas.ts';
import { listEvents, type SecurityEventsTable } from './index.ts';

const SecurityEventOut = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event_type: Type.String(),
    principal_id: nullable(Type.String({ format: 'uuid' })),
    username_attempted: nullable(Type.String()),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    ts: Type.String({ format: 'date-time' }),
    details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { title: 'SecurityEventOut' },
);

export function auditRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/audit',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['identity'],
        summary: 'List audit events, newest first',
        querystring: Type.Object({
          event_type: Type.Optional(Type.String({ maxLength: 64 })),
          principal_id: Type.Optional(Type.String({ format: 'uuid' })),
          since: Type.Optional(Type.String({ format: 'date-time' })),
          until: Type.Optional(Type.String({ format: 'date-time' })),
          cursor: Type.Optional(Type.String({ maxLength: 200 })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
        }),
        response: { 200: Type.Object({ events: Type.Array(SecurityEventOut), next_cursor: Type.Union([Type.String(), Type.Null()]) }) },
      },
    },
    async ({ query }) => {
      const { cursor, limit = 50, ...filter } = query;
      const before =
        decodeCursor(cursor, (value): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)) ?? undefined;
      const rows = await listEvents(db, { ...filter, before, limit: limit + 1 });
      const events = rows.slice(0, limit).map(present);
      const last = rows.length > limit ? events.at(-1) : undefined;
      return { events, next_cursor: last ? encodeCursor(last.id) : null };
    },
  );
}

function present(row: SecurityEventsTable) {
  return { ...row, ts: row.ts.toISOString(), details: row.details as Record<string, unknown> | null };
}
