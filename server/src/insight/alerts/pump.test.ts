import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { type AlertsApp, createAlertsApp, type Receiver, startReceiver } from './alerts.fixture.ts';
import { backoffSeconds } from './deliver.ts';

let t: AlertsApp;
let hook: Receiver;
let library: string;
beforeAll(async () => {
  t = await createAlertsApp({ SVC_ALERT_DIGEST_MAX_EVENTS: '3', SVC_ALERT_RULE_MAX_PER_HOUR: '5' });
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.reset();
  hook = await startReceiver();
  library = await addLibrary(t.deps, { name: 'Photos' });
});
afterEach(() => hook.close());
const sent = () => hook.messages.map(({ kind, title, count }) => `${kind}: ${title} (${count})`);
const disk = (status: 'firing' | 'recovered', level = 'warn') =>
  raiseSystemEvent(t.deps.db, {
    kind: 'disk_low_space',
    subject: 'config',
    status,
    message: status === 'firing' ? `The disk is at ${level}. Free some space.` : 'The disk has space again.',
    facts: { level },
  });

test('matches of a file rule become one grouped message after the group wait, with at most SVC_ALERT_DIGEST_MAX_EVENTS paths and an and-N-more tail', async () => {
  await t.rule({ event_types: ['deleted'], channel_ids: [await t.channel(hook.port)] });
  await t.run(
    library,
    [...Array(10).keys()].map((n): [string, string] => [`a/${n}.jpg`, 'gone']),
  );
  await t.pump();
  expect(sent()).toEqual([]);
  t.wait(30);
  await t.pump();
  expect(sent()).toEqual(['firing: 10 files deleted in Photos (10)']);
  expect(hook.messages[0]).toMatchObject({ truncated: 7, event_type: 'deleted' });
  expect(hook.messages[0]!.paths).toHaveLength(3);
  t.wait(600);
  await t.pump();
  expect(hook.messages).toHaveLength(1);
});

test('created, modified, deleted and moved are told apart, and a path, a library and the content decide', async () => {
  const other = await addLibrary(t.deps, { name: 'Other' });
  const same = await addItem(t.deps, library, 'docs/same.txt', { content_hash: 'a'.repeat(64) });
  const changed = await addItem(t.deps, library, 'docs/changed.txt', { content_hash: 'b'.repeat(64) });
  const channel_ids = [await t.channel(hook.port)];
  await t.rule({ event_types: ['created', 'moved'], path_glob: '/docs/**/*.pdf', library_id: library, channel_ids, group_wait_s: 0 });
  await t.rule({ event_types: ['modified'], hash_change_only: true, channel_ids, group_wait_s: 0 });
  await t.run(library, [
    ['docs/x/new.pdf', 'added'],
    ['docs/x/new.txt', 'added'],
    ['elsewhere/new.pdf', 'added'],
    ['out/moved.pdf', 'moved', { from: 'docs/in/moved.pdf' }],
    ['docs/same.txt', 'changed', { oldHash: 'a'.repeat(64), itemId: same }],
    ['docs/changed.txt', 'changed', { oldHash: 'a'.repeat(64), itemId: changed }],
    ['docs/unknown.txt', 'changed'],
  ]);
  await t.run(other, [['docs/x/other.pdf', 'added']]);
  await t.pump();
  expect(hook.messages.map(({ event_type, paths }) => [event_type, ...paths]).sort()).toEqual([
    ['created', 'docs/x/new.pdf'],
    ['modified', 'docs/changed.txt'],
    ['moved', 'out/moved.pdf'],
  ]);
});

