import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addLibrary } from '../../../test/catalog-rows.ts';
import { until } from '../../../test/service.ts';
import { createAlertsApp, startReceiver } from './alerts.fixture.ts';
import { alertChecks } from './checks.ts';

/** When a process is killed: while a receiver has the message but has not answered, right after its answer, or while events are read. */
const moments = [
  'before the answer',
  'after the answer',
  'while reading',
  'after the answer',
  'before the answer',
  'while reading',
] as const;
const perRound = 25;

test('exactly one notification per alert and channel arrives under kill -9 of the worker at any point', async () => {
  const t = await createAlertsApp();
  onTestFinished(() => t.close());
  const library = await addLibrary(t.deps, { name: 'Photos' });
  const hooks = [await startReceiver(), await startReceiver()];
  onTestFinished(() => {
    for (const hook of hooks) hook.close();
  });
  let child: ChildProcess | undefined;
  onTestFinished(() => void child?.kill('SIGKILL'));
  const unanswered = new Set<string>();
  await t.rule({
    event_types: ['deleted'],
    group_by: ['file'],
    group_wait_s: 0,
    channel_ids: [await t.channel(hooks[0]!.port), await t.channel(hooks[1]!.port)],
  });

  for (const [round, moment] of [...moments, null].entries()) {
    if (moment !== null)
      await t.run(
        library,
        [...Array(perRound).keys()].map((n): [string, string] => [`${round}/${n}.jpg`, 'gone']),
      );
    let killAfter = moment === null || moment === 'while reading' ? Number.POSITIVE_INFINITY : 3 + round;
    for (const hook of hooks) {
      hook.answer = (request, response) => {
        killAfter -= 1;
        if (killAfter > 0) return void response.end();
        unanswered.add(String(request.headers['idempotency-key']));
        if (moment === 'before the answer') {
          child?.kill('SIGKILL');
          response.statusCode = 599;
          return void request.socket.destroy();
        }
        // The answer leaves, and the process dies before it can note it.
        response.end(() => void child?.kill('SIGKILL'));
      };
    }
    // Every process lives later than the one before, so that what a killed one was sending is due again.
    child = fork(
      new URL('./pump-process.fixture.ts', import.meta.url),
      [JSON.stringify(t.deps.database.address), String(round * 100_000)],
      { execArgv: [], stdio: 'inherit' },
    );
    const exited = once(child, 'exit');
    await once(child, 'message');
    if (moment === 'while reading') {
      await until(
        async () => (await sql<{ n: number }>`select count(*) as n from alert_groups`.execute(t.deps.db)).rows[0]!.n > round * 2,
        'some alerts',
      );
      child.kill('SIGKILL');
    }
    if (moment === null) {
      await until(
        async () =>
          (await sql<{ n: number }>`select count(*) as n from alert_deliveries where state = 'delivered'`.execute(t.deps.db)).rows[0]!.n ===
          moments.length * perRound * 2,
        'every delivery',
      );
      child.kill('SIGKILL');
    }
    await exited;
  }

  const { rows } = await sql<{
    alerts: number;
    messages: number;
    deliveries: number;
    events: number;
  }>`select (select count(*) from alert_groups) as alerts,
    (select count(*) from alert_notifications) as messages, (select count(*) from alert_deliveries where state = 'delivered') as deliveries,
    (select count(*) from alert_events) as events`.execute(t.deps.db);
  const files = moments.length * perRound;
  expect(rows[0]).toEqual({ alerts: files, messages: files, deliveries: files * 2, events: files });
  for (const hook of hooks) {
    const ids = hook.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(files);
    expect(new Set(hook.messages.map(({ paths }) => paths[0])).size).toBe(files);
    // A message arrives twice only if its process died before it knew the answer, and then with the same id.
    const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
    expect(repeated.length).toBeLessThanOrEqual(moments.length * 8);
  }
  expect(unanswered.size).toBeGreaterThan(0);
  for (const { run, name } of alertChecks) expect(await run(t.deps), name).toEqual([]);
}, 240_000);
