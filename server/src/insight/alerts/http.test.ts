import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { addLibrary } from '../../../test/catalog-rows.ts';
import { seed } from '../../assembly/seed.ts';
import { settingsForTests } from '../../settings/index.ts';
import { type AlertsApp, createAlertsApp, type Receiver, startReceiver } from './alerts.fixture.ts';
import { openChannel, requireChannel } from './channels/service.ts';
import { alertChecks } from './checks.ts';
import { encryptWebhookAddresses, sendToChannel } from './index.ts';

let t: AlertsApp;
let hook: Receiver;
beforeAll(async () => {
  t = await createAlertsApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.reset();
  hook = await startReceiver();
});
afterEach(() => hook.close());

const post = async (url: string, body: unknown) => {
  const response = await t.request('POST', url, body);
  return { status: response.statusCode, body: response.json() };
};
const smtp = {
  host: 'mail.example.org',
  username: 'me',
  password: 'hush-hush',
  from_addr: 'a@example.org',
  to: 'b@example.org, c@example.org',
};

test('channels are created, listed, changed and deleted; their secrets read as __redacted__ and a blank field keeps them', async () => {
  const made = await post('/alert-channels', { name: 'Mail', type: 'smtp', config: smtp });
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Mail',
      type: 'smtp',
      dispatch_locality: 'central',
      enabled: true,
      config: { password: '__redacted__', port: 587, security: 'starttls', to: ['b@example.org', 'c@example.org'] },
    },
  });
  const { id } = made.body;
  const stored = await sql<{ text: string }>`select ciphertext || (select config::text from alert_channels) as text from secrets`.execute(
    t.deps.db,
  );
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0]!.text).not.toContain('hush');
  const before = stored.rows[0]!.text;
  for (const password of ['', '__redacted__', undefined]) {
    const changed = await t.request('PATCH', `/alert-channels/${id}`, {
      config: { from_addr: 'x@example.org', ...(password === undefined ? {} : { password }) },
    });
    expect(changed.json()).toMatchObject({ config: { password: '__redacted__', from_addr: 'x@example.org' } });
  }
  expect((await sql<{ ciphertext: string }>`select ciphertext from secrets`.execute(t.deps.db)).rows[0]!.ciphertext).toBe(
    before.slice(0, before.indexOf('{')),
  );
  expect((await t.request('PATCH', `/alert-channels/${id}`, { config: { host: 'elsewhere.example.org' } })).json()).toMatchObject({
    code: 'validation_failed',
  });
  expect((await t.request('GET', '/alert-channels')).json()).toHaveLength(1);
  expect((await t.request('DELETE', `/alert-channels/${id}`)).statusCode).toBe(204);
  expect((await sql`select from secrets`.execute(t.deps.db)).rows).toEqual([]);
  const audit = (await t.request('GET', '/audit')).body;
  expect(audit).toContain('alert_channel_created');
  expect(audit).not.toContain('hush');
});

const address = 'https://svc:hush-pw@hooks.example.org:8443/services/T0/B0/hush-token';
const storedText = async (): Promise<string> =>
  JSON.stringify(
    (await sql`select name, ciphertext from secrets union all select name, config::text from alert_channels`.execute(t.deps.db)).rows,
  );

test('the address of a webhook is a secret of which only the host is shown, and a blank field keeps it', async () => {
  const config = { host: 'hooks.example.org:8443', url: '__redacted__', webhook_format: 'auto', secret: null };
  const made = await post('/alert-channels', { name: 'Chat', type: 'webhook', config: { url: address } });
  expect(made).toMatchObject({ status: 201, body: { config } });
  const { id } = made.body;
  const path = `/alert-channels/${id}`;
  for (const url of ['', '__redacted__', undefined])
    expect((await t.request('PATCH', path, { config: { webhook_format: 'generic', url } })).json().config).toEqual({
      ...config,
      webhook_format: 'generic',
    });
  expect((await t.request('PATCH', path, { config: { ...made.body.config, secret: '' } })).json().config, 'as it was read').toEqual(config);
  expect((await openChannel(t.deps, await requireChannel(t.deps.db, id))).secrets).toEqual({ url: address });
  expect(JSON.stringify([made.body, (await t.request('GET', '/alert-channels')).json()])).not.toContain('hush');
  expect(await storedText()).not.toContain('hush');
  expect((await t.request('PATCH', path, { config: { host: 'elsewhere.example.org' } })).json()).toMatchObject({
    errors: [{ loc: ['body', 'config', 'host'] }],
  });
  // Whether a signing secret fits depends on the stored address.
  const slack = (await post('/alert-channels', { name: 'Slack', type: 'webhook', config: { url: 'https://hooks.slack.com/services/x' } }))
    .body;
  expect((await t.request('PATCH', `/alert-channels/${slack.id}`, { config: { secret: 'x' } })).json()).toMatchObject({
    errors: [{ loc: ['body', 'config', 'secret'] }],
  });
  expect((await t.request('PATCH', path, { config: { url: 'http://other.example.org/x' } })).json().config.host).toBe('other.example.org');
});