test('the files of a folder that a scan finds renamed while the changes of another library are read are told', async () => {
  const { db } = t.deps;
  const second = await addLibrary(t.deps, { name: 'Second' });
  await t.rule({ event_types: ['moved'], channel_ids: [await t.channel(hook.port)], group_wait_s: 0 });
  const moved = await addItem(t.deps, second, 'new/1.txt');
  await t.run(library, [['a.txt', 'moved', { from: 'b.txt' }]]);
  let pumping: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`lock table alert_events in exclusive mode`.execute(tx);
    pumping = t.pump();
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%alert_events%'`.execute(db)
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBe(1);
    await sql`with run as (insert into scan_runs (library_id, status, phase) values (${second}, 'running', 'queueing') returning id)
      insert into folder_moves (run_id, library_id, rel_path, from_rel_path, item_ids)
      select id, ${second}, 'new', 'old', array[${moved}]::uuid[] from run`.execute(db);
    await sql`update scan_runs set settled = true, status = 'finished', finished_at = now() where library_id = ${second}`.execute(db);
  });
  await pumping;
  await t.pump();
  expect((await sql`select rel_path from alert_events order by 1`.execute(db)).rows).toEqual([
    { rel_path: 'a.txt' },
    { rel_path: 'new/1.txt' },
  ]);
});

test('moved folders are settled for others too while a page of changes is read', async () => {
  const { db } = t.deps;
  await t.rule({ event_types: ['moved'], channel_ids: [await t.channel(hook.port)], group_wait_s: 0 });
  const moved = await addItem(t.deps, library, 'new/1.txt');
  const run = await t.run(library, [['a.txt', 'moved', { from: 'b.txt' }]]);
  await sql`insert into folder_moves (run_id, library_id, rel_path, from_rel_path, item_ids)
    values (${run}, ${library}, 'new', 'old', array[${moved}]::uuid[])`.execute(db);
  let pumping: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`lock table alert_events in exclusive mode`.execute(tx);
    pumping = t.pump();
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%alert_events%'`.execute(db)
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBe(1);
    expect((await sql`select from folder_moves`.execute(db)).rows).toEqual([]);
  });
  await pumping;
});

test('group_by separates alerts by folder, extension or file', async () => {
  await t.rule({ event_types: ['deleted'], group_by: ['folder', 'extension'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [
    ['2023/a.jpg', 'gone'],
    ['2023/b.jpg', 'gone'],
    ['2023/c.png', 'gone'],
    ['2024/a.jpg', 'gone'],
  ]);
  await t.pump();
  expect(sent().sort()).toEqual([
    'firing: 2 files deleted in Photos (folder 2023, extension jpg) (2)',
    'firing: a.jpg deleted in Photos (1)',
    'firing: c.png deleted in Photos (1)',
  ]);
});

test('an already-notified group with new matches is re-notified after at least SVC_ALERT_GROUP_INTERVAL_S', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  t.wait(60);
  await t.run(library, [
    ['b.jpg', 'gone'],
    ['c.jpg', 'gone'],
  ]);
  await t.pump();
  expect(sent()).toHaveLength(1);
  t.wait(240);
  await t.pump();
  expect(sent()).toEqual(['firing: a.jpg deleted in Photos (1)', 'update: 2 files deleted in Photos (2)']);
  expect(hook.messages[1]!.paths.toSorted()).toEqual(['b.jpg', 'c.jpg']);
  expect(new Set(hook.messages.map(({ id }) => id)).size).toBe(2);
});

test('an acknowledged alert that matches again within the interval still waits for it', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  const [alert] = (await t.request('GET', '/alerts')).json().items;
  expect((await t.request('POST', `/alerts/${alert.id}/acknowledge`)).statusCode).toBe(204);
  expect((await t.request('GET', '/alerts?state=resolved')).json().items[0]).toMatchObject({
    outcome: 'acknowledged',
    acknowledged_by: expect.any(String),
  });
  t.wait(60);
  await t.run(library, [['b.jpg', 'gone']]);
  await t.pump();
  expect(sent()).toHaveLength(1);
  t.wait(240);
  await t.pump();
  expect(sent()).toHaveLength(2);
});

test('a digest is sent once its window has ended', async () => {
  await t.rule({ event_types: ['created'], digest_window: 'hourly', channel_ids: [await t.channel(hook.port)] });
  for (const name of ['a', 'b']) {
    await t.run(library, [[`${name}.jpg`, 'added']]);
    await t.pump();
    t.wait(1500);
  }
  expect(sent()).toEqual([]);
  t.wait(600);
  await t.pump();
  expect(sent()).toEqual(['firing: 2 files added in Photos (2)']);
});

