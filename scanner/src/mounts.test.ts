import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashRule, needsContentHash } from './hash/policy.ts';
import { compileIgnore } from './ignore/ignore.ts';
import {
  findMount,
  hasStableIds,
  isNetworkFileSystem,
  isOnNetwork,
  networkMountPoints,
  parseMounts,
  rootChange,
  watchedDisks,
} from './mounts.ts';

const table = `21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 21 0:40 / /mnt/nas rw - nfs4 server:/export rw
31 21 0:41 / /mnt/my\\040share rw - cifs //server/share rw
32 30 8:2 / /mnt/nas/local rw - xfs /dev/sdb1 rw
33 21 0:50 / /mnt/cloud rw - fuse.rclone remote: rw
34 21 0:51 / /mnt/stick rw - fuse.ntfs-3g /dev/sdc1 rw
35 21 0:52 / /mnt/odd rw - newfs thing rw`;

test.each([
  ['/home/x', false],
  ['/mnt/nas', true],
  ['/mnt/nas/photos', true],
  ['/mnt/nasty', false],
  ['/mnt/nas/local/x', false],
  ['/mnt/my share/docs', true],
  ['/mnt/cloud/a', true],
  ['/mnt/stick/a', false],
  ['/mnt/odd/a', true],
])('%s on a network: %s', (path, expected) => {
  expect(isOnNetwork(path, () => table)).toBe(expected);
});

test('network shares are listed by mount point', () => {
  expect(networkMountPoints(() => table)).toEqual(['/mnt/nas', '/mnt/my share', '/mnt/cloud', '/mnt/odd']);
});

test('the deepest mount that contains the path is chosen', () => {
  expect(findMount('/mnt/nas/local/x', parseMounts(table))?.type).toBe('xfs');
  expect(isNetworkFileSystem('9p')).toBe(true);
});

test('policy auto computes only quick hashes on a network; small files get a content hash under any policy', () => {
  const ceiling = 1 << 30;
  const auto = (network: boolean) => hashRule('auto', { network, ceiling });
  expect(needsContentHash(300_000, auto(false))).toBe(true);
  expect(needsContentHash(300_000, auto(true))).toBe(false);
  expect(needsContentHash(196_608, auto(true))).toBe(true);
  expect(needsContentHash(300_000, hashRule('full', { network: true, ceiling }))).toBe(true);
  expect(needsContentHash(300_000, hashRule('quick_only', { network: false, ceiling }))).toBe(false);
  expect(needsContentHash(ceiling, auto(false))).toBe(true);
  expect(needsContentHash(ceiling + 1, auto(false))).toBe(false);
});

test.each([
  ['/home/x', true],
  ['/mnt/nas/local', true],
  ['/mnt/nas', false],
  ['/mnt/stick', false],
  // Something below it is not stable.
  ['/mnt', false],
  ['/', false],
])('inodes of %s are stable: %s', (path, expected) => {
  expect(hasStableIds(path, () => table)).toBe(expected);
});

test('a root changes when it or a mount below it is replaced, unmounted or mounted again; a new mount is no change', () => {
  const root = (device: string, inode: string, mounts: [string, string][]) => ({ device, inode, mounts: new Map(mounts) });
  const before = root('1', '2', [['/m', '30']]);
  expect(
    rootChange(
      before,
      root('1', '2', [
        ['/m', '30'],
        ['/m/new', '31'],
      ]),
    ),
  ).toBeNull();
  expect(rootChange(before, root('1', '3', [['/m', '30']]))).toContain('replaced');
  expect(rootChange(before, root('9', '2', []))).toBe('/m was unmounted');
  expect(rootChange(before, root('1', '2', [['/m', '44']]))).toBe('/m was mounted again');
});

test('a watch is replaced for disks that come or go below its root, but not for network drives or what is mounted on demand', () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'catalog-mounts-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const ignore = compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: ['left-out/'] }]);
  const base = '21 1 8:1 / / rw - ext4 /dev/sda1 rw';
  const disksWith = (...lines: string[]) => watchedDisks(root, ignore, () => [base, ...lines].join('\n'));
  const before = disksWith();
  expect(disksWith(`30 21 8:2 / ${root}/disk rw - ext4 /dev/sdb1 rw`)).not.toBe(before);
  expect(disksWith(`30 21 8:2 / ${root}/left-out/disk rw - ext4 /dev/sdb1 rw`)).toBe(before);
  expect(disksWith(`30 21 0:40 / ${root}/nas rw - nfs4 server:/export rw`)).toBe(before);
  const trigger = `30 21 0:41 / ${root}/stick rw - autofs systemd-1 rw`;
  expect(disksWith(trigger)).toBe(before);
  expect(disksWith(trigger, `31 30 8:3 / ${root}/stick rw - ext4 /dev/sdc1 rw`)).toBe(before);
});
