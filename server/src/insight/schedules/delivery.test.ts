import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addItem, addLibrary, addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { missingChannels } from '../alerts/index.ts';
import { createScheduleApp, type ScheduleApp } from './schedules.fixture.ts';
import { findSchedule, insertSchedule } from './store.ts';

let t: ScheduleApp;
let photos: string;
let films: string;

beforeAll(async () => {
  t = await createScheduleApp();
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
  await addItem(t.deps, photos, 'one.jpg', { size: 500 });
  await addItem(t.deps, films, 'two.mov', { size: 900 });
});
afterAll(() => t.close());
beforeEach(() => t.forgetMessages());

test('a run makes the report, sends it through every channel and is kept in the history', async () => {
  const id = await t.addSchedule({ channel_ids: [t.webhook, t.mailbox], format: 'csv' });
  const run = await t.runNow(id);
  expect(run).toMatchObject({ state: 'delivered', row_count: 2, deliveries: [{ state: 'delivered' }, { state: 'delivered' }] });
  expect(JSON.stringify(t.posts[0])).toContain(`https://catalog.example/api/v1/exports/${run.export_id}/download`);
  expect(t.posts[0]).toMatchObject({ event_type: 'scheduled_report' });
  // Small enough: the file is attached.
  expect(t.mails[0]).toContain('Content-Disposition: attachment');
  expect((await t.request('GET', `/report-schedules/${id}`, undefined, { as: 'write' })).json()).toMatchObject({
    last_run: { state: 'delivered' },
    next_run_at: expect.any(String),
  });
  expect((await t.request('GET', `/exports/${run.export_id}`, undefined, { as: 'write' })).json()).toMatchObject({
    triggered_by: 'schedule',
    delivery_status: 'delivered',
  });
});

test('a file above the limit is sent as a link', async () => {
  for (let n = 0; n < 30; n += 1) await addItem(t.deps, films, `many/${n}.mov`, { size: 2 });
  const id = await t.addSchedule({ channel_ids: [t.mailbox], canned_report_key: 'largest_files' });
  const { export_id } = await t.runNow(id);
  expect(t.mails[0]).not.toContain('Content-Disposition: attachment');
  expect(t.mails[0]?.replace(/=\r?\n/g, '')).toContain(export_id);
  await sql`delete from items where rel_path like 'many/%'`.execute(t.deps.db);
});

test('a channel that has the changes does not receive them again because another one failed', async () => {
  const id = await t.addSchedule({ only_changes: true, channel_ids: [t.webhook, t.mailbox] });
  t.answers.push(404);
  expect(await t.runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'failed' }, { state: 'delivered' }] });
  expect(t.mails).toHaveLength(1);
  expect(await t.runNow(id)).toMatchObject({ state: 'skipped', detail: 'Nothing has changed since the last time.' });
  expect(t.mails).toHaveLength(1);
});

test('a failed delivery is retried, and the last failure raises an event', async () => {
  const id = await t.addSchedule({ channel_ids: [t.webhook] });
  t.answers.push(503);
  expect((await t.runNow(id)).deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  t.answers.push(400);
  expect(await t.runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'failed', attempts: 1 }] });
  const { rows } = await sql<{
    subject: string;
  }>`select subject from system_events where kind = 'report_delivery_failed' order by id desc limit 1`.execute(t.deps.db);
  expect(rows).toEqual([{ subject: id }]);
  await t.request('PATCH', `/alert-channels/${t.webhook}`, { enabled: false });
  expect(await t.runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'skipped' }] });
  await t.request('PATCH', `/alert-channels/${t.webhook}`, { enabled: true });
});