test('a threshold fires only when enough events come within its window', async () => {
  await t.rule({
    event_types: ['deleted'],
    threshold_count: 5,
    threshold_window_s: 600,
    group_wait_s: 0,
    channel_ids: [await t.channel(hook.port)],
  });
  const lose = (count: number) =>
    t.run(
      library,
      [...Array(count).keys()].map((n): [string, string] => [`${count}-${n}`, 'gone']),
    );
  await lose(4);
  await t.pump();
  t.wait(700);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'resolved', outcome: 'below_threshold' }]);
  await lose(3);
  await t.pump();
  t.wait(300);
  await lose(2);
  await t.pump();
  expect(sent()).toEqual(['firing: 5 files deleted in Photos (5)']);
});

test('a lasting condition is told once, again when its level changes, and its recovery once', async () => {
  await enable('disk_low_space', { channel_ids: [await t.channel(hook.port)] });
  for (let n = 0; n < 5; n++) {
    await disk('firing');
    await t.pump();
    t.wait(300);
  }
  expect(sent()).toEqual(['firing: The disk is at warn. (1)']);
  await disk('firing', 'critical');
  await t.pump();
  await disk('recovered');
  await t.pump();
  await disk('recovered');
  await t.pump();
  expect(sent()).toEqual([
    'firing: The disk is at warn. (1)',
    'update: The disk is at critical. (1)',
    'resolved: The disk is at critical. (2)',
  ]);
  expect(hook.messages[2]!.message).toBe('The disk has space again.');
});

async function enable(event: string, fields: Record<string, unknown> = {}): Promise<string> {
  const rules = (await t.request('GET', '/alert-rules')).json() as { id: string; event_types: string[]; is_system: boolean }[];
  const { id } = rules.find(({ event_types, is_system }) => is_system && event_types[0] === event)!;
  const response = await t.request('PATCH', `/alert-rules/${id}`, { enabled: true, ...fields });
  expect(response.statusCode, response.body).toBe(200);
  return id;
}

test('a condition that recovers before anybody was told causes no message', async () => {
  await enable('disk_low_space', { channel_ids: [await t.channel(hook.port)], group_wait_s: 120 });
  await disk('firing');
  await t.pump();
  await disk('recovered');
  await t.pump();
  t.wait(600);
  await t.pump();
  expect(sent()).toEqual([]);
});

test('an alert that still fires is repeated after repeat_interval_s until somebody acknowledges it', async () => {
  await enable('disk_low_space', { channel_ids: [await t.channel(hook.port)], repeat_interval_s: 3600 });
  await disk('firing');
  await t.pump();
  t.wait(3600);
  await t.pump();
  expect(sent()).toEqual(['firing: The disk is at warn. (1)', 'reminder: The disk is at warn. (1)']);
  const [alert] = (await t.request('GET', '/alerts')).json().items;
  await t.request('POST', `/alerts/${alert.id}/acknowledge`);
  t.wait(7200);
  await t.pump();
  expect(sent()).toHaveLength(2);
  expect((await t.request('GET', '/alerts')).json()).toMatchObject({
    items: [{ state: 'firing', acknowledged_at: expect.any(String) }],
    firing: 0,
  });
});

test('an acknowledged condition that gets worse is told again, and one that gets better is not', async () => {
  await enable('disk_low_space', { channel_ids: [await t.channel(hook.port)] });
  const acknowledge = async () => {
    const [alert] = (await t.request('GET', '/alerts')).json().items;
    await t.request('POST', `/alerts/${alert.id}/acknowledge`);
  };
  const pumpLater = async () => {
    t.wait(300);
    await t.pump();
  };
  await disk('firing');
  await t.pump();
  await acknowledge();
  await disk('firing', 'critical');
  await pumpLater();
  expect(sent()).toEqual(['firing: The disk is at warn. (1)', 'update: The disk is at critical. (1)']);
  expect((await t.request('GET', '/alerts')).json()).toMatchObject({ items: [{ acknowledged_at: null }], firing: 1 });
  await acknowledge();
  await disk('firing', 'warn');
  await pumpLater();
  expect(sent()).toHaveLength(2);
  await disk('firing', 'critical');
  await pumpLater();
  expect(sent().at(-1)).toMatch(/^update: The disk is at critical/);
});

