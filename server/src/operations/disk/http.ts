import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import type { App } from '../../platform/http/index.ts';
import { nullable } from '../../platform/schemas.ts';

const Status = Type.Enum(['ok', 'warn', 'critical', 'unknown']);

export function diskRoutes(app: App, { settings }: Dependencies): void {
  app.get(
    '/system/disk',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['system'],
        summary: 'Get free disk space and its status',
        response: {
          200: Type.Object({
            status: Status,
            paths: Type.Array(
              Type.Object({
                label: Type.String(),
                path: Type.String(),
                total: Type.Number(),
                free: Type.Number(),
                used: Type.Number(),
                pct_free: Type.Number(),
                status: Status,
                reason: nullable(Type.String()),
                is_pg: Type.Boolean(),
              }),
            ),
          }),
        },
      },
    },
    async () => await probeDisks(settings),
  );
}
