import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { noExtraFields, nullable } from '../../platform/schemas.ts';
import { recordEvent } from '../audit/index.ts';
import { personOf } from './authenticate.ts';
import { first, readGlobalSession, timeoutsOf, writeGlobalSession } from './session-settings.ts';

const tags = ['identity'];
const maxHours = 8760;
const Source = Type.Enum(['env', 'global', 'role', 'user']);
const hours = { inactivity_hours: Type.Number(), ttl_hours: Type.Number(), inactivity_source: Source, ttl_source: Source };
const SettingsOut = Type.Object({
  ...hours,
  env_inactivity_hours: Type.Number(),
  env_ttl_hours: Type.Number(),
  min_hours: Type.Number(),
  max_hours: Type.Number(),
});
const Change = Type.Optional(nullable(Type.Number({ minimum: 0, maximum: maxHours, description: '0 goes back to the environment.' })));

export function sessionSettingRoutes(app: App, { db, settings }: Dependencies): void {
  const present = async () => {
    const all = await readGlobalSession(db);
    const [inactivity_hours, inactivity_source] = first(null, null, all.inactivity_hours, settings.sessionInactivityHours);
    const [ttl_hours, ttl_source] = first(null, null, all.ttl_hours, settings.sessionTtlHours);
    const env = { env_inactivity_hours: settings.sessionInactivityHours, env_ttl_hours: settings.sessionTtlHours };
    return { inactivity_hours, inactivity_source, ttl_hours, ttl_source, ...env, min_hours: 0, max_hours: maxHours };
  };

  app.get(
    '/auth/me/session-timeouts',
    { config: { scope: 'session' }, schema: { tags, summary: 'Get how long your sessions last', response: { 200: Type.Object(hours) } } },
    async (request) => timeoutsOf(db, settings, personOf(request).id),
  );

  app.get(
    '/auth/settings/session',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Get how long sessions last', response: { 200: SettingsOut } } },
    async () => present(),
  );

  app.patch(
    '/auth/settings/session',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Change how long sessions last',
        description: 'Applies at once, also to open sessions. Limits of a role or an account win.',
        body: Type.Object({ inactivity_hours: Change, ttl_hours: Change }, noExtraFields),
        response: { 200: SettingsOut },
      },
    },
    async (request) => {
      const before = await readGlobalSession(db);
      const merge = (given: number | null | undefined, stored: number | null) =>
        given === undefined || given === null ? stored : given || null;
      const next = {
        inactivity_hours: merge(request.body.inactivity_hours, before.inactivity_hours),
        ttl_hours: merge(request.body.ttl_hours, before.ttl_hours),
      };
      if ((next.inactivity_hours ?? settings.sessionInactivityHours) > (next.ttl_hours ?? settings.sessionTtlHours))
        throw fieldProblem(['body', 'inactivity_hours'], 'A session cannot be idle for longer than it lasts. Choose fewer hours.');
      await writeGlobalSession(db, next);
      const { principalId, ip } = actorOf(request);
      await recordEvent(db, { event_type: 'session_settings_changed', principal_id: principalId, ip, details: { ...next } });
      return present();
    },
  );
}
