import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aclAttribute } from './attributes.ts';
import { entriesOf, ownersOf, postureOf } from './entries.ts';
import { evaluate, everybodyMayEnter, everyone, type Identity } from './evaluate.ts';
import { aclDigest, type FileAcl, toFileAcl } from './file-acl.ts';
import { parseNfsAcl } from './nfs-acl.ts';
import { parseNtDescriptor, parseSambaDescriptor } from './nt-descriptor.ts';

interface NtSample {
  name: string;
  sddl: string;
  owner: string;
  group: string;
  control: number;
  dacl: { type: number; flags: number; mask: number; sid: string }[] | null;
  blobs: Record<string, string>;
}

/** Written with Samba's own library (samba.dcerpc.security and xattr of Samba 4.17), which also gave the expected values. */
const samples = JSON.parse(readFileSync(new URL('nt-samples.json', import.meta.url), 'utf8')) as NtSample[];
const plain: FileAcl = toFileAcl({ uid: 1000, gid: 100, mode: 0o640 }, { values: {} });
const person = (uid: number | null, gids: number[] = [], extra: Partial<Identity> = {}): Identity => ({
  uid,
  gids: new Set(gids),
  sids: new Set(),
  names: new Set(),
  ...extra,
});

describe('Windows security descriptors equal what Samba reads in them', () => {
  test.each(samples.flatMap((sample) => Object.keys(sample.blobs).map((form) => ({ name: `${sample.name} ${form}`, sample, form }))))(
    '$name',
    ({ sample, form }) => {
      const bytes = Buffer.from(sample.blobs[form] as string, 'hex');
      const parsed = form === 'descriptor' ? parseNtDescriptor(bytes) : parseSambaDescriptor(bytes);
      expect(parsed).toEqual({
        owner: sample.owner,
        group: sample.group,
        control: sample.control,
        dacl: sample.dacl?.map(({ type, ...entry }) => ({ ...entry, type: type === 0 ? 'allow' : 'deny' })) ?? null,
      });
      for (let length = 0; length < bytes.length; length += 7)
        expect(() => (form === 'descriptor' ? parseNtDescriptor : parseSambaDescriptor)(bytes.subarray(0, length))).not.toThrow();
    },
  );
});

const ntOf = (name: string): FileAcl => {
  const sample = samples.find((each) => each.name === name) as NtSample;
  return toFileAcl({ uid: 0, gid: 0, mode: 0o700 }, { values: { [aclAttribute.samba]: Buffer.from(sample.blobs['v4'] as string, 'hex') } });
};
const domain = 'S-1-5-21-1004336348-1177238915-682003330';
const sids = (...list: string[]): Identity => person(null, [], { sids: new Set(['S-1-1-0', 'S-1-5-11', ...list]) });

test('a denial before a permission wins, entries for children alone do not count, and no list allows everybody everything', () => {
  expect(evaluate(ntOf('deny'), sids(`${domain}-1106`, 'S-1-5-32-545'), 'read')).toMatchObject({ allowed: false, entry: `${domain}-1106` });
  expect(evaluate(ntOf('deny'), sids('S-1-5-32-545'), 'read')).toMatchObject({ allowed: false, entry: 'S-1-5-11' });
  expect(evaluate(ntOf('deny'), person(null, [], { sids: new Set(['S-1-5-32-545']) }), 'read').allowed).toBe(true);
  expect(evaluate(ntOf('deny'), sids('S-1-3-0'), 'write').allowed).toBe(false);
  expect(evaluate(ntOf('share'), sids(`${domain}-9999`), 'read').allowed).toBe(true);
  expect(evaluate(ntOf('share'), sids(`${domain}-9999`), 'write').allowed).toBe(false);
  expect(evaluate(ntOf('share'), sids(`${domain}-1105`), 'write').allowed).toBe(true);
  expect(evaluate(ntOf('empty'), sids('S-1-5-32-544'), 'read').allowed).toBe(false);
  expect(evaluate(ntOf('null'), sids(`${domain}-1`), 'write').allowed).toBe(true);
  expect(evaluate(ntOf('share'), everyone, 'read').allowed).toBe(true);
});