test('addresses that an earlier version stored in plain text work, are never shown, and are encrypted at the next start', async () => {
  const plain = `http://127.0.0.1:${hook.port}/hush-token`;
  const add = async (name: string, url: string): Promise<string> => {
    const { rows } = await sql<{ id: string }>`insert into alert_channels (name, type, config)
      values (${name}, 'webhook', ${JSON.stringify({ url, webhook_format: 'auto' })}::jsonb) returning id`.execute(t.deps.db);
    return rows[0]!.id;
  };
  const [first, second, edited] = [await add('First', plain), await add('Second', address), await add('Edited', plain)];
  const shown = async (id: string) => (await t.request('GET', `/alert-channels/${id}`)).json().config;
  expect(await shown(second)).toEqual({ host: 'hooks.example.org:8443', url: '__redacted__', webhook_format: 'auto', secret: null });
  expect((await post(`/alert-channels/${first}/test`, undefined)).body).toMatchObject({ ok: true });
  await t.request('PATCH', `/alert-channels/${edited}`, { config: { webhook_format: 'generic' } });
  const findings = async (): Promise<string[]> => (await Promise.all(alertChecks.map(({ run }) => run(t.deps)))).flat();
  expect(await findings()).toEqual([expect.stringContaining('First'), expect.stringContaining('Second')]);
  const keyless = { db: t.deps.db, settings: settingsForTests({ SVC_CONFIG_DIR: '/nowhere' }) };
  expect(await encryptWebhookAddresses(keyless)).toBe(0);
  expect(await Promise.all([1, 2].map(() => encryptWebhookAddresses(t.deps))).then(([a = 0, b = 0]) => a + b)).toBe(2);
  expect(await findings()).toEqual([]);
  expect(await storedText()).not.toContain('hush');
  expect(await shown(second)).toEqual({ host: 'hooks.example.org:8443', url: '__redacted__', webhook_format: 'auto', secret: null });
  for (const id of [first, edited]) expect((await post(`/alert-channels/${id}/test`, undefined)).body).toMatchObject({ ok: true });
  expect((await openChannel(t.deps, await requireChannel(t.deps.db, second))).secrets).toEqual({ url: address });
});

test('bad channels are refused with the field and what to do', async () => {
  const cases: [string, object, string][] = [
    ['webhook', { url: 'ftp://x' }, 'url'],
    ['webhook', { url: '__redacted__' }, 'url'],
    ['webhook', {}, 'url'],
    ['webhook', { url: 'https://hooks.slack.com/services/x', secret: 'x' }, 'secret'],
    ['webhook', { url: 'https://example.org', host: 'x' }, 'host'],
    ['smtp', { ...smtp, security: 'plain' }, 'security'],
    ['smtp', { ...smtp, to: [] }, 'to'],
    ['smtp', { ...smtp, from_addr: 'nobody' }, 'from_addr'],
    ['smtp', { ...smtp, username: '' }, 'username'],
    ['gateway', { url: 'gotify://h/t\nunknown://x' }, 'url'],
    ['gateway', {}, 'url'],
  ];
  for (const [type, config, field] of cases) {
    const { status, body } = await post('/alert-channels', { name: 'X', type, config });
    expect([status, body.errors?.[0]?.loc], JSON.stringify(config)).toEqual([422, ['body', 'config', field]]);
  }
  await post('/alert-channels', { name: 'Taken', type: 'gateway', config: { url: 'gotify://h/t' } });
  expect(await post('/alert-channels', { name: 'taken', type: 'gateway', config: { url: 'gotify://h/t' } })).toMatchObject({ status: 409 });
});

