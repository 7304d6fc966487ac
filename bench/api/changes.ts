import { sql } from 'kysely';
import { systemClock } from '../../server/src/platform/clock.ts';
import type { Database } from '../../server/src/platform/database/index.ts';
import { silentLog } from '../../server/src/platform/log/index.ts';
import { openSearchWriter } from '../../server/src/search/engines/index.ts';
import { createProjector } from '../../server/src/search/projection/index.ts';
import type { settingsForTests } from '../../server/src/settings/index.ts';
import type { Row } from '../row.ts';
import type { Ask } from './callers.ts';

/** From the commit of a change until a search over HTTP finds it, worst of twenty, and once more for a projector that has just been started. */
export async function visibleAfter(database: Database, settings: ReturnType<typeof settingsForTests>, ask: Ask): Promise<Row> {
  const projector = createProjector(
    { db: database.db, database, settings, log: silentLog, clock: systemClock },
    openSearchWriter(settings),
  );
  projector.start();
  const times: number[] = [];
  try {
    for (let turn = 0; turn <= 20; turn += 1) {
      const word = `visiblemark${turn}x`;
      await sql`update items set title = ${word} where id = (select id from items where status = 'active' order by id offset ${turn * 3} limit 1)`.execute(
        database.db,
      );
      const start = performance.now();
      while ((await ask(`/search?facets=false&q=${word}`)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      times.push(performance.now() - start);
    }
  } finally {
    await projector.stop();
  }
  const [first, ...rest] = times;
  rest.sort((a, b) => a - b);
  const worst = rest.at(-1)!;
  return {
    name: 'a change is found after its commit, worst of 20',
    value: Math.round(worst),
    unit: 'ms',
    peer: '',
    ratio: null,
    limit: 'at most 1,000 ms',
    ok: worst <= 1000,
    detail: `median ${Math.round(rest[10]!)} ms; ${Math.round(first!)} ms for a change made while the projector starts`,
  };
}