test('an alert that nobody acknowledges in time is escalated once to further channels, which also hear of its end', async () => {
  const chief = await startReceiver();
  onTestFinished(() => chief.close());
  await enable('disk_low_space', {
    channel_ids: [await t.channel(hook.port)],
    escalate_after_s: 1800,
    escalate_channel_ids: [await t.channel(chief.port)],
  });
  await disk('firing');
  await t.pump();
  t.wait(1799);
  await t.pump();
  expect(chief.messages).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) {
    t.wait(1800);
    await t.pump();
  }
  expect(chief.messages.map(({ kind }) => kind)).toEqual(['escalation']);
  expect(chief.messages[0]!.message).toContain('Nobody has acknowledged');
  expect(sent()).toEqual(['firing: The disk is at warn. (1)']);
  await disk('recovered');
  await t.pump();
  expect(chief.messages.map(({ kind }) => kind)).toEqual(['escalation', 'resolved']);
});

test('changed reminders and escalation of a rule hold for alerts that fire already', async () => {
  const channel_ids = [await t.channel(hook.port)];
  await enable('disk_low_space', { channel_ids });
  await disk('firing');
  await t.pump();
  await enable('disk_low_space', { repeat_interval_s: 3600, escalate_after_s: 1800, escalate_channel_ids: channel_ids });
  t.wait(1800);
  await t.pump();
  t.wait(1800);
  await t.pump();
  expect(hook.messages.map(({ kind }) => kind)).toEqual(['firing', 'escalation', 'reminder']);
});

test('an alert that was acknowledged in time is not escalated', async () => {
  const chief = await t.channel(hook.port);
  await enable('disk_low_space', { channel_ids: [await t.channel(hook.port)], escalate_after_s: 1800, escalate_channel_ids: [chief] });
  await disk('firing');
  await t.pump();
  const [alert] = (await t.request('GET', '/alerts')).json().items;
  await t.request('POST', `/alerts/${alert.id}/acknowledge`);
  t.wait(7200);
  await t.pump();
  expect(sent()).toEqual(['firing: The disk is at warn. (1)']);
  expect((await t.request('DELETE', `/alert-channels/${chief}`)).json()).toMatchObject({ status: 409, code: 'channel_in_use' });
});

test('a failed scan fires until a scan of the library finishes', async () => {
  await enable('scan_failed', { channel_ids: [await t.channel(hook.port)] });
  const end = (status: string) =>
    sql`insert into scan_runs (library_id, status, phase, error) values (${library}, ${status}, 'done', 'The folder is gone.')`.execute(
      t.deps.db,
    );
  await end('failed');
  await end('failed');
  await t.pump();
  await end('finished');
  await t.pump();
  expect(sent()).toEqual(['firing: The scan of Photos failed. (1)', 'resolved: The scan of Photos failed. (1)']);
});

test('an error spike is told once for the whole window, with samples in the database, and recovers', async () => {
  await enable('extract_error_spike', { channel_ids: [await t.channel(hook.port)], threshold_count: 2, threshold_window_s: 3600 });
  await t.pump();
  for (let n = 0; n < 4; n++) await addItem(t.deps, library, `bad${n}.pdf`, { metadata: { _extract_error: 'damaged' } });
  for (let n = 0; n < 4; n++) {
    t.wait(300);
    await t.pump();
  }
  expect(sent()).toEqual(['firing: 4 files of Photos could not be read within 60 minutes. (1)']);
  t.wait(3600);
  await t.pump();
  expect(sent()).toHaveLength(2);
});