test('a channel can be tested before it is saved, and stored secrets fill blank fields', async () => {
  const config = { url: `http://127.0.0.1:${hook.port}/`, secret: 'shared' };
  expect(await post('/alert-channels/test', { type: 'webhook', config })).toMatchObject({
    status: 200,
    body: { ok: true, status_code: 200 },
  });
  const { id } = (await post('/alert-channels', { name: 'Hook', type: 'webhook', config: { ...config, url: 'http://127.0.0.1:9/' } })).body;
  expect((await post(`/alert-channels/${id}/test`, undefined)).body).toMatchObject({ ok: false, retryable: true });
  let signature: unknown;
  hook.answer = (request, response) => {
    signature = request.headers['x-svc-signature'];
    response.end();
  };
  expect((await post(`/alert-channels/${id}/test`, { config: { url: config.url } })).body).toMatchObject({ ok: true });
  expect(signature).toMatch(/^t=\d+,sha256=/);
  expect(hook.messages).toMatchObject([
    { test: true, channel: 'New channel' },
    { test: true, channel: 'Hook' },
  ]);
  hook.answer = (_, response) => void response.writeHead(500).end();
  expect((await post('/alert-channels/test', { type: 'webhook', config })).body).toMatchObject({
    ok: false,
    status_code: 500,
    retryable: true,
  });
  expect((await post('/alert-channels/test', { type: 'webhook', config: { url: 'http://10.0.0.1/' } })).body).toMatchObject({
    ok: false,
    retryable: false,
  });
});

test('without a secret key, creating and testing a channel answers 503 and says how to make a key', async () => {
  const bare = await createTestApp();
  try {
    for (const url of ['/alert-channels', '/alert-channels/test']) {
      const response = await bare.request('POST', url, {
        ...(url.endsWith('test') ? {} : { name: 'X' }),
        type: 'webhook',
        config: { url: 'https://example.org' },
      });
      expect([response.statusCode, response.json().code]).toEqual([503, 'secret_key_missing']);
      expect(response.json().detail).toContain('openssl rand -base64 32');
    }
  } finally {
    await bare.close();
  }
});

test('the eight system rules are seeded disabled and without a channel, cannot be deleted, and are not seeded twice', async () => {
  const system = async () =>
    (
      (await t.request('GET', '/alert-rules')).json() as {
        id: string;
        name: string;
        is_system: boolean;
        enabled: boolean;
        channel_ids: string[];
      }[]
    ).filter(({ is_system }) => is_system);
  const rules = await system();
  expect(rules).toHaveLength(8);
  expect(rules.every(({ enabled, channel_ids }) => !enabled && channel_ids.length === 0)).toBe(true);
  await t.request('PATCH', `/alert-rules/${rules[0]!.id}`, { name: 'Renamed' });
  await seed(t.deps.db);
  expect(await system()).toHaveLength(8);
  expect((await t.request('DELETE', `/alert-rules/${rules[0]!.id}`)).statusCode).toBe(409);
  expect((await t.request('PATCH', `/alert-rules/${rules[0]!.id}`, { event_types: ['created'] })).statusCode).toBe(422);
  expect((await post('/alert-rules', { name: 'Mine', event_types: ['created'], is_system: true })).status).toBe(422);
});

