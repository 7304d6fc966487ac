import { afterAll, beforeAll, expect, test } from 'vitest';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import { type AlertsApp, createAlertsApp } from './alerts.fixture.ts';

let t: AlertsApp;
beforeAll(async () => {
  t = await createAlertsApp();
});
afterAll(() => t.close());

test('concurrent changes of different fields of a rule are all kept', async () => {
  const id = await t.rule({ event_types: ['created'] });
  const url = `/alert-rules/${id}`;
  await editAtOnce(t.deps.db, { table: 'alert_rules', id }, [
    () => t.request('PATCH', url, { name: 'New contracts' }),
    () => t.request('PATCH', url, { enabled: false }),
  ]);
  expect((await t.request('GET', url)).json()).toMatchObject({ name: 'New contracts', enabled: false });
});

test('channels that concurrent bulk changes add to a rule are all kept', async () => {
  const id = await t.rule({ event_types: ['created'] });
  const channels = [await t.channel(9, 'Operations'), await t.channel(9, 'Legal')];
  const addChannel = (channel: string) => () =>
    t.request('POST', '/alert-rules/bulk', { rule_ids: [id], channel_mode: 'add', channel_ids: [channel] });
  await editAtOnce(t.deps.db, { table: 'alert_rules', id }, channels.map(addChannel));
  expect((await t.request('GET', `/alert-rules/${id}`)).json().channel_ids.sort()).toEqual(channels.sort());
});

test('concurrent changes of different fields of a silence are all kept', async () => {
  const quiet = { daily_from: '22:00', daily_to: '06:00', time_zone: 'UTC', reason: 'night' };
  const { id } = (await t.request('POST', '/alert-silences', quiet)).json();
  await editAtOnce(t.deps.db, { table: 'alert_silences', id }, [
    () => t.request('PATCH', `/alert-silences/${id}`, { reason: 'long scans' }),
    () => t.request('PATCH', `/alert-silences/${id}`, { daily_to: '05:30' }),
  ]);
  expect((await t.request('GET', '/alert-silences')).json()).toMatchObject([{ reason: 'long scans', daily_to: '05:30' }]);
});

test('concurrent changes of different fields of a channel are all kept', async () => {
  const id = await t.channel(9, 'Office');
  const url = `/alert-channels/${id}`;
  await editAtOnce(t.deps.db, { table: 'alert_channels', id }, [
    () => t.request('PATCH', url, { enabled: false }),
    () => t.request('PATCH', url, { config: { webhook_format: 'generic' } }),
  ]);
  expect((await t.request('GET', url)).json()).toMatchObject({ enabled: false, config: { webhook_format: 'generic' } });
});