test('entries keep the stored order, the inheritance flags and the verbs; the posture says whether the order is canonical', () => {
  const acl = ntOf('deny');
  expect(
    entriesOf(acl).map(({ principal, type, verbs, scope, order_index }) => [principal.id, type, verbs.join(' '), scope, order_index]),
  ).toEqual([
    [`${domain}-1106`, 'deny', 'read read_attr read_perms', 'this', 0],
    ['S-1-5-11', 'deny', 'read change_perms', 'subtree', 1],
    ['S-1-5-18', 'allow', 'read write append execute delete_child read_attr write_attr', 'this', 2],
    ['S-1-3-0', 'allow', 'full', 'dir_default', 3],
    ['S-1-5-32-545', 'allow', 'read execute read_attr read_perms', 'this', 4],
  ]);
  expect(ownersOf(acl).owner).toEqual({ kind: 'well_known', id: 'S-1-5-32-544', well_known: 'administrators' });
  expect(postureOf(acl)).toEqual({ dacl_present: true, dacl_canonical: true, generic_mapping_applied: true });
  expect(postureOf(ntOf('notcanonical')).dacl_canonical).toBe(false);
});

test('NFSv4 lists are read in order: the first entry that names a right decides it', () => {
  const entry = (type: number, flags: number, mask: number, who: string): Buffer => {
    const head = Buffer.alloc(16);
    for (const [at, value] of [type, flags, mask, who.length].entries()) head.writeUInt32BE(value, at * 4);
    return Buffer.concat([head, Buffer.from(who.padEnd(Math.ceil(who.length / 4) * 4, '\0'))]);
  };
  const count = Buffer.from([0, 0, 0, 4]);
  const bytes = Buffer.concat([
    count,
    entry(1, 0x40, 0x1, 'interns@aas.example'),
    entry(0, 0, 0x3, 'OWNER@'),
    entry(2, 0, 0x1, 'EVERYONE@'),
    entry(0, 0, 0x1, 'EVERYONE@'),
  ]);
  expect(parseNfsAcl(bytes)).toHaveLength(3);
  expect(parseNfsAcl(bytes.subarray(0, 30))).toBeNull();
  const acl = toFileAcl({ uid: 1000, gid: 100, mode: 0o644 }, { values: { [aclAttribute.nfs]: bytes } });
  expect(acl.fidelity).toBe('full_native');
  expect(evaluate(acl, person(7), 'read').allowed).toBe(true);
  expect(evaluate(acl, person(7), 'write').allowed).toBe(false);
  expect(evaluate(acl, person(1000), 'write').allowed).toBe(true);
  expect(evaluate(acl, person(7, [], { names: new Set(['interns@aas.example']) }), 'read').allowed).toBe(false);
});

test('a record says how much of the truth it holds', () => {
  expect(plain.fidelity).toBe('posix_mode_only');
  expect(toFileAcl({ uid: 0, gid: 0, mode: 0o777 }, { values: {} }, true).fidelity).toBe('synthesized_from_mode');
  expect(toFileAcl(plain, { values: {}, failed: true }).fidelity).toBe('unavailable');
  expect(toFileAcl(plain, { values: { [aclAttribute.posixAccess]: Buffer.from('nonsense') } }).fidelity).toBe('unavailable');
  expect(aclDigest(plain)).toBe(aclDigest(toFileAcl({ uid: 1000, gid: 100, mode: 0o100640 }, { values: {} })));
});

test('a folder is remembered only if it stops somebody', () => {
  const folder = (mode: number): FileAcl => toFileAcl({ uid: 1, gid: 1, mode }, { values: {} });
  expect([0o755, 0o711, 0o1777].map((mode) => everybodyMayEnter(folder(mode)))).toEqual([true, true, true]);
  expect([0o750, 0o705, 0o655].map((mode) => everybodyMayEnter(folder(mode)))).toEqual([false, false, false]);
});