test('a rule is suppressed while an inhibiting rule has fired, which counts neither as delivered nor against the ceiling', async () => {
  const channel_ids = [await t.channel(hook.port)];
  const main = await enable('scan_failed', { channel_ids });
  await t.rule({ event_types: ['deleted'], inhibited_by: [main], group_wait_s: 0, channel_ids });
  await t.run(library, [['a.jpg', 'gone']]);
  await sql`insert into scan_runs (library_id, status, phase) values (${library}, 'failed', 'done')`.execute(t.deps.db);
  await t.pump();
  expect(hook.messages.map(({ event_type }) => event_type)).toEqual(['scan_failed']);
  const events = (await t.request('GET', '/alert-events')).json() as { event_type: string; status: string }[];
  expect(events.find(({ event_type }) => event_type === 'deleted')).toMatchObject({ status: 'suppressed', delivered: false });
});

test('at most SVC_ALERT_RULE_MAX_PER_HOUR messages of a rule are sent; further alerts are held, not dropped', async () => {
  await t.rule({ event_types: ['deleted'], group_by: ['file'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(
    library,
    [...Array(8).keys()].map((n): [string, string] => [`${n}.jpg`, 'gone']),
  );
  await t.pump();
  expect(hook.messages).toHaveLength(5);
  t.wait(120);
  await t.pump();
  expect(t.warnings.filter((text) => text.includes('within an hour')).length).toBeLessThanOrEqual(3);
  t.wait(3600);
  await t.pump();
  expect(hook.messages).toHaveLength(8);
});

test('a silence suppresses incidents, and a condition that still lasts at its end is sent then', async () => {
  const channel_ids = [await t.channel(hook.port)];
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids });
  await enable('disk_low_space', { channel_ids });
  // The service's own clock decides about the end, so the silence is stored for the time of the pump.
  const ends = new Date(t.now.getTime() + 3_600_000);
  await sql`insert into alert_silences (reason, starts_at, ends_at) values ('network work', ${t.now}, ${ends})`.execute(t.deps.db);
  await t.run(library, [['a.jpg', 'gone']]);
  await disk('firing');
  await t.pump();
  expect(sent()).toEqual([]);
  t.wait(3600);
  await t.pump();
  expect(sent()).toEqual(['firing: The disk is at warn. (1)']);
  expect((await t.groups()).find(({ event_type }) => event_type === 'deleted')).toMatchObject({ outcome: 'silenced' });
});

test('quiet hours delay messages to their end', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.request('POST', '/alert-silences', { daily_from: '22:00', daily_to: '06:00', time_zone: 'Europe/Oslo', reason: 'night' });
  await sql`update alert_silences set starts_at = '2026-01-01'`.execute(t.deps.db);
  t.now = new Date('2026-03-01T22:30:00Z');
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  t.now = new Date('2026-03-02T04:59:00Z');
  await t.pump();
  expect(sent()).toEqual([]);
  t.now = new Date('2026-03-02T05:00:00Z');
  await t.pump();
  expect(sent()).toHaveLength(1);
});

test('delivery state is kept per channel: when the second channel fails, the first one does not get the message again', async () => {
  const broken = await startReceiver();
  broken.answer = (_, response) => void response.writeHead(503).end();
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port), await t.channel(broken.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  for (let n = 0; n < 8; n++) {
    await t.pump();
    t.wait(86_400);
  }
  expect(hook.messages).toHaveLength(1);
  expect(broken.requests).toBe(5);
  const deliveries = await sql<{
    state: string;
    attempts: number;
    last_error: string;
  }>`select state, attempts, last_error from alert_deliveries order by state`.execute(t.deps.db);
  expect(deliveries.rows).toMatchObject([
    { state: 'delivered', attempts: 1, last_error: null },
    { state: 'failed', attempts: 5, last_error: expect.stringContaining('503') },
  ]);
  broken.close();
});

