import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { createFleetPace, paceOf } from './fleet-pace.ts';

test('agents of a large fleet report less often, but often enough to count as connected', () => {
  const paces = [0, 1, 3000, 8000, 24_000, 1_000_000].map(paceOf);
  expect(paces.map(({ heartbeatSeconds }) => heartbeatSeconds)).toEqual([30, 30, 30, 80, 240, 240]);
  expect(paces.map(({ pollSeconds }) => pollSeconds)).toEqual([50, 50, 50, 100, 120, 120]);
});

test('only agents that were seen lately count, and they are counted once for many heartbeats', async () => {
  const { db } = await databaseForTest();
  const pace = createFleetPace(db);
  await sql`insert into agents (name, hostname, platform, last_seen_at, revoked_at)
    select 'agent ' || n, 'host', 'linux', now() - case when n % 3 = 0 then interval '1 hour' else interval '0' end, case when n % 3 = 1 then now() end
    from generate_series(1, 12000) n`.execute(db);
  expect(await pace()).toMatchObject({ heartbeatSeconds: 40 });
  await sql`update agents set last_seen_at = now() - interval '1 day'`.execute(db);
  expect(await pace()).toMatchObject({ heartbeatSeconds: 40 });
  expect(await createFleetPace(db)()).toMatchObject({ heartbeatSeconds: 30 });
});