test('a channel that schedules use is not deleted', async () => {
  const channel = (
    await t.request('POST', '/alert-channels', { name: 'Team', type: 'gateway', config: { url: 'json://example.org' } })
  ).json();
  const remove = () => t.request('DELETE', `/alert-channels/${channel.id}`);
  const id = await t.addSchedule({ name: 'Every Monday', channel_ids: [t.webhook, channel.id] });
  expect((await remove()).json()).toMatchObject({
    status: 409,
    code: 'channel_in_use',
    detail: 'This channel is still in use by schedules: "Every Monday". Choose another channel there first.',
  });
  await t.request('PATCH', `/report-schedules/${id}`, { channel_ids: [t.webhook] }, { as: 'write' });
  expect((await remove()).statusCode).toBe(204);
  expect((await t.request('PATCH', `/report-schedules/${id}`, { channel_ids: [channel.id] }, { as: 'write' })).statusCode).toBe(422);
});

/** Statements that wait for a lock of a channel. */
async function waiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
    and query like '%from alert_channels%for update%'`.execute(t.deps.db);
  return rows.length;
}

test('a channel that a new schedule is about to use is not deleted', async () => {
  const channel = (
    await t.request('POST', '/alert-channels', { name: 'Soon', type: 'gateway', config: { url: 'json://example.org' } })
  ).json();
  const other = (await findSchedule(t.deps.db, await t.addSchedule({})))!;
  const { removing } = await t.deps.db.transaction().execute(async (tx) => {
    await missingChannels(tx, [channel.id]);
    const removing = t.request('DELETE', `/alert-channels/${channel.id}`);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 30_000 });
    await insertSchedule(tx, { ...other, name: 'New', channel_ids: [channel.id] });
    return { removing };
  });
  expect((await removing).statusCode).toBe(409);
});

test('the event of a failed delivery is raised too when another channel is switched off or gone', async () => {
  const gone = '00000000-0000-7000-8000-000000000000';
  const failures = async (schedule: string) =>
    (await sql`select from system_events where kind = 'report_delivery_failed' and subject = ${schedule}`.execute(t.deps.db)).rows.length;
  for (const answer of [200, 400]) {
    const id = await t.addSchedule({ channel_ids: [t.webhook] });
    await sql`update report_schedules set channel_ids = ${[gone, t.webhook]}::uuid[] where id = ${id}`.execute(t.deps.db);
    t.answers.push(answer);
    expect(await t.runNow(id)).toMatchObject({
      state: 'failed',
      deliveries: expect.arrayContaining([expect.objectContaining({ state: 'skipped' })]),
    });
    expect(await failures(id)).toBe(1);
  }
});

test('a report that cannot be made raises an event, because nobody receives it', async () => {
  const { id: owner, key } = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
  ]);
  const failures = async (schedule: string) =>
    (
      await sql<{
        message: string;
      }>`select message from system_events where kind = 'report_delivery_failed' and subject = ${schedule}`.execute(t.deps.db)
    ).rows.map(({ message }) => message);
  const [sent, kept] = [await t.addSchedule({ channel_ids: [t.webhook] }, key), await t.addSchedule({}, key)];
  await sql`delete from grants where principal_id = ${owner} and action = 'download'`.execute(t.deps.db);
  for (const schedule of [sent, kept]) expect(await t.runNow(schedule, key)).toMatchObject({ state: 'failed', deliveries: [] });
  expect(await failures(sent)).toEqual([expect.stringMatching(/^The scheduled report "Schedule \d+" could not be delivered: .*download/)]);
  expect(await failures(kept)).toEqual([]);
});

test('a run whose job was given up raises an event, but not one that a person aborted', async () => {
  const failures = async (schedule: string) =>
    (
      await sql<{
        message: string;
      }>`select message from system_events where kind = 'report_delivery_failed' and subject = ${schedule}`.execute(t.deps.db)
    ).rows.map(({ message }) => message);
  const givenUp = async (fields: Record<string, unknown>, aborted = false) => {
    const id = await t.addSchedule(fields);
    await t.startRun(id);
    await sql`update jobs set state = 'failed', error = 'Out of memory.', abort_requested = ${aborted}
      where id = (select job_id from schedule_runs where schedule_id = ${id})`.execute(t.deps.db);
    expect(await t.runs(id)).toMatchObject([{ state: 'failed' }]);
    // A run ends once.
    await t.runs(id);
    return id;
  };
  expect(await failures(await givenUp({ channel_ids: [t.webhook] }))).toEqual([
    expect.stringContaining('could not be delivered: Out of memory.'),
  ]);
  expect(await failures(await givenUp({ channel_ids: [t.webhook] }, true))).toEqual([]);
  expect(await failures(await givenUp({}))).toEqual([]);
});

test('a retry leaves out the services of a channel that have the report', async () => {
  const { config } = (await t.request('GET', `/alert-channels/${t.webhook}`)).json();
  const url = `json://${config.host}/first\njson://${config.host}/second`;
  const channel = (await t.request('POST', '/alert-channels', { name: 'Services', type: 'gateway', config: { url } })).json().id;
  const id = await t.addSchedule({ channel_ids: [channel] });
  t.answers.push(200, 503);
  expect((await t.runNow(id)).deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  expect(t.posts).toHaveLength(2);
});

