import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { increaseTaxonomyVersion } from '../../catalog/taxonomy/live.ts';
import { configChecks } from './checks.ts';
import { createConfigMark } from './config-mark.ts';

let t: TestApp;
let agent: TestAgent;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_SCAN_HASH_FULL_MAX_BYTES: '1000' });
  agent = await enrolAgent(t);
});
const violations = async () => (await Promise.all(configChecks.map((check) => check.run(t.deps)))).flat();
afterAll(async () => {
  expect(await violations()).toEqual([]);
  await t.close();
});

const groups = async () => (await t.request('GET', '/agents/config-groups')).json();
const create = (body: Record<string, unknown>) => t.request('POST', '/agents/config-groups', body);
const effective = async () => (await t.request('GET', `/agents/${agent.id}/effective-config`)).json();

test('the permanent group Global applies to every agent; its name and priority are fixed and it cannot be deleted', async () => {
  const [global] = await groups();
  expect(global).toMatchObject({ name: 'Global', priority: 0, is_system: true, member_count: 1 });
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { name: 'All' })).statusCode).toBe(409);
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { priority: 5 })).statusCode).toBe(409);
  expect((await t.request('DELETE', `/agents/config-groups/${global.id}`)).statusCode).toBe(409);
  expect((await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [global.id] })).statusCode).toBe(400);
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: { scan_interval_seconds: 60 } })).statusCode).toBe(200);
});

test('text recognition is off unless a group asks for it, and follows the limits of the service', async () => {
  const limits = { ocr_lang: 'eng', ocr_max_pages: 10, ocr_timeout_seconds: 120 };
  expect((await effective()).document).toMatchObject({ extract_ocr: false, ...limits });
  const scans = (await create({ name: 'Scans', priority: 50, policy: { extract_ocr: true } })).json();
  await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [scans.id] });
  const config = await effective();
  expect(config.document).toMatchObject({ extract_ocr: true, ...limits });
  expect(config.provenance.extract_ocr).toEqual({ group_id: scans.id, name: 'Scans' });
  await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [] });
  expect((await t.request('DELETE', `/agents/config-groups/${scans.id}`)).statusCode).toBe(204);
});

test('groups are merged by priority, key by key, and the answer says which group decided', async () => {
  const fast = (await create({ name: 'Fast disks', priority: 200, policy: { scan_interval_seconds: 30 } })).json();
  const studio = (await create({ name: 'Studio', priority: 100, policy: { scan_interval_seconds: 900, exclude_globs: ['*.tmp'] } })).json();
  expect((await create({ name: 'studio' })).statusCode).toBe(409);
  expect((await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [studio.id, fast.id] })).statusCode).toBe(200);
  const config = await effective();
  expect(config.document).toMatchObject({ scan_interval_seconds: 30, exclude_globs: ['*.tmp'], content_hash_max_bytes: 1000 });
  expect(config.provenance).toEqual({
    scan_interval_seconds: { group_id: fast.id, name: 'Fast disks' },
    exclude_globs: { group_id: studio.id, name: 'Studio' },
  });
  expect(config.groups.map(({ name }: { name: string }) => name)).toEqual(['Global', 'Studio', 'Fast disks']);
  // The presets that are on by default, as for a library.
  expect(config.document.presets.length).toBeGreaterThan(0);
  expect((await t.request('DELETE', `/agents/config-groups/${fast.id}`)).statusCode).toBe(204);
  expect((await effective()).document.scan_interval_seconds).toBe(900);
});

test('unknown keys, presets and groups are refused', async () => {
  expect((await create({ name: 'x', policy: { wat: 1 } })).statusCode).toBe(422);
  expect((await create({ name: 'x', policy: { presets: ['no-such-preset'] } })).statusCode).toBe(422);
  const unknown = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
  expect((await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [unknown] })).statusCode).toBe(400);
  expect((await t.request('PATCH', `/agents/config-groups/${unknown}`, { name: 'x' })).statusCode).toBe(404);
  expect((await t.request('GET', `/agents/${unknown}/effective-config`)).statusCode).toBe(404);
});