test('rules are created with the defaults of the interface, changed and deleted with their alerts', async () => {
  const { status, body } = await post('/alert-rules', { name: 'New files', event_types: ['created'] });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    enabled: true,
    is_system: false,
    group_wait_s: 30,
    digest_window: null,
    inhibit_window_s: 900,
    channel_ids: [],
    group_by: ['event_type', 'library_id', 'rule_id'],
    firing: 0,
  });
  expect(
    (await t.request('PATCH', `/alert-rules/${body.id}`, { group_by: ['event_type', 'folder'], digest_window: 'daily' })).json(),
  ).toMatchObject({
    group_by: ['event_type', 'library_id', 'rule_id', 'folder'],
    digest_window: 'daily',
  });
  expect((await t.request('DELETE', `/alert-rules/${body.id}`)).statusCode).toBe(204);
  expect((await t.request('GET', `/alert-rules/${body.id}`)).statusCode).toBe(404);
  const cases: [object, string][] = [
    [{ path_glob: '#comment' }, 'path_glob'],
    [{ threshold_count: 5 }, 'threshold_window_s'],
    [{ group_by: ['size'] }, 'group_by'],
    [{ event_types: ['search_match'] }, 'saved_search_id'],
    [{ channel_ids: ['01a1dcfe-9952-7896-a4ba-953f2deb22a4'] }, 'channel_ids'],
    [{ inhibited_by: ['01a1dcfe-9952-7896-a4ba-953f2deb22a4'] }, 'inhibited_by'],
    [{ event_types: ['scan_failed'], path_glob: '*.pdf' }, 'path_glob'],
  ];
  for (const [fields, field] of cases) {
    const refused = await post('/alert-rules', { name: 'X', event_types: ['created'], ...fields });
    expect([refused.status, refused.body.errors?.[0]?.loc], JSON.stringify(fields)).toEqual([422, ['body', field]]);
  }
});

test('bulk changes switch rules, throttle and channels, and name the missing ones', async () => {
  const [a, b, channel] = [
    await t.rule({ event_types: ['created'] }),
    await t.rule({ event_types: ['deleted'] }),
    await t.channel(hook.port),
  ];
  const missing = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
  expect(
    (
      await post('/alert-rules/bulk', {
        rule_ids: [a, b, missing],
        enabled: false,
        set_throttle: true,
        digest_window: 'hourly',
        channel_ids: [channel],
      })
    ).body,
  ).toEqual({
    updated: 2,
    missing: [missing],
  });
  expect((await t.request('GET', `/alert-rules/${a}`)).json()).toMatchObject({
    enabled: false,
    digest_window: 'hourly',
    group_wait_s: 0,
    channel_ids: [channel],
  });
  await post('/alert-rules/bulk', { rule_ids: [a], set_throttle: true, channel_mode: 'remove', channel_ids: [channel] });
  expect((await t.request('GET', `/alert-rules/${a}`)).json()).toMatchObject({ digest_window: null, group_wait_s: 30, channel_ids: [] });
  const inUse = await t.request('DELETE', `/alert-channels/${channel}`);
  expect(inUse.json()).toMatchObject({ status: 409, code: 'channel_in_use', detail: expect.stringContaining('by alert rules: "') });
  expect((await t.request('GET', `/alert-rules/${b}`)).json().channel_ids).toEqual([channel]);
  await post('/alert-rules/bulk', { rule_ids: [b], channel_mode: 'remove', channel_ids: [channel] });
  expect((await t.request('DELETE', `/alert-channels/${channel}`)).statusCode).toBe(204);
});

test('a preview tells how often a rule would have fired in the last seven days, and what another threshold would do', async () => {
  const library = await addLibrary(t.deps);
  const lose = async (daysAgo: number, count: number) => {
    const run = await t.run(
      library,
      [...Array(count).keys()].map((n): [string, string] => [`${n}.jpg`, 'gone']),
    );
    await sql`update scan_runs set started_at = now() - ${daysAgo} * interval '1 day', finished_at = now() - ${daysAgo} * interval '1 day' where id = ${run}`.execute(
      t.deps.db,
    );
  };
  const preview = (fields: object) => post('/alert-rules/preview', { event_types: ['deleted'], ...fields });
  expect((await preview({})).body).toMatchObject({ fired: null, note: expect.stringContaining('Not enough data') });
  await lose(9, 100);
  await lose(6, 3);
  await lose(4, 20);
  await lose(2, 8);
  expect((await preview({})).body).toMatchObject({ fired: 3, matches: 31, complete: true });
  expect((await preview({ threshold_count: 8, threshold_window_s: 3600 })).body).toMatchObject({
    fired: 2,
    alternatives: [
      { threshold_count: 4, fired: 2 },
      { threshold_count: 16, fired: 1 },
    ],
  });
  expect((await preview({ path_glob: '*.png' })).body).toMatchObject({ fired: 0, matches: 0 });
  expect((await preview({})).body.days).toHaveLength(7);
});