test('an alert goes terminal on a permanent error on the first attempt, and can be sent again by hand', async () => {
  hook.answer = (_, response) => void response.writeHead(404).end('no such hook');
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  t.wait(86_400);
  await t.pump();
  expect(hook.requests).toBe(1);
  const [event] = (await t.request('GET', '/alert-events?status=failed')).json();
  expect(event).toMatchObject({ status: 'failed', delivery_attempts: 1, last_error: expect.stringContaining('404') });
  hook.answer = (_, response) => void response.end();
  expect((await t.request('POST', `/alert-events/${event.id}/resend`)).json()).toEqual({ queued: 1 });
  t.now = new Date();
  await t.pump();
  expect(hook.messages).toHaveLength(1);
  expect((await t.request('GET', '/alert-events/summary')).json()).toEqual({ delivered: 1, failed: 0, pending: 0, suppressed: 0 });
});

test('retries wait exponentially longer, up to a day', () => {
  expect([1, 2, 3, 4, 5, 9].map(backoffSeconds)).toEqual([60, 360, 2160, 12_960, 77_760, 86_400]);
});

test('without a channel the alert fires in the console and stays pending; a channel attached later gets it', async () => {
  const rule = await t.rule({ event_types: ['deleted'], group_wait_s: 0 });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  expect((await t.request('GET', '/alerts')).json()).toMatchObject({ items: [{ state: 'firing', held: 'no channel' }], firing: 1 });
  expect((await t.request('GET', '/alert-events')).json()).toMatchObject([{ status: 'pending' }]);
  await t.request('PATCH', `/alert-rules/${rule}`, { channel_ids: [await t.channel(hook.port)] });
  t.now = new Date();
  await t.pump();
  expect(hook.messages).toHaveLength(1);
});

test('a secret that cannot be decrypted holds the message, uses no attempt, and names the key', async () => {
  const channel = await t.channel(hook.port);
  await t.request('PATCH', `/alert-channels/${channel}`, { config: { secret: 'shared' } });
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [channel] });
  await sql`update secrets set key_id = 'another'`.execute(t.deps.db);
  await t.run(library, [['a.jpg', 'gone']]);
  for (let n = 0; n < 8; n++) {
    await t.pump();
    t.wait(3600);
  }
  const { rows } = await sql<{ attempts: number; state: string; last_error: string }>`select * from alert_deliveries`.execute(t.deps.db);
  expect(rows).toMatchObject([{ attempts: 0, state: 'pending', last_error: expect.stringContaining('SVC_SECRET_KEY') }]);
});

test('a disabled rule ends its alerts, and a disabled rule never matches', async () => {
  const rule = await t.rule({ event_types: ['deleted'], group_wait_s: 600, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  await t.request('PATCH', `/alert-rules/${rule}`, { enabled: false });
  await t.run(library, [['b.jpg', 'gone']]);
  t.wait(600);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'resolved', outcome: 'disabled', events: 1 }]);
  expect(hook.messages).toEqual([]);
});

test('an incident that nobody acknowledges ends a day after its last event', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  t.wait(86_400);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'resolved', outcome: 'expired' }]);
});

test('100,000 file events of one scan make one grouped message, and the pump reads groups, not events', async () => {
  await t.rule({ event_types: ['created'], digest_window: 'hourly', channel_ids: [await t.channel(hook.port)] });
  const { rows } = await sql<{
    id: string;
  }>`insert into scan_runs (library_id, status) values (${library}, 'running') returning id`.execute(t.deps.db);
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select ${rows[0]!.id}, ${library}, uuidv7(), 'added', 'many/' || n || '.jpg' from generate_series(1, 100000) n`.execute(t.deps.db);
  await sql`update scan_runs set settled = true where id = ${rows[0]!.id}`.execute(t.deps.db);
  await t.pump();
  t.wait(3600);
  await t.pump();
  expect(sent()).toEqual(['firing: 100000 files added in Photos (100000)']);
  expect(hook.messages[0]).toMatchObject({ truncated: 99_997 });
  const kept = await sql<{ n: number }>`select count(*) as n from alert_events`.execute(t.deps.db);
  expect(kept.rows[0]!.n).toBeLessThanOrEqual(10_000);
}, 180_000);
