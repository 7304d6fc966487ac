import type { Filter } from '@catalog/engine';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import type { Principal } from '../../platform/principal.ts';
import { scopeFilter } from '../../search/query/index.ts';
import { type AccessRule, allowedBy, allowsAllBelow, covers, isBelow, limitForest, scopeForest, winningRule } from './decide.ts';
import { visibilityOf } from './visibility.ts';

const libraries = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'];
const segment = fc.constantFrom('a', 'b', 'ab', 'c');
const path = fc.array(segment, { maxLength: 4 }).map((parts) => parts.join('/'));
const rule = fc.record<AccessRule>({ libraryId: fc.constantFrom(...libraries), path, effect: fc.constantFrom('allow', 'deny') });
const rules = fc.array(rule, { maxLength: 12 });

describe('deciding', () => {
  test('one forest covers another when no path is allowed by the second only', () => {
    const names = ['a', 'b', 'ab', 'c'];
    const below = (folder: string, depth: number): string[] =>
      depth === 0 ? [folder] : [folder, ...names.flatMap((name) => below(folder === '' ? name : `${folder}/${name}`, depth - 1))];
    const everyPath = below('', 4);
    fc.assert(
      fc.property(rules, rules, (some, others) => {
        const [first, second] = [scopeForest(some), scopeForest(others)];
        const expected = libraries.every((library) =>
          everyPath.every((at) => !allowedBy(second, library, at) || allowedBy(first, library, at)),
        );
        expect(covers(first, second)).toBe(expected);
      }),
    );
  });

  test('the most specific path wins, deny wins ties, no grant means denied; the forest agrees with the rules', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(...libraries), path, (list, libraryId, at) => {
        const winner = winningRule(list, libraryId, at);
        const deepest = Math.max(
          -1,
          ...list.filter((each) => each.libraryId === libraryId && isBelow(at, each.path)).map((each) => each.path.length),
        );
        const deciding = list.filter((each) => each.libraryId === libraryId && isBelow(at, each.path) && each.path.length === deepest);
        const expected = deciding.length > 0 && deciding.every((each) => each.effect === 'allow');
        expect(winner?.effect === 'allow').toBe(expected);
        expect(allowedBy(scopeForest(list), libraryId, at)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test('limits of a key only narrow access', () => {
    fc.assert(
      fc.property(
        rules,
        fc.option(fc.constantFrom(libraries, [libraries[0]!], []), { nil: null }),
        fc.option(path, { nil: null }),
        fc.constantFrom(...libraries),
        path,
        (list, allowed, pathScope, libraryId, at) => {
          const forest = scopeForest(list);
          const inside = (allowed === null || allowed.includes(libraryId)) && isBelow(at, pathScope ?? '');
          expect(allowedBy(limitForest(forest, { libraries: allowed, pathScope }), libraryId, at)).toBe(
            inside && allowedBy(forest, libraryId, at),
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test('allowsAllBelow is true exactly when the folder and every path below it is allowed', () => {
  const below = ['', 'a', 'b', 'ab', 'c'].flatMap((one) => ['', 'a', 'b', 'ab', 'c'].map((two) => [one, two].filter(Boolean).join('/')));
  const nearby = fc.array(segment, { maxLength: 2 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 12 }).map((list) => list.filter((each) => each.path.split('/').length <= 2)),
      fc.constantFrom(...libraries),
      nearby,
      (list, libraryId, folder) => {
        const forest = scopeForest(list);
        const places = below.map((end) => [folder, end].filter(Boolean).join('/'));
        expect(allowsAllBelow(forest, libraryId, folder)).toBe(places.every((at) => allowedBy(forest, libraryId, at)));
      },
    ),
    { numRuns: 3000 },
  );
});

describe('grants over HTTP and in SQL', () => {
  let t: TestApp;
  let ids: { user: string; group: string; photos: string; work: string };
  beforeAll(async () => {
    t = await createTestApp();
    await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'long enough' }, { as: null });
    const user = (await t.request('POST', '/auth/users', { username: 'eve', password: 'long enough', global_role: 'user' })).json().id;
    const group = (await t.request('POST', '/rbac/groups', { name: 'Family' })).json().id;
    const made = await sql<{
      id: string;
    }>`insert into libraries (name, root_path) values ('Photos', '/p'), ('Work', '/w') returning id`.execute(t.deps.db);
    ids = { user, group, photos: made.rows[0]!.id, work: made.rows[1]!.id };
    await t.request('POST', `/rbac/groups/${group}/members`, { principal_id: user });
  });
  afterAll(() => t.close());
  const grant = (more: object) =>
    t.request('POST', '/rbac/grants', {
      subject_kind: 'principal',
      subject_id: ids.user,
      library_id: ids.photos,
      action: 'search_metadata',
      ...more,
    });
  const preview = async (at: string, action = 'search_metadata') =>
    (
      await t.request('GET', `/rbac/preview?principal=${ids.user}&library=${ids.photos}&path=${encodeURIComponent(at)}&action=${action}`)
    ).json();

  test('a decision is previewed with its reason and the winning grant', async () => {
    expect(await preview('2023/a.jpg')).toMatchObject({ allowed: false, reason: 'no_grant_default_deny', winning_grant: null });
    const made = await grant({ rel_path: '/2023/' });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({
      rel_path: '2023',
      effect: 'allow',
      subject_label: 'eve',
      warnings: ['No folder with this path is in the catalog yet.'],
    });
    await grant({ subject_kind: 'group', subject_id: ids.group, rel_path: '2023/private', effect: 'deny' });
    expect(await preview('2023/a.jpg')).toMatchObject({
      allowed: true,
      reason: 'explicit_allow',
      winning_grant: { scope: '2023', subject_kind: 'principal' },
    });
    expect(await preview('2023/private/b.jpg')).toMatchObject({
      allowed: false,
      reason: 'explicit_deny',
      winning_grant: { subject_kind: 'group' },
    });
    expect(await preview('2023private')).toMatchObject({ allowed: false, reason: 'no_grant_default_deny' });
    expect(await preview('2023/a.jpg', 'delete')).toMatchObject({ allowed: false, reason: 'ceiling_clamped' });
    expect((await t.request('GET', `/rbac/preview?principal=${ids.user}&library=${ids.photos}&path=x&action=fly`)).statusCode).toBe(422);
    // Whoever cannot find a file cannot download it either.
    const download = (await grant({ rel_path: '', action: 'download' })).json();
    expect(await preview('2023/a.jpg', 'download')).toMatchObject({ allowed: true, winning_grant: { scope: '', action: 'download' } });
    expect(await preview('2024/a.jpg', 'download')).toMatchObject({ allowed: false, reason: 'no_grant_default_deny' });
    expect(await preview('2023/private/b.jpg', 'download')).toMatchObject({
      allowed: false,
      reason: 'explicit_deny',
      winning_grant: { scope: '2023/private', action: 'search_metadata' },
    });
    await t.request('DELETE', `/rbac/grants/${download.id}`);
  });

  test('the SQL condition admits exactly what the rules allow', async () => {
    const paths = ['2023/a.jpg', '2023/private/b.jpg', '2023private/c.jpg', '2024/d.jpg', '2023'];
    const principal: Principal = {
      kind: 'user',
      id: ids.user,
      name: 'eve',
      role: 'user',
      scopes: ['read'],
      carrier: 'session',
      bypass: false,
    };
    const visibility = await visibilityOf(t.deps.db, principal);
    const { rows } = await sql<{
      rel_path: string;
    }>`select i.rel_path from unnest(${paths}::text[]) as p(rel_path), (select ${ids.photos}::uuid as library_id) l,
      lateral (select l.library_id, p.rel_path) i where ${visibility.where('i')} order by 1`.execute(t.deps.db);
    expect(rows.map((row) => row.rel_path)).toEqual(paths.filter((at) => visibility.allows(ids.photos, at, 'search_metadata')).sort());
    expect(rows).toHaveLength(2);
    expect(visibility.mayEnter(ids.work)).toBe(false);
    const limited = await visibilityOf(t.deps.db, {
      ...principal,
      kind: 'service',
      id: null,
      role: null,
      carrier: 'key',
      keyLimits: { libraries: [ids.work], pathScope: 'x' },
    });
    expect([
      limited.allows(ids.work, 'x/1', 'download'),
      limited.allows(ids.work, 'y', 'download'),
      limited.allows(ids.photos, 'x/1', 'download'),
    ]).toEqual([true, false, false]);
  });

  test('SQL condition and index filter admit exactly what the rules allow, for any grants and key limits', async () => {
    const { db } = t.deps;
    const { user, photos, work } = ids;
    const probes = ['x', 'a', 'a/x', 'a/b', 'a/b/x', 'ab/x', 'a/b/c/x', 'b/x', 'b/a/x', 'c/x'];
    const anyRules = fc.array(
      fc.record<AccessRule>({
        libraryId: fc.constantFrom(photos, photos, work),
        path: fc.constantFrom('', 'a', 'a/b', 'a/b/c', 'ab', 'b'),
        effect: fc.constantFrom('allow', 'deny'),
      }),
      { minLength: 1, maxLength: 8 },
    );
    const anyLimits = fc.record({
      libraries: fc.option(fc.constantFrom([photos], [work], []), { nil: null, freq: 1 }),
      pathScope: fc.option(fc.constantFrom('a', 'a/b', 'b'), { nil: null, freq: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(anyRules, anyLimits, async (list, keyLimits) => {
        await sql`delete from grants where principal_id = ${user} or group_id = ${ids.group}`.execute(db);
        for (const { libraryId, path: rel_path, effect } of list)
          await sql`insert into grants (principal_id, library_id, rel_path, action, effect)
            values (${user}, ${libraryId}, ${rel_path}, 'search_metadata', ${effect}) on conflict do nothing`.execute(db);
        const principal: Principal = {
          kind: 'user',
          id: user,
          name: 'eve',
          role: 'user',
          scopes: ['read'],
          carrier: 'key',
          bypass: false,
          keyLimits,
        };
        const visibility = await visibilityOf(db, principal);
        const filter = scopeFilter(visibility, 100_000);
        const { rows } = await sql<{ library_id: string; rel_path: string }>`select i.library_id, i.rel_path
          from unnest(${[photos, work]}::uuid[]) l(library_id), unnest(${probes}::text[]) p(rel_path),
          lateral (select l.library_id, p.rel_path) i where ${visibility.where('i')}`.execute(db);
        const bySql = new Set(rows.map(({ library_id, rel_path }) => `${library_id}/${rel_path}`));
        for (const libraryId of [photos, work])
          for (const at of probes) {
            const limited =
              (keyLimits.libraries === null || (keyLimits.libraries as readonly string[]).includes(libraryId)) &&
              isBelow(at, keyLimits.pathScope ?? '');
            const expected = limited && winningRule(list, libraryId, at)?.effect === 'allow';
            expect(bySql.has(`${libraryId}/${at}`), `SQL, ${at}`).toBe(expected);
            expect(filter !== null && admits(filter, `${libraryId}/${at}`), `index filter, ${at}`).toBe(expected);
            expect(visibility.allows(libraryId, at, 'search_metadata'), `allows, ${at}`).toBe(expected);
          }
      }),
      { numRuns: 150 },
    );
    await sql`delete from grants where principal_id = ${user}`.execute(db);
    await grant({ rel_path: '2023' });
  });

  /** The engine's reading of a scope filter: a path is in a scope when it is the folder or below it. */
  function admits(filter: Filter, at: string): boolean {
    if ('and' in filter) return filter.and.every((each) => admits(each, at));
    if ('or' in filter) return filter.or.some((each) => admits(each, at));
    if ('not' in filter) return !admits(filter.not, at);
    if ('scope' in filter) return filter.scope.some((folder) => isBelow(at, folder));
    throw new Error(`A scope filter must not contain ${JSON.stringify(filter)}.`);
  }

  test('a grant with an unknown subject, path or action is rejected; a duplicate is a conflict', async () => {
    expect((await grant({ action: 'fly' })).statusCode).toBe(422);
    expect((await grant({ rel_path: 'a/../b' })).statusCode).toBe(422);
    expect((await grant({ library_id: ids.user })).statusCode).toBe(404);
    expect((await grant({ subject_kind: 'group' })).statusCode).toBe(404);
    expect((await grant({ rel_path: '2023' })).statusCode).toBe(409);
    expect((await grant({ action: 'delete' })).json().warnings[0]).toContain('role');
  });

  test('custom roles are cloned and updated, cannot have the admin scope, and cannot be deleted while in use', async () => {
    expect((await t.request('POST', '/rbac/roles', { name: 'curator', display_name: 'Curator', clone_from: 'user' })).json()).toMatchObject(
      {
        scopes: ['read', 'write'],
        builtin: false,
        users: 0,
      },
    );
    expect((await t.request('POST', '/rbac/roles', { name: 'boss', display_name: 'Boss', scopes: ['admin'] })).statusCode).toBe(422);
    expect((await t.request('PATCH', '/rbac/roles/curator', { ceiling_actions: ['search_metadata'] })).json().ceiling_actions).toEqual([
      'search_metadata',
    ]);
    expect((await t.request('PATCH', '/rbac/roles/admin', { display_name: 'x' })).statusCode).toBe(409);
    await t.request('PATCH', `/auth/users/${ids.user}`, { global_role: 'curator' });
    expect((await t.request('DELETE', '/rbac/roles/curator')).json().code).toBe('role_in_use');
    expect((await t.request('GET', '/rbac/roles/compare')).json().matrix.curator).toMatchObject({
      read: true,
      admin: false,
      search_metadata: true,
      download: false,
    });
    await t.request('PATCH', `/auth/users/${ids.user}`, { global_role: 'user' });
    expect((await t.request('DELETE', '/rbac/roles/curator')).statusCode).toBe(204);
  });

  test('what two administrators change in a role or a group at the same moment is kept', async () => {
    await t.request('POST', '/rbac/roles', { name: 'shared', display_name: 'Shared' });
    const role = (change: object) => () => t.request('PATCH', '/rbac/roles/shared', change);
    await editAtOnce(t.deps.db, { table: 'roles', key: 'name', id: 'shared' }, [
      role({ require_second_factor: true }),
      role({ display_name: 'Shared by many' }),
    ]);
    const shared = (await t.request('GET', '/rbac/roles')).json().find(({ name }: { name: string }) => name === 'shared');
    expect(shared).toMatchObject({ require_second_factor: true, display_name: 'Shared by many' });
    const group = (change: object) => () => t.request('PATCH', `/rbac/groups/${ids.group}`, change);
    await editAtOnce(t.deps.db, { table: 'principal_groups', id: ids.group }, [
      group({ description: 'Of the family' }),
      group({ external_name: 'cn=family' }),
    ]);
    const family = (await t.request('GET', '/rbac/groups')).json().find(({ id }: { id: string }) => id === ids.group);
    expect(family).toMatchObject({ description: 'Of the family', external_name: 'cn=family' });
    await t.request('PATCH', `/rbac/groups/${ids.group}`, { external_name: null });
    await t.request('DELETE', '/rbac/roles/shared');
  });

  test('groups are renamed, emptied and deleted with their grants', async () => {
    expect((await t.request('POST', '/rbac/groups', { name: 'family' })).statusCode).toBe(409);
    expect((await t.request('PATCH', `/rbac/groups/${ids.group}`, { name: 'Relatives' })).json()).toMatchObject({
      name: 'Relatives',
      member_count: 1,
    });
    await t.request('PATCH', `/rbac/groups/${ids.group}`, { external_name: 'cn=relatives' });
    expect((await t.request('GET', '/audit?event_type=group_updated&limit=2')).json().events).toMatchObject([
      { details: { group_id: ids.group, name: 'Relatives', external_name: 'cn=relatives', previous_external_name: null } },
      { details: { group_id: ids.group, name: 'Relatives', before: 'Family' } },
    ]);
    expect((await t.request('GET', `/rbac/groups/${ids.group}/members`)).json()).toMatchObject([{ username: 'eve' }]);
    expect((await t.request('DELETE', `/rbac/groups/${ids.group}`)).statusCode).toBe(204);
    expect((await t.request('GET', `/rbac/grants?subject_id=${ids.group}`)).json()).toEqual([]);
  });
});