test('silences need an end or daily hours, and can be ended', async () => {
  for (const body of [
    {},
    { ends_at: '2020-01-01T00:00:00Z' },
    { daily_from: '01:00' },
    { daily_from: '01:00', daily_to: '02:00', time_zone: 'Nowhere/City' },
    { daily_from: '01:00', daily_to: '01:00' },
  ])
    expect((await post('/alert-silences', body)).status, JSON.stringify(body)).toBe(422);
  const { body } = await post('/alert-silences', { ends_at: new Date(Date.now() + 3_600_000).toISOString(), reason: 'network work' });
  expect((await t.request('GET', '/alert-silences')).json()).toMatchObject([
    { id: body.id, reason: 'network work', created_by: expect.any(String) },
  ]);
  expect((await t.request('DELETE', `/alert-silences/${body.id}`)).statusCode).toBe(204);
  expect((await t.request('GET', '/alert-silences')).json()).toEqual([]);
});

test('quiet hours can be changed, and what they held is looked at again', async () => {
  const { body } = await post('/alert-silences', { daily_from: '22:00', daily_to: '06:00', time_zone: 'Europe/Oslo', reason: 'night' });
  const change = async (fields: unknown) => t.request('PATCH', `/alert-silences/${body.id}`, fields);
  expect((await change({ daily_to: '22:00' })).statusCode).toBe(422);
  expect((await change({ rule_id: randomUUID() })).statusCode).toBe(422);
  const changed = await change({ daily_to: '05:30', reason: 'long scans' });
  expect(changed.json()).toMatchObject({
    id: body.id,
    daily_from: '22:00',
    daily_to: '05:30',
    time_zone: 'Europe/Oslo',
    reason: 'long scans',
  });
  expect((await t.request('GET', '/alert-silences')).json()).toEqual([changed.json()]);
  expect((await t.request('PATCH', `/alert-silences/${randomUUID()}`, {})).statusCode).toBe(404);
});

test('only administrators see where messages went', async () => {
  const library = await addLibrary(t.deps);
  await t.rule({ event_types: ['deleted'], group_wait_s: 0, channel_ids: [await t.channel(hook.port, 'Operations')] });
  await t.run(library, [['a.jpg', 'gone']]);
  await t.pump();
  const seen = async (as: 'read' | 'admin') => (await t.request('GET', '/alerts', undefined, { as })).json().items[0].deliveries;
  expect(await seen('admin')).toMatchObject([{ channel: 'Operations', state: 'delivered' }]);
  expect(await seen('read')).toEqual([]);
});

test('another module can send a message through a channel, with the members of its own body', async () => {
  const channel = await t.channel(hook.port);
  const message = {
    id: 'export-1',
    eventType: 'scheduled_report',
    title: 'Weekly report',
    text: '12 rows',
    link: null,
    facts: { report: 'duplicates', row_count: 12 },
  };
  expect(await sendToChannel(t.deps, channel, message)).toMatchObject({ ok: true });
  expect(hook.messages).toEqual([{ id: 'export-1', event_type: 'scheduled_report', report: 'duplicates', row_count: 12 }]);
  await t.request('PATCH', `/alert-channels/${channel}`, { enabled: false });
  expect(await sendToChannel(t.deps, channel, message)).toBeNull();
});

test('alerts of one moment are on one page each, neither skipped nor repeated', async () => {
  const rule = await post('/alert-rules', { name: 'Many at once', event_types: ['scan_failed'] });
  await sql`insert into alert_groups (rule_id, dedup_key, event_type, subject, message, lasting, state, opened_at, resolved_at)
    select ${rule.body.id}, state || n, 'scan_failed', '', 'A scan failed.', true, state, at, case when state = 'resolved' then at end
    from generate_series(1, 7) n, unnest(array['firing', 'resolved']) state, lateral (select timestamptz '2026-03-01T10:00:00.0005Z') t (at)`.execute(
    t.deps.db,
  );
  for (const state of ['firing', 'resolved']) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { id: string }[]; next_cursor: string | null } = (
        await t.request('GET', `/alerts?state=${state}&limit=2${cursor && `&cursor=${cursor}`}`)
      ).json();
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
  }
});
