import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ReleaseManifest, signRelease } from '@catalog/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { enrolFleetAgent, type FleetAgent } from './fleet-agent.ts';
import { accessibilityViolations, manualScreenshot, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('fleet', () => {
  let env: TestEnvironment;
  let agents: FleetAgent[] = [];
  let pageErrors: string[];
  let page: Page;
  beforeAll(async () => {
    env = await startEnvironment({ env: { SVC_AGENTS_ENABLED: 'true' } });
    // Steps begin only when a test says so.
    for (const task of ['advance_agent_rollouts', 'advance_agent_updates'])
      expect((await env.api('PATCH', `/system/maintenance/${task}`, { enabled: false })).status).toBe(200);
    agents = [await enrolFleetAgent(env, 'nas-01'), await enrolFleetAgent(env, 'studio-02'), await enrolFleetAgent(env, 'render-04')];
    for (const agent of agents) {
      await agent.beat();
      await agent.configure();
    }
  });
  afterAll(() => env?.close());

  const open = async (): Promise<void> => {
    ({ page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState }));
    await page.goto(`${env.base}/#/admin/agents`);
    await page.getByRole('heading', { name: 'Releases' }).waitFor();
  };
  const card = (name: string | RegExp) => page.getByRole('region', { name });
  const dialog = () => page.getByRole('dialog');
  /** No axe violation, and no horizontal scrolling at any size. */
  const look = async (name: string): Promise<void> => {
    await waitUntilSettled(page);
    await screenshot(page, `fleet-${name}`);
    expect(await accessibilityViolations(page)).toEqual([]);
  };

  test('settings are tried out, rolled out in steps, stopped by hand, and an earlier version is restored', async () => {
    await open();
    await card('Groups').getByRole('button', { name: 'New group' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Studio');
    await dialog().getByLabel('Scan every').fill('30');
    await dialog().getByRole('button', { name: 'Create group' }).click();
    await card('Groups').getByRole('cell', { name: 'Studio', exact: true }).waitFor();

    // Two of three agents join.
    for (const { name } of agents.slice(0, 2)) {
      await page.getByRole('button', { name, exact: true }).click();
      await card(name).getByRole('button', { name: 'Change groups' }).click();
      await dialog().getByLabel('Studio').check();
      await dialog().getByRole('button', { name: 'Save' }).click();
      await card(name).getByText('Studio · Change groups').waitFor();
    }

    await page.getByRole('button', { name: 'Edit Studio' }).click();
    await dialog().getByLabel('Scan every').fill('60');
    await dialog().getByLabel('Additional exclusions').fill('*.tmp');
    await look('group');
    await dialog().getByRole('button', { name: 'Review changes' }).click();
    // The dry run names what changes and for whom, and has changed nothing.
    await dialog().getByText('The settings of 2 of 2 agents change.').waitFor();
    expect(await dialog().getByRole('definition').allInnerTexts()).toEqual([
      expect.stringMatching(/not set$/),
      expect.stringMatching(/\*\.tmp$/),
      expect.stringMatching(/30\smin/),
      expect.stringMatching(/1\sh/),
    ]);
    await look('review');
    const group = async () => (await env.api('GET', '/agents/config-groups')).body.find(({ name }: { name: string }) => name === 'Studio');
    expect((await group()).current_version).toBe(1);
    await dialog().getByLabel('Why').fill('Less load');
    await dialog().getByRole('button', { name: 'Start rollout' }).click();
    const rollout = card('Settings of Studio');
    await rollout.getByText('Scheduled').waitFor();
    await rollout.getByRole('button', { name: 'Next step now' }).click();
    await rollout.getByText('Step 1 of 3').waitFor();
    await rollout.getByRole('button', { name: 'Pause rollout', exact: true }).click();
    await rollout.getByText('Paused at step 1 of 3').waitFor();
    expect(await rollout.getByRole('button', { name: 'Next step now', exact: true }).count()).toBe(0);
    await rollout.getByRole('button', { name: 'Resume rollout', exact: true }).click();
    await rollout.getByText('Step 1 of 3', { exact: true }).waitFor();
    await look('rollout');
    await manualScreenshot(page, 'fleet');
    await rollout.getByRole('button', { name: 'Cancel rollout…' }).click();
    await dialog().getByRole('button', { name: 'Cancel rollout' }).click();
    await rollout.waitFor({ state: 'detached' });
    expect(await group()).toMatchObject({ current_version: 1, policy: { scan_interval_seconds: 1800 } });

    // At once, then back to the first version.
    await page.getByRole('button', { name: 'Edit Studio' }).click();
    await dialog().getByLabel('Scan every').fill('90');
    await dialog().getByRole('button', { name: 'Review changes' }).click();
    await dialog().getByRole('radio', { name: 'All at once' }).check();
    await dialog().getByRole('button', { name: 'Apply now' }).click();
    await until(async () => (await group()).policy.scan_interval_seconds === 5400, 'the change');
    await page.getByRole('button', { name: 'History of Studio' }).click();
    await dialog().getByText('Less load').waitFor();
    await look('history');
    await dialog().getByRole('button', { name: 'Restore version 1' }).click();
    await dialog().getByRole('radio', { name: 'All at once' }).check();
    await dialog().getByRole('button', { name: 'Apply now' }).click();
    await until(async () => (await group()).policy.scan_interval_seconds === 1800, 'the first version');
    expect(pageErrors).toEqual([]);
  });

  test('one agent shows its settings with the group that decided each, commands with results, and what went wrong', async () => {
    const [agent] = agents as [FleetAgent];
    await open();
    const shown = card(agent.name);
    await page.getByRole('button', { name: agent.name, exact: true }).click();
    await shown.getByText('Connected').waitFor();
    await shown.getByText('Settings in use').click();
    await shown.getByText('The agent has not taken these settings yet').waitFor();
    await shown.getByText('30 min from Studio').waitFor();
    await agent.configure();
    await shown.getByText('The agent uses these settings').waitFor();

    await shown.getByRole('button', { name: 'Scan now' }).click();
    await shown.getByText('Scan: waiting for the agent').waitFor();
    const [command] = await agent.commands();
    await agent.send('POST', `/commands/${command?.id}/complete`, {
      body: { ok: true, result: { roots: [{ root: agent.root, files: 4711 }] } },
    });
    await shown.getByText('Scan: done').waitFor();
    await shown.getByText('Result').click();
    await shown.getByText('4711').waitFor();
    // The dialog offers only what this agent can collect, and the command asks for what is chosen.
    await shown.getByRole('button', { name: 'List all files…' }).click();
    await dialog().getByLabel('Size and date').waitFor();
    expect(await dialog().getByLabel('Owner').isChecked()).toBe(true);
    expect(await dialog().getByLabel('Access list').isDisabled()).toBe(true);
    await dialog().getByLabel('Owner').uncheck();
    await dialog().getByLabel('Files in a cloud').check();
    await look('listing');
    await dialog().getByRole('button', { name: 'List files' }).click();
    await shown.getByText('File listing: waiting for the agent').waitFor();
    const listing = (await agent.commands()).find(({ kind }) => kind === 'inventory');
    expect(listing?.payload).toEqual({ collectors: ['stat', 'perms', 'placeholder'] });
    await agent.send('POST', `/commands/${listing?.id}/complete`, { body: { ok: true, result: {} } });
    await agent.beat({ health: { roots: [{ path: agent.root, last_scan_at: null, last_error: 'The folder is gone.' }] } });
    await shown.getByText(`The last scan of ${agent.root} stopped. The folder is gone.`).waitFor();
    await look('agent');
    await agent.beat();
    expect(pageErrors).toEqual([]);
  });

  test('a group applies by label and says so; waiting changes and an agent that is used twice are shown', async () => {
    const [, agent] = agents as [FleetAgent, FleetAgent];
    await open();
    await card('Groups').getByRole('button', { name: 'New group' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Labelled');
    await dialog().getByLabel('And with the labels').fill('edge');
    await dialog().getByLabel('And with the labels').press('Enter');
    await look('group-target');
    await dialog().getByRole('button', { name: 'Create group' }).click();
    await card('Groups').getByRole('cell', { name: 'Labelled', exact: true }).waitFor();

    await page.getByRole('button', { name: agent.name, exact: true }).click();
    const shown = card(agent.name);
    await shown.getByRole('button', { name: 'Change labels', exact: true }).click();
    await dialog().getByLabel('Labels', { exact: true }).fill('edge');
    await dialog().getByLabel('Labels', { exact: true }).press('Enter');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await shown.getByText('edge · Change labels').waitFor();
    await shown.getByText('Settings in use').click();
    await shown.getByText('Labelled (version 1) by edge').waitFor();

    // The agents of the group only.
    await page.getByRole('combobox', { name: 'Agents of a group' }).click();
    await page.getByRole('option', { name: 'Labelled', exact: true }).click();
    await page.getByRole('button', { name: agents[0]?.name ?? '', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: agent.name, exact: true }).count()).toBe(1);

    await agent.beat({ health: { outbox_pending: 12, lag_seconds: 75, read_bytes_per_second: 12_000_000 } });
    const late = page.getByRole('row').filter({ has: page.getByRole('button', { name: agent.name, exact: true }) });
    await late.getByText('Behind', { exact: true }).waitFor();
    await late.getByText('1 min', { exact: true }).waitFor();
    await late.getByText('12 MB/s', { exact: true }).waitFor();
    await look('lag');
    expect((await env.api('POST', '/system/maintenance/watch_agents/run')).status).toBeLessThan(300);
    await until(async () => (await env.api('GET', `/agents/${agent.id}/lag`)).body.length > 0, 'the kept number');
    await page.reload();
    await page.getByRole('button', { name: agent.name, exact: true }).click();
    await shown.getByText('Changes that waited in the last two days, at most 12').waitFor();

    const [a, b] = [randomUUID(), randomUUID()];
    for (const run_id of [a, b, a, b, a])
      await agent.send('POST', '/heartbeat', { body: { run_id, hostname: run_id === a ? 'studio-02' : 'studio-copy' } });
    await shown.getByText('Used twice', { exact: true }).waitFor();
    await shown.getByText('Changes of both are held back until you choose.').waitFor();
    await look('cloned');
    await shown.getByRole('button', { name: `Keep this machine: studio-02, run ${a.slice(0, 8)}`, exact: true }).click();
    await dialog().getByRole('button', { name: 'Keep this machine', exact: true }).click();
    await shown.getByText('gets a new key when it reports next', { exact: true }).waitFor();
    const { body: told } = await agent.send('POST', '/heartbeat', { body: { run_id: a, hostname: 'studio-02' } });
    expect(told).toMatchObject({ held: true, renew_key: true });
    // The copy was switched off instead.
    await shown.getByRole('button', { name: 'Only one is left', exact: true }).click();
    await shown.getByText('Changes of both are held back until you choose.').waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
  });

  test('a release is rolled out to agents that take it, rolled back, and withdrawn', async () => {
    await publish('1.1.0');
    await open();
    const releases = card('Releases');
    await releases.getByText('Ready').waitFor();
    await releases.getByText('Linux x64').waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: agents[0]?.name ?? '', exact: true }) });
    await row.getByText('1.1.0 available', { exact: true }).waitFor();
    await releases.getByRole('button', { name: 'Roll out 1.1.0' }).click();
    // First only to the agents of a group, which is then cancelled.
    await dialog().getByRole('combobox', { name: 'Only agents of the groups' }).click({ force: true });
    await page.getByRole('option', { name: 'Labelled', exact: true }).click();
    await dialog().getByRole('combobox', { name: 'Only agents on' }).press('ArrowDown');
    await page.getByRole('option', { name: 'Linux', exact: true }).click();
    await dialog().getByLabel('Only agents with the labels').fill('edge');
    await dialog().getByLabel('Only agents with the labels').press('Enter');
    for (const _step of [1, 2]) await dialog().getByRole('button', { name: 'Remove step 1' }).click();
    await look('release-target');
    await dialog().getByRole('button', { name: 'Start rollout' }).click();
    const narrow = card('Update to 1.1.0');
    await narrow.getByText('Only agents of Labelled, on Linux, with the labels edge', { exact: true }).waitFor();
    await row.getByText('1.1.0 held back', { exact: true }).waitFor();
    await page.getByRole('button', { name: agents[0]?.name ?? '', exact: true }).click();
    await card(agents[0]?.name ?? '')
      .getByText('The rollout has not begun.', { exact: true })
      .waitFor();
    await narrow.getByRole('button', { name: 'Next step now' }).click();
    await narrow.getByText('1 agent under way').waitFor();
    await narrow.getByRole('button', { name: 'Cancel rollout…' }).click();
    await dialog().getByRole('button', { name: 'Cancel rollout' }).click();
    await narrow.waitFor({ state: 'detached' });
    const [early] = await (agents[1] as FleetAgent).commands();
    await (agents[1] as FleetAgent).send('POST', `/commands/${early?.id}/complete`, { body: { ok: true } });
    await releases.getByRole('button', { name: 'Roll out 1.1.0' }).click();
    // One step for all.
    await dialog().getByRole('button', { name: 'Remove step 1' }).click();
    await dialog().getByRole('button', { name: 'Remove step 1' }).click();
    await look('release-rollout');
    await dialog().getByRole('button', { name: 'Start rollout' }).click();
    const rollout = card('Update to 1.1.0');
    await rollout.getByRole('button', { name: 'Next step now' }).click();
    await rollout.getByText('3 agents under way').waitFor();
    for (const agent of agents) {
      const [command] = await agent.commands();
      expect(command).toMatchObject({ kind: 'self_update', payload: { target: '1.1.0' } });
      await agent.send('POST', `/commands/${command?.id}/complete`, { body: { ok: true } });
      await agent.beat({ version: '1.1.0' });
    }
    await look('update');
    await rollout.getByRole('button', { name: 'Roll back 3…' }).click();
    await dialog().getByRole('button', { name: 'Roll back' }).click();
    await rollout.waitFor({ state: 'detached' });
    for (const agent of agents) {
      expect(await agent.commands()).toMatchObject([{ kind: 'self_update', payload: { put_back: '1.1.0' } }]);
      await agent.beat({ version: '1.0.0' });
    }
    await releases.getByRole('button', { name: 'Withdraw 1.1.0' }).click();
    await dialog().getByRole('button', { name: 'Withdraw release' }).click();
    await releases.getByText('Withdrawn').waitFor();
    expect(await releases.getByRole('button', { name: 'Roll out 1.1.0' }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test('transfers show their progress and can be cancelled; a complete one can be downloaded', async () => {
    const [agent] = agents as [FleetAgent];
    const bytes = await agent.addFile('harbour film.mov', 3_000_000);
    const { body: found } = await env.api('GET', `/agents/${agent.id}`);
    const item = await itemOf(found.libraries[0].id);
    const begin = async (): Promise<string> => {
      expect((await env.api('POST', `/items/${item}/transfer`, {})).status).toBe(202);
      const uploads = (await agent.commands()).filter(({ kind }) => kind === 'stage_upload');
      const { body } = await agent.send('POST', '/staging', { body: { command_id: uploads.at(-1)?.id, total_bytes: bytes.length } });
      return (body as { id: string }).id;
    };
    const upload = (id: string, from: number, to: number) =>
      agent.send('PATCH', `/staging/${id}`, {
        body: bytes.subarray(from, to),
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
      });
    await open();
    const transfers = card('Transfers');
    await transfers.getByText('Nobody has requested a file').waitFor();
    const first = await begin();
    await upload(first, 0, 1_500_000);
    const bar = transfers.getByRole('progressbar', { name: 'Transfer of harbour film.mov' });
    await bar.waitFor({ timeout: 20_000 });
    await until(async () => (await bar.getAttribute('aria-valuenow')) === '50', 'half of the file');
    await look('transfers');
    await transfers.getByRole('button', { name: 'Cancel the transfer of harbour film.mov' }).click();
    await transfers.getByText('The transfer was cancelled.').waitFor();
    await expect(upload(first, 1_500_000, bytes.length)).rejects.toThrow();

    const second = await begin();
    await upload(second, 0, bytes.length);
    await transfers.getByText('Ready, verified').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      transfers.getByRole('link', { name: 'Download harbour film.mov' }).click(),
    ]);
    expect(readFileSync(await download.path()).equals(bytes)).toBe(true);

    // Beside its facts, the file can be checked where it is.
    await page.goto(`${env.base}/#/item/${item}`);
    await page.getByRole('button', { name: 'Is it still there?', exact: true }).click();
    await page.getByText('The machine is asked…').waitFor();
    // The page says so before the service has written the command.
    let checks: Awaited<ReturnType<FleetAgent['commands']>> = [];
    await until(async () => {
      checks = (await agent.commands()).filter(({ kind }) => kind === 'stat_check');
      return checks.length > 0;
    }, 'the command of the check');
    expect(checks).toMatchObject([{ payload: { rel_path: 'harbour film.mov' } }]);
    const asFound = { exists: true, size: bytes.length, mtime_ns: '1700000000000000001' };
    await agent.send('POST', `/commands/${checks[0]?.id}/complete`, { body: { ok: true, result: asFound } });
    await page.getByText('The file is as catalogued.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  const itemOf = async (library: string): Promise<string> => {
    let id = '';
    await until(async () => {
      id = (await env.api('GET', `/search?library=${library}&limit=1`)).body.hits?.[0]?.id ?? '';
      return id !== '';
    }, 'the file in the index');
    return id;
  };

  async function publish(version: string): Promise<void> {
    const key = createPrivateKey(readFileSync(path.join(env.service.configDir, 'agent-release-key.pem'), 'utf8'));
    const manifest: ReleaseManifest = signRelease(key, {
      version,
      created_at: '2026-11-01T08:00:00.000Z',
      artifacts: [
        {
          platform: 'linux',
          arch: 'x64',
          sha256: createHash('sha256').update(version).digest('hex'),
          size: version.length,
          url: 'catalog-agent-linux-x64',
        },
      ],
    });
    expect((await env.api('POST', '/agent-releases', manifest)).status).toBe(201);
    const cookie = env.storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const stored = await fetch(`${env.base}/api/v1/agent-releases/${version}/artifacts/catalog-agent-linux-x64`, {
      method: 'PUT',
      body: version,
      headers: { cookie, origin: env.base, 'content-type': 'application/octet-stream' },
    });
    expect(stored.status, await stored.text()).toBe(200);
  }
});
