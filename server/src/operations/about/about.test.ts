import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { requireRoot } from '../../fleet/authority/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { fingerprint, reportSecretKey } from '../../platform/secrets/index.ts';
import { settingsForTests } from '../../settings/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_SECRET_KEY: 'the key of this service' });
});
afterAll(() => t.close());

test('a secret key other than the one on record is shown by About and as degraded, and the service still starts', async () => {
  const about = async (as: 'read' | 'admin') =>
    (await t.request('GET', '/system/about', undefined, { as })).json().key_fingerprints.secret_key;
  await reportSecretKey(t.deps.db, settingsForTests({ SVC_SECRET_KEY: 'the key of this service' }), silentLog);
  expect(await about('admin')).toMatchObject({ state: 'match', message: null });
  expect((await t.request('GET', '/stats')).json()).toMatchObject({ key_fingerprints: { secret_key: 'match' } });
  await t.deps.db.deleteFrom('service_state' as never).execute();
  await reportSecretKey(t.deps.db, settingsForTests({ SVC_SECRET_KEY: 'the key of another service' }), silentLog);
  expect(await about('admin')).toEqual({
    state: 'mismatch',
    stored: fingerprint('the key of another service'),
    configured: fingerprint('the key of this service'),
    message: expect.stringContaining('Restore the original key'),
  });
  expect(await about('read')).toEqual({ state: 'mismatch', stored: null, configured: null, message: null });
  expect((await t.request('GET', '/stats')).json().degraded).toMatchObject({
    key_fingerprints: 'SVC_SECRET_KEY is not the key of the stored secrets',
  });
});

test('a missing root of the authority for agents is shown by About and as degraded, and only administrators see fingerprints', async () => {
  const fleet = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  try {
    const root = async (as: 'read' | 'admin') =>
      (await fleet.request('GET', '/system/about', undefined, { as })).json().key_fingerprints.ca_root;
    const { db, settings } = fleet.deps;
    expect(await root('admin')).toMatchObject({ state: 'none', message: null });
    await requireRoot(db, settings, new Date());
    expect(await root('admin')).toMatchObject({ state: 'match', message: null });
    expect((await fleet.request('GET', '/stats')).json()).toMatchObject({ key_fingerprints: { ca_root: 'match' } });
    rmSync(join(settings.configDir, 'agent-ca.pem'));
    expect(await root('admin')).toMatchObject({ state: 'missing', message: expect.stringContaining('Restore it from a backup') });
    expect(await root('read')).toEqual({ state: 'missing', stored: null, configured: null, message: null });
    expect((await fleet.request('GET', '/stats')).json().degraded).toMatchObject({
      key_fingerprints: 'The root of the certificate authority for agents is missing',
    });
  } finally {
    await fleet.close();
  }
});
