import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('the built-in presets are listed first with their patterns; only hidden_dotfiles is on by default', async () => {
  const { presets, extension_groups } = (await t.request('GET', '/presets', undefined, { as: 'read' })).json() as {
    presets: { name: string; builtin: boolean; default_enabled: boolean; patterns: string[] }[];
    extension_groups: { name: string }[];
  };
  expect(presets.filter(({ builtin }) => builtin).map(({ name }) => name)).toEqual([
    'system_files',
    'hidden_dotfiles',
    'caches_temp',
    'node_modules_build',
    'os_metadata',
  ]);
  expect(presets.filter(({ default_enabled }) => default_enabled).map(({ name }) => name)).toEqual(['hidden_dotfiles']);
  expect(presets.find(({ name }) => name === 'hidden_dotfiles')?.patterns).toEqual(['.*']);
  expect(extension_groups).toHaveLength(7);
});

test('a shipped preset is read-only; its fork is editable', async () => {
  for (const [method, body] of [
    ['PATCH', { label: 'x' }],
    ['DELETE', undefined],
  ] as const)
    expect((await t.request(method, '/presets/system_files', body)).json()).toMatchObject({ status: 409, code: 'preset_readonly' });
  const fork = await t.request('POST', '/presets/system_files/fork', { name: 'my_system' });
  expect([fork.statusCode, fork.json()]).toMatchObject([201, { name: 'my_system', label: 'System files (copy)', builtin: false }]);
  const changed = await t.request('PATCH', '/presets/my_system', { patterns: ['*.bak', 'old/'], caveat: 'Mine.' });
  expect(changed.json()).toMatchObject({ patterns: ['*.bak', 'old/'], caveat: 'Mine.' });
  expect((await t.request('GET', '/presets/my_system')).json()).toEqual(changed.json());
  expect((await t.request('DELETE', '/presets/my_system')).statusCode).toBe(204);
  expect((await t.request('GET', '/presets/my_system')).statusCode).toBe(404);
});

test('names are unique, and invalid presets are refused', async () => {
  expect((await t.request('POST', '/presets', { name: 'mine', label: 'Mine', patterns: ['*.x'] })).statusCode).toBe(201);
  expect((await t.request('POST', '/presets', { name: 'mine', label: 'Mine' })).json().code).toBe('name_taken');
  expect((await t.request('POST', '/presets', { name: 'caches_temp', label: 'Mine' })).json().code).toBe('name_taken');
  const wrong: unknown[] = [
    { name: '-mine', label: 'x' },
    { name: 'A', label: 'x' },
    { name: 'ok_name', label: '' },
    { name: 'ok_name', label: 'x', patterns: ['a\nb'] },
    { name: 'ok_name', label: 'x', patterns: ['a\0'] },
    { name: 'ok_name', label: 'x', patterns: ['a'.repeat(513)] },
    { name: 'ok_name', label: 'x', patterns: new Array(501).fill('a') },
    { name: 'ok_name', label: 'x', pattern: [] },
  ];
  for (const body of wrong) expect((await t.request('POST', '/presets', body)).statusCode, JSON.stringify(body).slice(0, 60)).toBe(422);
});

test('a preset still enabled by a library cannot be deleted', async () => {
  const { db } = t.deps;
  await t.request('POST', '/presets', { name: 'used', label: 'Used', patterns: ['*.x'] });
  await sql`insert into libraries (name, root_path, enabled_presets) values ('Films', '/f', '{used}')`.execute(db);
  expect((await t.request('GET', '/presets/used')).json().used_by).toBe(1);
  expect((await t.request('DELETE', '/presets/used')).json()).toMatchObject({
    status: 409,
    code: 'preset_in_use',
    detail: expect.stringContaining('Films'),
  });
  await sql`update libraries set enabled_presets = '{}'`.execute(db);
  expect((await t.request('DELETE', '/presets/used')).statusCode).toBe(204);
});

test('POST /presets accepts the body of the specification: name and patterns; the label is then the name', async () => {
  const made = await t.request('POST', '/presets', { name: 'scratch', patterns: ['*.tmp', 'build/'] });
  expect([made.statusCode, made.json()]).toMatchObject([201, { name: 'scratch', label: 'scratch', patterns: ['*.tmp', 'build/'] }]);
});
