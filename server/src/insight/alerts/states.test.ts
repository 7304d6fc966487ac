import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { type AlertsApp, createAlertsApp, type Receiver, startReceiver } from './alerts.fixture.ts';

let t: AlertsApp;
let hook: Receiver;
let library: string;
beforeAll(async () => {
  t = await createAlertsApp({ SVC_ALERT_DIGEST_MAX_EVENTS: '3' });
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.reset();
  hook = await startReceiver();
  library = await addLibrary(t.deps, { name: 'Photos' });
});
afterEach(() => hook.close());
const sent = () => hook.messages.map(({ kind, title, count }) => `${kind}: ${title} (${count})`);
const lose = (...names: string[]) =>
  t.run(
    library,
    names.map((name): [string, string] => [name, 'gone']),
  );
const disk = (status: 'firing' | 'recovered') =>
  raiseSystemEvent(t.deps.db, { kind: 'disk_low_space', subject: 'config', status, message: `The disk is ${status}.` });

test('a condition of a rule with a digest is one alert for as long as it lasts', async () => {
  await t.rule({ event_types: ['disk_low_space'], digest_window: 'hourly', channel_ids: [await t.channel(hook.port)] });
  for (let hour = 0; hour < 3; hour += 1) {
    await disk('firing');
    await t.pump();
    t.wait(3600);
  }
  expect(sent()).toEqual(['firing: The disk is firing. (1)']);
  expect(await t.groups()).toMatchObject([{ state: 'firing', events: 1 }]);
  await disk('recovered');
  await t.pump();
  expect(sent()).toHaveLength(2);
  expect(await t.groups()).toMatchObject([{ state: 'resolved', outcome: 'recovered' }]);
});

test('a condition is told at once, and again, when its rule has no digest any more', async () => {
  t.now = new Date();
  const rule = await t.rule({ event_types: ['disk_low_space'], digest_window: 'daily', channel_ids: [await t.channel(hook.port)] });
  const change = (fields: object) => t.request('PATCH', `/alert-rules/${rule}`, fields);
  await disk('firing');
  await t.pump();
  expect(sent()).toEqual([]);
  await change({ digest_window: null });
  t.wait(60);
  await t.pump();
  expect(sent()).toEqual(['firing: The disk is firing. (1)']);
  await change({ digest_window: 'daily' });
  await disk('recovered');
  await disk('firing');
  await t.pump();
  t.wait(86_400);
  await t.pump();
  expect(sent()).toHaveLength(3);
  await change({ digest_window: null, repeat_interval_s: 3600 });
  t.wait(3600);
  await t.pump();
  expect(sent().at(-1)).toBe('reminder: The disk is firing. (1)');
});

test('a threshold that was reached counts however late it is looked at', async () => {
  const channel_ids = [await t.channel(hook.port)];
  await t.rule({ event_types: ['deleted'], threshold_count: 3, threshold_window_s: 60, channel_ids });
  await lose('a', 'b');
  await t.pump();
  t.wait(60);
  await lose('c');
  await t.pump();
  t.wait(60);
  // Never three within a minute.
  await t.pump();
  expect(await t.groups()).toMatchObject([{ outcome: 'below_threshold' }]);
  await lose('d', 'e', 'f');
  await t.pump();
  // The service was down for an hour.
  t.wait(3600);
  await t.pump();
  expect(sent()).toEqual(['firing: 3 files deleted in Photos (3)']);
});

test('an incident during a silence is not sent when quiet hours last longer than the silence', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await sql`insert into alert_silences (starts_at, ends_at, daily_from, daily_to, time_zone) values
    (${t.now}, ${new Date(t.now.getTime() + 3_600_000)}, null, null, null), (${t.now}, null, '09:00', '15:00', 'UTC')`.execute(t.deps.db);
  await lose('a.jpg');
  await t.pump();
  expect(await t.groups()).toMatchObject([{ outcome: 'silenced' }]);
  t.wait(6 * 3600);
  await t.pump();
  expect(sent()).toEqual([]);
});

test.each([
  ['forward', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
  ['back', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  ['forward over the end', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00Z', '02:30'],
])('quiet hours end on time in a night in which clocks are set %s', async (_, begin, end, daily_to = '07:00') => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await sql`insert into alert_silences (starts_at, daily_from, daily_to, time_zone) values ('2026-01-01', '22:00', ${daily_to}, 'Europe/Berlin')`.execute(
    t.deps.db,
  );
  t.now = new Date(begin);
  await lose('a.jpg');
  await t.pump();
  expect(await t.groups()).toMatchObject([{ held: `silenced until ${new Date(end).toISOString()}` }]);
  t.now = new Date(end);
  await t.pump();
  expect(sent()).toHaveLength(1);
});

test('a message about several incidents lists them like files', async () => {
  await t.rule({ event_types: ['report_delivery_failed'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  const fail = (day: string) =>
    raiseSystemEvent(t.deps.db, {
      kind: 'report_delivery_failed',
      subject: 'weekly',
      status: 'once',
      message: `The report of ${day} failed.`,
    });
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await fail(day);
  await t.pump();
  t.wait(300);
  await fail('Sunday');
  await t.pump();
  expect(hook.messages).toMatchObject([
    {
      title: 'The report of Monday failed. (and 4 more)',
      count: 5,
      message: '',
      paths: ['The report of Monday failed.', 'The report of Tuesday failed.', 'The report of Wednesday failed.'],
      truncated: 2,
    },
    { title: 'The report of Sunday failed.', count: 1, message: 'The report of Sunday failed.', paths: ['The report of Sunday failed.'] },
  ]);
});

test('an incident without a channel ends a day after its last event too', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0 });
  await lose('a.jpg');
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'firing', held: 'no channel' }]);
  t.wait(43_200);
  await lose('b.jpg');
  await t.pump();
  t.wait(86_399);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'firing', events: 2 }]);
  t.wait(1);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ state: 'resolved', outcome: 'expired' }]);
});

