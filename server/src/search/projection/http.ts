import { Type } from 'typebox';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { enqueue } from '../../platform/queue/index.ts';
import { openSearchReader, openSearchWriter } from '../engines/index.ts';
import { projectionTasks } from './tasks.ts';

export function projectionRoutes(app: App, deps: Dependencies): void {
  const { db, settings } = deps;
  const { rebuild } = projectionTasks(deps, { openReader: () => openSearchReader(settings), writer: openSearchWriter(settings) });
  app.post(
    '/system/rebuild-index',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['system'],
        summary: 'Rebuild the search index while searches continue',
        response: { 202: Type.Object({ job_id: Type.String({ format: 'uuid' }) }) },
      },
    },
    async (request, reply) => {
      const id = await enqueue(db, rebuild, {}, { lock: rebuild.name });
      if (!id) throw problem('already_queued', 'A rebuild is already queued or running. Wait until it finishes.');
      await recordEvent(db, {
        event_type: 'index_rebuild',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { job_id: id },
      });
      return reply.code(202).send({ job_id: id });
    },
  );
}
