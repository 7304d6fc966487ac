import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import koffi from 'koffi';

export interface TestUser {
  uid: number;
  gid: number;
  groups: number[];
}

/** A generator of numbers that gives the same sequence for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const tagNumbers = { owner: 1, user: 2, group_owner: 4, group: 8, mask: 16, other: 32 } as const;
type Line = [tag: keyof typeof tagNumbers, perm: number, id?: number];

/** An ACL as the kernel takes it; the entries must be in the order of their tags and ids. */
export function aclBytes(lines: readonly Line[]): Buffer {
  const bytes = Buffer.alloc(4 + lines.length * 8);
  bytes.writeUInt32LE(2, 0);
  lines.forEach(([tag, perm, id], at) => {
    bytes.writeUInt16LE(tagNumbers[tag], 4 + at * 8);
    bytes.writeUInt16LE(perm, 6 + at * 8);
    bytes.writeUInt32LE(id ?? 0xffff_ffff, 8 + at * 8);
  });
  return bytes;
}

const setxattr = koffi
  .load(null as unknown as string)
  .func('int setxattr(const char *path, const char *name, void *value, size_t size, int flags)');

export function setAcl(target: string, kind: 'access' | 'default', lines: readonly Line[]): void {
  const bytes = aclBytes(lines);
  if (setxattr(target, `system.posix_acl_${kind}`, bytes, bytes.length, 0) !== 0)
    throw new Error(`setxattr ${target}: errno ${koffi.errno()}`);
}

export const testUsers = (count: number, random: (below: number) => number): TestUser[] =>
  Array.from({ length: count }, (_, at) => ({
    uid: 30_001 + at,
    gid: 40_001 + random(20),
    groups: Array.from({ length: random(5) }, () => 40_001 + random(20)),
  }));

/** A tree with random owners, groups, modes, set-gid, sticky, access and default lists, some of them inherited. Returns the root and the files. */
export function randomTree(
  random: (below: number) => number,
  users: readonly TestUser[],
  files: number,
): { root: string; paths: string[] } {
  const root = mkdtempSync(path.join(os.tmpdir(), 'permissions-'));
  chmodSync(root, 0o755);
  const folders = [root];
  const anyUser = (): number => (users[random(users.length)] as TestUser).uid;
  const anyGroup = (): number => 40_001 + random(20);
  const randomLines = (): Line[] => {
    const named = (make: () => number): number[] => [...new Set(Array.from({ length: random(4) }, make))].sort((a, b) => a - b);
    return [
      ['owner', random(8)],
      ...named(anyUser).map((id): Line => ['user', random(8), id]),
      ['group_owner', random(8)],
      ...named(anyGroup).map((id): Line => ['group', random(8), id]),
      ['mask', random(8)],
      ['other', random(8)],
    ];
  };
  const dress = (target: string, isFolder: boolean): void => {
    chownSync(target, random(20) === 0 ? 0 : anyUser(), anyGroup());
    // Most folders let most people in, or nearly every answer would be no.
    chmodSync(
      target,
      isFolder && random(3) > 0 ? 0o755 | (random(2) * 0o2000) : random(0o1000) | (random(8) === 0 ? random(8) * 0o1000 : 0),
    );
    if (random(isFolder ? 4 : 2) === 0) setAcl(target, 'access', randomLines());
    if (isFolder && random(3) === 0) setAcl(target, 'default', randomLines());
  };
  for (let at = 0; at < files / 8; at += 1) {
    const folder = path.join(folders[random(folders.length)] as string, `d${at}`);
    mkdirSync(folder);
    if (random(4) > 0) dress(folder, true);
    folders.push(folder);
  }
  const paths = Array.from({ length: files }, (_, at) => {
    const file = path.join(folders[random(folders.length)] as string, `f${at}.txt`);
    writeFileSync(file, 'x');
    // A third of the files keep what they inherited.
    if (random(3) > 0) dress(file, false);
    return file;
  });
  return { root, paths };
}

/** For each user and path the sum of what access(2) allows: read 4, write 2, execute 1. */
export function askKernel(users: readonly TestUser[], paths: readonly string[]): string[] {
  const child = path.join(import.meta.dirname, 'access-child.fixture.ts');
  return JSON.parse(
    execFileSync(process.execPath, [child], { input: JSON.stringify({ users, paths }), maxBuffer: 1 << 28, encoding: 'utf8' }),
  ) as string[];
}
