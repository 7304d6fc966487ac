import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { readLogs } from '../../platform/log/index.ts';
import { nullable } from '../../platform/schemas.ts';

const LogsOut = Type.Object({
  enabled: Type.Boolean(),
  logs: Type.Array(
    Type.Object({
      id: Type.Integer(),
      ts: Type.String({ format: 'date-time' }),
      source: Type.String(),
      level: Type.String(),
      logger: Type.String(),
      message: Type.String(),
      exc: nullable(Type.String()),
    }),
  ),
  next_before_id: nullable(Type.Integer()),
});

export function logRoutes(app: App, { db, settings }: Dependencies): void {
  app.get(
    '/system/logs',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['system'],
        summary: 'List log records of app and worker, newest first',
        querystring: Type.Object({
          min_level: Type.Optional(Type.Enum(['debug', 'info', 'warning', 'error', 'critical'])),
          source: Type.Optional(Type.Enum(['app', 'worker'])),
          q: Type.Optional(Type.String({ maxLength: 200 })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
          before_id: Type.Optional(Type.Integer({ minimum: 0 })),
        }),
        response: { 200: LogsOut },
      },
    },
    async ({ query }) => ({ enabled: settings.logDbEnabled, ...(await readLogs(db, query)) }),
  );
}
