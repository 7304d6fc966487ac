import { expect, test } from 'vitest';
import { readAbove, readAccounts, readAcl } from './access.ts';

const plain = { uid: 1000, gid: 100, mode: 0o644, fidelity: 'posix_mode_only' };
const nothing = { access: null, default: null, nfs: null, nt: null };
const sid = 'S-1-5-21-1-2-3-1001';

test('lists of every kind are read, and members that no list has are left out', () => {
  expect(readAcl({ ...plain, owner: 'me' })).toEqual({ ...plain, ...nothing });
  const access = [
    { tag: 'owner', id: null, perm: 6 },
    { tag: 'user', id: 1001, perm: 4 },
  ];
  expect(readAcl({ ...plain, access })).toEqual({ ...plain, ...nothing, access });
  const nfs = [{ type: 'allow', who: 'anna@example.org', isGroup: false, mask: 1, flags: 0 }];
  expect(readAcl({ ...plain, nfs })).toEqual({ ...plain, ...nothing, nfs });
  const nt = { owner: sid, group: null, control: 4, dacl: [{ type: 'deny', sid, mask: 2 ** 31, flags: 3 }] };
  expect(readAcl({ ...plain, nt })).toEqual({ ...plain, ...nothing, nt });
  expect(readAcl({ ...plain, nt: { ...nt, dacl: null } })?.nt?.dacl).toBeNull();
});

test.each([
  ['no object', 'rw-r--r--'],
  ['no owner', { gid: 1, mode: 0, fidelity: 'full_native' }],
  ['a number that is combined with a machine already', { ...plain, uid: 2 ** 40 + 1000 }],
  ['a negative number', { ...plain, gid: -1 }],
  ['a mode with a type', { ...plain, mode: 0o100644 }],
  ['an unknown fidelity', { ...plain, fidelity: 'perfect' }],
  ['an unknown tag', { ...plain, access: [{ tag: 'everybody', id: null, perm: 7 }] }],
  ['a user without a number', { ...plain, access: [{ tag: 'user', id: null, perm: 7 }] }],
  ['an owner with a number', { ...plain, access: [{ tag: 'owner', id: 5, perm: 7 }] }],
  ['a list that is too long', { ...plain, access: Array.from({ length: 5000 }, (_, id) => ({ tag: 'user', id, perm: 7 })) }],
  ['a name that cannot be stored', { ...plain, nfs: [{ type: 'allow', who: 'a\0b', isGroup: false, mask: 1, flags: 0 }] }],
  ['an identifier that is none', { ...plain, nt: { owner: 'anna', group: null, control: 0, dacl: null } }],
])('%s is refused', (_what, raw) => {
  expect(readAcl(raw)).toBeUndefined();
});

test('accounts and folders above a root are read as they are, or refused as a whole', () => {
  const accounts = { users: [[1000, 'anna', 100, 'Anna Berg']], groups: [[100, 'users', ['anna']]] };
  expect(readAccounts(accounts)).toEqual(accounts);
  for (const [kind, entry] of [
    ['users', [0, 'root', 0, '']],
    ['users', [2 ** 32, 'x', 0, '']],
    ['users', [5, 'a\0', 0, '']],
    ['groups', [5, 'x', 'anna']],
    ['groups', [5, 'x', [1]]],
  ] as const)
    expect(readAccounts({ ...accounts, [kind]: [entry] }), JSON.stringify(entry)).toBeUndefined();
  expect(readAccounts({ ...accounts, users: Array.from({ length: 5001 }, (_, at) => [at + 1, 'x', 0, '']) })).toBeUndefined();
  expect(readAbove(undefined)).toEqual([]);
  expect(readAbove([plain])).toEqual([{ ...plain, ...nothing }]);
  expect(readAbove([plain, 7])).toBeUndefined();
});
