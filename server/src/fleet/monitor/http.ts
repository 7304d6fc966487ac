import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { Id, Time } from '../../platform/schemas.ts';
import { requireAgent } from '../agents/index.ts';
import { readLag } from './service.ts';

export function monitorRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/agents/:agent_id/lag',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['agents'],
        summary: 'Get the number of waiting changes of an agent per hour of the last week',
        params: Type.Object({ agent_id: Id }),
        response: {
          200: Type.Array(Type.Object({ hour: Time, waiting: Type.Integer({ description: 'The most within the hour.' }) }), {
            description: 'Hours in which the agent was away are left out.',
          }),
        },
      },
    },
    async ({ params: { agent_id } }) => {
      await requireAgent(db, agent_id);
      return (await readLag(db, agent_id)).map(({ hour, waiting }) => ({ hour: hour.toISOString(), waiting }));
    },
  );
}