test('a condition that began while its channel was off is told when the channel is on again', async () => {
  const channel = await t.channel(hook.port);
  await t.rule({ event_types: ['disk_low_space'], group_wait_s: 0, channel_ids: [channel] });
  await t.request('PATCH', `/alert-channels/${channel}`, { enabled: false });
  await disk('firing');
  await t.pump();
  expect(await t.groups()).toMatchObject([{ held: 'no channel' }]);
  await t.request('PATCH', `/alert-channels/${channel}`, { enabled: true });
  t.now = new Date();
  await t.pump();
  expect(sent()).toEqual(['firing: The disk is firing. (1)']);
});

test('an alert about a deleted library names none, also while its files are still being removed', async () => {
  await t.rule({ event_types: ['deleted'], digest_window: 'daily', channel_ids: [await t.channel(hook.port)] });
  await lose('a.jpg', 'b.jpg');
  await t.pump();
  const deleted = await t.request('DELETE', `/libraries/${library}?confirm=Photos`);
  expect(deleted.statusCode, deleted.body).toBeLessThan(300);
  t.wait(86_400);
  await t.pump();
  expect(sent()).toEqual(['firing: 2 files deleted (2)']);
  expect((await t.request('GET', '/alerts?state=resolved')).json().items).toMatchObject([{ library: null, title: '2 files deleted' }]);
});

test('a condition of a library ends when the library is deleted', async () => {
  const other = await addLibrary(t.deps);
  await t.rule({ event_types: ['scan_failed'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  for (const id of [library, other])
    await sql`insert into scan_runs (library_id, status, phase) values (${id}, 'failed', 'done')`.execute(t.deps.db);
  await t.pump();
  await sql`update all_libraries set removed_at = now() where id = ${library}`.execute(t.deps.db);
  await t.pump();
  const states = (await t.groups()).map(({ library_id, state, outcome }) => [library_id, state, outcome]);
  expect(states).toHaveLength(2);
  expect(states).toContainEqual([library, 'resolved', 'expired']);
  expect(states).toContainEqual([other, 'firing', null]);
});

test('a name whose title ends within an emoji is told, and holds up nothing else', async () => {
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port)] });
  await lose(`${'a'.repeat(199)}😀.jpg`);
  await t.pump();
  expect(sent()).toEqual([`firing: ${'a'.repeat(199)}\uFFFD (1)`]);
  expect(hook.messages[0]!.paths).toEqual([`${'a'.repeat(199)}😀.jpg`]);
});

test('a saved search that cannot be run holds up no other alert, and its files are tested later', async () => {
  const saved = (await t.request('POST', '/saved-searches', { name: 'Jazz', params: { q: 'jazz' } })).json().id;
  const channel_ids = [await t.channel(hook.port)];
  // Rules of searches are made while search works.
  const rule = await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids });
  await sql`update alert_rules set event_types = '{search_match}', saved_search_id = ${saved} where id = ${rule}`.execute(t.deps.db);
  await t.rule({ event_types: ['disk_low_space'], group_wait_s: 0, channel_ids });
  const item = await addItem(t.deps, library, 'jazz.flac');
  await sql`delete from index_outbox`.execute(t.deps.db);
  await t.run(library, [['jazz.flac', 'added', { itemId: item }]]);
  await disk('firing');
  await t.pump({ matchSearch: () => Promise.reject(new Error('The search engine does not answer.')) });
  expect(sent()).toEqual(['firing: The disk is firing. (1)']);
  expect(t.warnings.join()).toContain('cannot run its saved search');
  await t.pump({ matchSearch: async (_search, _owner, ids) => [...ids] });
  expect(sent()).toHaveLength(2);
});

test('an alert that was not told itself suppresses no other', async () => {
  const channel_ids = [await t.channel(hook.port)];
  const many = await t.rule({ event_types: ['deleted'], threshold_count: 100, threshold_window_s: 60, group_wait_s: 0, channel_ids });
  await t.rule({ event_types: ['deleted'], inhibited_by: [many], group_wait_s: 0, channel_ids });
  await lose('a.jpg');
  await t.pump();
  expect(sent()).toEqual([]);
  t.wait(60);
  await t.pump();
  t.wait(60);
  await t.pump();
  expect(sent()).toEqual(['firing: a.jpg deleted in Photos (1)']);
});

test('of two rules that suppress each other, one is told', async () => {
  const channel_ids = [await t.channel(hook.port)];
  const first = await t.rule({ event_types: ['deleted'], channel_ids });
  const second = await t.rule({ event_types: ['created'], inhibited_by: [first], channel_ids });
  expect((await t.request('PATCH', `/alert-rules/${first}`, { inhibited_by: [second] })).statusCode).toBe(200);
  await t.run(library, [
    ['a.jpg', 'gone'],
    ['b.jpg', 'added'],
  ]);
  await t.pump();
  t.wait(60);
  await t.pump();
  expect(sent()).toHaveLength(1);
});