test('an agent fetches its policy once per change, and reports the generation it uses', async () => {
  const url = `/agents/${agent.id}/policy?applied=3`;
  const first = await agent.send('GET', url);
  expect(first.json()).toMatchObject({ scope: 'groups', policy: (await effective()).document });
  expect((await effective()).confirmed_generation).toBe(3);
  const etag = String(first.headers['etag']);
  expect((await agent.send('GET', url, undefined, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  await create({ name: 'Elsewhere' });
  expect((await agent.send('GET', url, undefined, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  const [global] = await groups();
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: { read_bytes_per_second: 5 } });
  const second = await agent.send('GET', url, undefined, { headers: { 'if-none-match': etag } });
  expect(second.json()).toMatchObject({ policy: { read_bytes_per_second: 5 } });
  expect(second.json().version).toBeGreaterThan(first.json().version);
});

test('a configuration is computed once until something changes that it depends on', async () => {
  const { db } = t.deps;
  const other = await enrolAgent(t, { name: 'other' });
  const globs = async (of: TestAgent) => (await of.send('GET', `/agents/${of.id}/policy`)).json().policy.exclude_globs;
  const group = (
    await create({ name: 'Cached', priority: 400, policy: { exclude_globs: ['a'] }, target: { platforms: [], labels: ['x'] } })
  ).json();
  await t.request('PATCH', `/agents/${other.id}`, { labels: ['x'] });
  expect(await globs(other)).toEqual(['a']);
  // What no trigger sees is not read again.
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update agent_config_groups set policy = '{"exclude_globs": ["unseen"]}' where id = ${group.id}`.execute(tx);
  });
  expect(await globs(other)).toEqual(['a']);
  const change = async (what: () => Promise<unknown>, expected: string[]) => {
    await what();
    expect(await globs(other)).toEqual(expected);
  };
  await change(() => t.request('PATCH', `/agents/config-groups/${group.id}`, { policy: { exclude_globs: ['b'] } }), ['b']);
  await change(() => t.request('PATCH', `/agents/${other.id}`, { labels: [] }), []);
  await change(() => t.request('PUT', `/agents/${other.id}/config-groups`, { group_ids: [group.id] }), ['b']);
  await change(() => t.request('DELETE', `/agents/config-groups/${group.id}`), []);
  // A preset that agents use.
  const presets = async () => (await other.send('GET', `/agents/${other.id}/policy`)).json().policy.presets;
  const preset = { name: 'cached-preset', patterns: ['one/'] };
  const made = await t.request('POST', '/presets', preset);
  expect(made.statusCode, made.body).toBeLessThan(300);
  const [global] = await groups();
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: { ...global.policy, presets: ['cached-preset'] } });
  expect(await presets()).toContainEqual({ name: 'cached-preset', patterns: ['one/'] });
  await sql`update presets set patterns = '{two/}' where name = 'cached-preset'`.execute(db);
  expect(await presets()).toContainEqual({ name: 'cached-preset', patterns: ['two/'] });
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: global.policy });
  await t.request('DELETE', `/agents/${other.id}`);
});

test('a heartbeat reports version, health and capabilities; too large ones are dropped while it succeeds', async () => {
  const beat = (body: Record<string, unknown>) => agent.send('POST', `/agents/${agent.id}/heartbeat`, body);
  expect((await beat({ version: '0.2.0', health: { outbox_pending: 7 }, capabilities: { os: 'Linux' } })).json()).toEqual({
    maintenance: false,
    expected_seq_no: 1,
    cloned: false,
    held: false,
    renew_key: false,
    next_in_seconds: 30,
    poll_seconds: 50,
    config_mark: expect.any(String),
  });
  expect((await beat({ health: { text: 'x'.repeat(20_000) } })).statusCode).toBe(200);
  expect((await t.request('GET', `/agents/${agent.id}`)).json()).toMatchObject({
    agent_version: '0.2.0',
    health: { outbox_pending: 7 },
    capabilities: { os: 'Linux' },
  });
});

test('the mark of a heartbeat changes with settings and file types, and with nothing else', async () => {
  const { db } = t.deps;
  const [global] = await groups();
  const first = await createConfigMark(db)();
  await agent.send('POST', `/agents/${agent.id}/heartbeat`, { health: { outbox_pending: 9 } });
  expect(await createConfigMark(db)()).toBe(first);
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: { ...global.policy, scan_interval_seconds: 77 } });
  const second = await createConfigMark(db)();
  expect(second).not.toBe(first);
  await increaseTaxonomyVersion(db);
  expect(await createConfigMark(db)()).not.toBe(second);
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: global.policy });
  // Read once for many heartbeats.
  const mark = createConfigMark(db);
  const before = await mark();
  await sql`update agent_config_state set version = version + 1`.execute(db);
  expect(await mark()).toBe(before);
  expect(await createConfigMark(db)()).not.toBe(before);
});

test('every policy is kept as a version, a preview changes nothing, and a rollback is a new version', async () => {
  const group = (await create({ name: 'Versioned', priority: 300, policy: { scan_interval_seconds: 100 } })).json();
  expect(group.current_version).toBe(1);
  const patch = (body: object) => t.request('PATCH', `/agents/config-groups/${group.id}`, body);
  const history = async () => (await t.request('GET', `/agents/config-groups/${group.id}/history`)).json();
  await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [group.id] });
  const policy = { scan_interval_seconds: 200, exclude_globs: ['*.bak'] };
  const seen = (await t.request('POST', `/agents/config-groups/${group.id}/preview`, { policy })).json();
  expect(seen).toEqual({
    changes: [
      { key: 'exclude_globs', before: null, after: ['*.bak'] },
      { key: 'scan_interval_seconds', before: 100, after: 200 },
    ],
    members: 1,
    affected_count: 1,
    affected: [{ agent_id: agent.id, name: 'nas-01', keys: ['exclude_globs', 'scan_interval_seconds'] }],
  });
  expect((await effective()).document.scan_interval_seconds).toBe(100);
  expect((await patch({ policy, note: 'fewer scans' })).json()).toMatchObject({ current_version: 2 });
  // A new name is not a new policy.
  expect((await patch({ name: 'Versioned group' })).json()).toMatchObject({ current_version: 2 });
  const back = await t.request('POST', `/agents/config-groups/${group.id}/rollback`, { version: 1 });
  expect(back.json()).toMatchObject({ current_version: 3, policy: { scan_interval_seconds: 100 }, name: 'Versioned group' });
  expect((await effective()).document.scan_interval_seconds).toBe(100);
  expect((await history()).map(({ version, note }: { version: number; note: string }) => [version, note])).toEqual([
    [3, 'Back to version 1'],
    [2, 'fewer scans'],
    [1, null],
  ]);
  expect((await t.request('POST', `/agents/config-groups/${group.id}/rollback`, { version: 9 })).statusCode).toBe(404);
});

test('a preview says when a group with a higher priority decides anyway', async () => {
  const low = (await create({ name: 'Low', priority: 50 })).json();
  const high = (await create({ name: 'High', priority: 400, policy: { scan_interval_seconds: 77 } })).json();
  await t.request('PUT', `/agents/${agent.id}/config-groups`, { group_ids: [low.id, high.id] });
  const seen = await t.request('POST', `/agents/config-groups/${low.id}/preview`, { policy: { scan_interval_seconds: 99 } });
  expect(seen.json()).toMatchObject({ members: 1, affected_count: 0, affected: [], changes: [{ key: 'scan_interval_seconds' }] });
});

test('`catalog check` finds a group whose policy is not that of its current version', async () => {
  const { id, current_version } = (await create({ name: 'Damaged', policy: { scan_interval_seconds: 60 } })).json();
  await sql`update agent_config_groups set policy = '{}' where id = ${id}`.execute(t.deps.db);
  expect(await violations()).toEqual([`The configuration group "Damaged" differs from its version ${current_version}.`]);
  await sql`delete from agent_config_groups where id = ${id}`.execute(t.deps.db);
});

test('a group applies to agents by platform and labels, and the effective configuration says why', async () => {
  const labelled = await enrolAgent(t, { name: 'edit-01', token: { labels: ['studio', 'fast'] } });
  const reasons = async (id: string) =>
    (await t.request('GET', `/agents/${id}/effective-config`))
      .json()
      .groups.map(({ name, because, matched }: { name: string; because: string; matched: string[] }) => [name, because, ...matched]);
  const target = { platforms: ['linux'], labels: ['studio'] };
  const made = await create({ name: 'Studio machines', priority: 300, policy: { scan_interval_seconds: 77 }, target });
  const group = made.json();
  expect(group).toMatchObject({ target, member_count: 1 });
  expect(await reasons(labelled.id)).toEqual([
    ['Global', 'everyone'],
    ['Studio machines', 'target', 'linux', 'studio'],
  ]);
  expect((await reasons(agent.id)).map(([name]: string[]) => name)).not.toContain('Studio machines');
  const policy = await labelled.send('GET', `/agents/${labelled.id}/policy`);
  expect(policy.json().policy.scan_interval_seconds).toBe(77);
  const preview = await t.request('POST', `/agents/config-groups/${group.id}/preview`, { policy: { scan_interval_seconds: 78 } });
  expect(preview.json()).toMatchObject({ members: 1, affected: [{ name: 'edit-01', keys: ['scan_interval_seconds'] }] });
  const set = (id: string, body: object) => t.request('PATCH', `/agents/${id}`, body);
  expect((await set(labelled.id, { labels: ['fast'] })).json()).toMatchObject({ labels: ['fast'] });
  expect(await reasons(labelled.id)).toEqual([['Global', 'everyone']]);
  const listed = async () =>
    (await t.request('GET', `/agents?group_id=${group.id}`)).json().items.map(({ name }: { name: string }) => name);
  expect(await listed()).toEqual([]);
  // A member stays one, whatever the target says.
  await t.request('PUT', `/agents/${labelled.id}/config-groups`, { group_ids: [group.id] });
  expect(await reasons(labelled.id)).toContainEqual(['Studio machines', 'member']);
  expect(await listed()).toEqual(['edit-01']);
  await t.request('PUT', `/agents/${labelled.id}/config-groups`, { group_ids: [] });
  const retarget = (body: object) => t.request('PATCH', `/agents/config-groups/${group.id}`, { target: body });
  for (const [body, n] of [
    [{ platforms: ['windows'], labels: [] }, 0],
    [{ platforms: ['windows', 'linux'], labels: [] }, 2],
    [{ platforms: [], labels: ['fast', 'studio'] }, 0],
    [{ platforms: [], labels: ['fast'] }, 1],
    [{ platforms: [], labels: [] }, 0],
  ] as const)
    expect((await retarget(body)).json().member_count, JSON.stringify(body)).toBe(n);
  const [global] = await groups();
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { target })).statusCode).toBe(409);
  expect((await retarget({ platforms: ['amiga'], labels: [] })).statusCode).toBe(422);
  expect((await set(labelled.id, { labels: ['two words'] })).statusCode).toBe(422);
  expect((await set(labelled.id, {})).statusCode).toBe(422);
});

test('one group is read with its newest versions and the rollout under way', async () => {
  const { id } = (await create({ name: 'Watched', policy: { scan_interval_seconds: 60 } })).json();
  const read = async () => (await t.request('GET', `/agents/config-groups/${id}`)).json();
  expect(await read()).toMatchObject({
    name: 'Watched',
    active_rollout: null,
    versions: [{ version: 1, policy: { scan_interval_seconds: 60 } }],
  });
  const rollout = { tiers: [{ percent: 100, delay_minutes: 5 }] };
  await t.request('PATCH', `/agents/config-groups/${id}`, { policy: { scan_interval_seconds: 61 }, note: 'faster', rollout });
  expect(await read()).toMatchObject({
    current_version: 1,
    active_rollout: { status: 'scheduled', target_version: 2, current_tier: 0, paused_at: null },
    // Made with the key of a service account.
    versions: [{ version: 2, note: 'faster', actor: expect.stringMatching(/^test \d+ admin$/) }, { version: 1 }],
  });
  expect((await t.request('GET', '/agents/config-groups/01a1dcfe-9952-7896-a4ba-953f2deb22a4')).statusCode).toBe(404);
});

test('agents fetch the file types when their version has changed', async () => {
  const policy = () => agent.send('GET', `/agents/${agent.id}/policy`);
  const before = await policy();
  const taxonomy = (await agent.send('GET', `/agents/${agent.id}/taxonomy`)).json();
  expect(taxonomy).toMatchObject({ version: before.json().taxonomy_version, ext_to_group: { jpg: expect.any(String) } });
  expect(taxonomy.category_extractor[taxonomy.group_to_category[taxonomy.ext_to_group.jpg]]).toBe('image');
  const added = await t.request('POST', `/taxonomy/groups/${taxonomy.ext_to_group.jpg}/extensions`, { ext: 'jpgx' });
  expect(added.statusCode, added.body).toBeLessThan(300);
  const after = await policy();
  expect(after.json().taxonomy_version).toBeGreaterThan(taxonomy.version);
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
  expect((await agent.send('GET', `/agents/${agent.id}/taxonomy`)).json().ext_to_group.jpgx).toBe(taxonomy.ext_to_group.jpg);
});

test('a file for the installer holds a token that enrols one machine into the chosen groups', async () => {
  const group = (await create({ name: 'From a file' })).json();
  const make = (body: object) => t.request('POST', '/agents/installer-config', body);
  const made = await make({
    agent_name: 'desk-07',
    config_group_ids: [group.id],
    labels: ['desk'],
    central_url_override: 'https://catalog.test/',
  });
  expect(made.statusCode, made.body).toBe(201);
  const { sidecar, install_hint } = made.json();
  expect(sidecar).toMatchObject({ central_url: 'https://catalog.test', agent_name: 'desk-07', config_group_names: ['From a file'] });
  expect(install_hint.linux).toContain('--from');
  const enrolled = await t.request(
    'POST',
    '/agents/register',
    { token: sidecar.enrollment_token, hostname: 'desk-07', platform: 'windows' },
    { as: null },
  );
  const { agent_id } = enrolled.json();
  expect((await t.request('GET', `/agents/${agent_id}`)).json()).toMatchObject({ config_group_ids: [group.id], labels: ['desk'] });
  expect((await make({ config_group_ids: ['01a1dcfe-9952-7896-a4ba-953f2deb22a4'] })).statusCode).toBe(400);
  expect((await make({ central_url_override: 'javascript:alert(1)' })).statusCode).toBe(422);
  expect((await t.request('POST', '/agents/installer-config', {}, { as: 'write' })).statusCode).toBe(403);
});

test('concurrent changes of different fields of a group are all kept', async () => {
  const { id } = (await create({ name: 'Workshop' })).json();
  const url = `/agents/config-groups/${id}`;
  await editAtOnce(t.deps.db, { table: 'agent_config_groups', id }, [
    () => t.request('PATCH', url, { description: 'Machines in the hall' }),
    () => t.request('PATCH', url, { policy: { scan_interval_seconds: 60 } }),
  ]);
  expect((await t.request('GET', url)).json()).toMatchObject({
    description: 'Machines in the hall',
    policy: { scan_interval_seconds: 60 },
  });
  expect(await violations()).toEqual([]);
});
