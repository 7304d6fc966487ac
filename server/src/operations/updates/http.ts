import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { nullable, Time } from '../../platform/schemas.ts';
import { checkForUpdate, type UpdateDependencies } from './service.ts';

const tags = ['system'];
const text = nullable(Type.String());
const UpdateCheckOut = Type.Object(
  {
    checked_at: nullable(Time),
    source: text,
    components: Type.Array(
      Type.Object({
        component: Type.String(),
        running: Type.String(),
        latest: text,
        update_available: nullable(Type.Boolean()),
        detail: text,
      }),
    ),
    changelog: Type.Array(
      Type.Object({ sha: Type.String(), date: Time, subject: Type.String(), body: Type.String(), is_new: nullable(Type.Boolean()) }),
    ),
    error: nullable(Type.String({ description: 'Why the source could not be asked.' })),
  },
  { title: 'UpdateCheck' },
);

export function updateRoutes(app: App, { db, settings, clock }: Dependencies): void {
  const deps: UpdateDependencies = {
    db,
    settings,
    clock,
    outbound: createOutbound({ settings }),
    buildStamp: process.env['CATALOG_BUILD_STAMP'] ?? null,
  };
  app.get(
    '/system/update-check',
    {
      config: { scope: 'read' },
      schema: { tags, summary: 'Get the result of the last check for a newer version', response: { 200: UpdateCheckOut } },
    },
    async () => checkForUpdate(deps, { force: false }),
  );
  app.post(
    '/system/update-check',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Check for a newer version now', response: { 200: UpdateCheckOut } } },
    async () => checkForUpdate(deps, { force: true }),
  );
}