test('changes that one channel has are not sent to it again when the run ends while another one is retried', async () => {
  const id = await t.addSchedule({ only_changes: true, channel_ids: [t.webhook, t.mailbox] });
  t.answers.push(503);
  await t.startRun(id);
  for (let n = 0; n < 2; n += 1) await t.work();
  expect(await t.runs(id)).toMatchObject([{ state: 'delivering', deliveries: [{ state: 'pending' }, { state: 'delivered' }] }]);
  const { rows } = await sql<{ job_id: string }>`select job_id from schedule_runs where schedule_id = ${id}`.execute(t.deps.db);
  expect((await t.request('POST', `/system/jobs/${rows[0]!.job_id}/abort`)).statusCode).toBe(200);
  expect(await t.runNow(id)).toMatchObject({ state: 'skipped', detail: 'Nothing has changed since the last time.' });
  expect(t.mails).toHaveLength(1);
});

describe('a file is not sent any more', () => {
  /** A schedule of a person whose file one channel has received, while the other one is retried. */
  async function halfDelivered() {
    const person = await addPerson(
      t.deps,
      [photos, films].flatMap((library) => ['search_metadata', 'download'].map((action): Grant => [library, '', action])),
    );
    const id = await t.addSchedule({ channel_ids: [t.webhook, t.mailbox] }, person.key);
    t.answers.push(503);
    await t.startRun(id, person.key);
    for (let n = 0; n < 2; n += 1) await t.work();
    expect(await t.runs(id, person.key)).toMatchObject([
      { state: 'delivering', deliveries: [{ state: 'pending' }, { state: 'delivered' }] },
    ]);
    return { ...person, schedule: id };
  }

  test.each([
    ['the owner lost a folder', (id: string) => sql`delete from grants where principal_id = ${id} and library_id = ${films}`],
    ['the owner may not download any more', (id: string) => sql`delete from grants where principal_id = ${id} and action = 'download'`],
    ['the account was disabled', (id: string) => sql`update principals set disabled = true where id = ${id}`],
    ['the account was deleted', (id: string) => sql`delete from principals where id = ${id}`],
    ['the API key was revoked', (id: string) => sql`delete from api_keys where principal_id = ${id}`],
  ])('once %s', async (_, lose) => {
    const { id, schedule } = await halfDelivered();
    await lose(id).execute(t.deps.db);
    await t.work();
    expect(await t.runs(schedule, 'admin')).toMatchObject([
      {
        state: 'failed',
        detail: expect.stringMatching(/was not sent|no longer exists or is disabled/),
        deliveries: [{ state: 'failed', attempts: 1 }, { state: 'delivered' }],
      },
    ]);
    expect(t.posts).toEqual([]);
  });

  test('but it is while the owner has gained rights only', async () => {
    const { id, key, schedule } = await halfDelivered();
    await sql`insert into grants (principal_id, library_id, rel_path, action, effect) values (${id}, ${films}, '', 'view_permissions', 'allow')`.execute(
      t.deps.db,
    );
    await t.work();
    expect(await t.runs(schedule, key)).toMatchObject([{ state: 'delivered' }]);
    expect(t.posts).toHaveLength(1);
  });
});
