import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { Ignore } from './ignore/ignore.ts';
import { diskPath, pathText } from './walk/path-text.ts';

/** Types of local file systems. Any other type is treated as a network file system, which is slower but always correct. */
const localTypes = new Set(
  (
    'adfs affs aufs bcachefs befs bfs btrfs cramfs ecryptfs efivarfs erofs exfat ext2 ext3 ext4 f2fs fat fuseblk hfs hfsplus ' +
    'iso9660 jffs2 jfs minix msdos nilfs2 ntfs ntfs3 overlay ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs apfs'
  ).split(' '),
);
const localFuseTypes = new Set(['ext2', 'ext4', 'ntfs', 'ntfs-3g', 'exfat', 'vfat', 'fuse-overlayfs', 'bindfs']);

/** Types of local file systems whose inode numbers and inode change times stay the same across remounts. */
const stableTypes = new Set(
  'apfs bcachefs btrfs ext2 ext3 ext4 f2fs hfsplus jfs nilfs2 ntfs3 overlay ramfs reiserfs tmpfs ufs xfs zfs'.split(' '),
);

interface Mount {
  /** Changes when something is unmounted and mounted again at the same point. */
  id: string;
  point: string;
  type: string;
}

/** Parses /proc/self/mountinfo, in which spaces and backslashes are octal escapes. */
export function parseMounts(mountinfo: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of mountinfo.split('\n')) {
    const dash = line.indexOf(' - ');
    if (dash === -1) continue;
    const [id, , , , point] = line.split(' ');
    const type = line.slice(dash + 3).split(' ')[0];
    if (id && point && type)
      mounts.push({
        id,
        point: point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
        type,
      });
  }
  return mounts;
}

/** Returns the deepest mount that contains the path. Of two mounts at one point, the later hides the earlier. */
export function findMount(path: string, mounts: readonly Mount[]): Mount | null {
  let best: Mount | null = null;
  for (const mount of mounts) {
    const inside = mount.point === '/' || path === mount.point || path.startsWith(`${mount.point}/`);
    if (inside && (!best || mount.point.length >= best.point.length)) best = mount;
  }
  return best;
}

export function isNetworkFileSystem(type: string): boolean {
  if (type.startsWith('fuse.')) return !localFuseTypes.has(type.slice(5));
  return !localTypes.has(type);
}

const mountTable = (): string => readFileSync('/proc/self/mountinfo', 'utf8');

/** Whether a path is on a network file system; always false on platforms without a mount table. */
export const isOnNetwork = (path: string, read: () => string = mountTable): boolean => createNetworkCheck(read)(path);

/** Like isOnNetwork for many paths: reads the mount table once. */
export function createNetworkCheck(read: () => string = mountTable): (path: string) => boolean {
  if (process.platform !== 'linux') return () => false;
  try {
    const mounts = parseMounts(read());
    return (path) => {
      const mount = findMount(path, mounts);
      return mount === null || isNetworkFileSystem(mount.type);
    };
  } catch {
    // Without /proc the mount table cannot be read; every path then counts as local.
    return () => false;
  }
}

/** The type of the file system that a path is on, such as `ext4`; '' when it is not known. */
export const fileSystemType = (path: string, read: () => string = mountTable): string =>
  findMount(resolveLinks(path), readMounts(read))?.type ?? '';

/** The mount points of all network file systems; empty on platforms without a mount table. */
export function networkMountPoints(read: () => string = mountTable): string[] {
  if (process.platform !== 'linux') return [];
  try {
    return parseMounts(read())
      .filter(({ type }) => isNetworkFileSystem(type))
      .map(({ point }) => point);
  } catch {
    // Without /proc no mount is known.
    return [];
  }
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** The path without symlinks, because mount points have none; unchanged when it does not exist. */
function resolveLinks(path: string): string {
  try {
    return pathText(realpathSync(diskPath(path), 'buffer'));
  } catch {
    return path;
  }
}

function readMounts(read: () => string): Mount[] {
  if (process.platform !== 'linux') return [];
  try {
    return parseMounts(read());
  } catch {
    // Without /proc no mount is known.
    return [];
  }
}

/**
 * Whether inodes and inode change times identify a file below this path from one scan to the next. FAT, network and most FUSE file systems
 * invent inode numbers at every mount, so the answer is no when the path or anything mounted below it is on such a file system.
 */
export function hasStableIds(path: string, read: () => string = mountTable): boolean {
  const mounts = readMounts(read);
  const real = resolveLinks(path);
  const own = findMount(real, mounts);
  return own !== null && [own, ...mounts.filter(({ point }) => isBelow(point, real))].every(({ type }) => stableTypes.has(type));
}

/** What a folder is at this moment: its device and inode, and the mounts it and the folders below it are on. */
export interface RootIdentity {
  device: string;
  inode: string;
  /** Mount ids by mount point. */
  mounts: ReadonlyMap<string, string>;
}

/** Throws a system error when the folder does not exist or cannot be read. */
export function readRootIdentity(root: string, read: () => string = mountTable): RootIdentity {
  const stats = statSync(diskPath(root), { bigint: true });
  if (!stats.isDirectory()) throw Object.assign(new Error(`${root} is not a folder.`), { code: 'ENOTDIR' });
  const mounts = readMounts(read);
  const real = resolveLinks(root);
  const own = findMount(real, mounts);
  const held = mounts.filter((mount) => mount === own || isBelow(mount.point, real));
  return { device: String(stats.dev), inode: String(stats.ino), mounts: new Map(held.map(({ point, id }) => [point, id])) };
}

/** Describes how a root changed: what was there before is unmounted, mounted again or replaced. Null when it is the same. */
export function rootChange(before: RootIdentity, now: RootIdentity): string | null {
  for (const [point, id] of before.mounts)
    if (now.mounts.get(point) !== id) return `${point} was ${now.mounts.has(point) ? 'mounted again' : 'unmounted'}`;
  return before.device === now.device && before.inode === now.inode ? null : 'the folder was replaced by another one';
}

/**
 * The folders below this one on which a disk is mounted, relative to it, with the id of each mount. Network drives and what is mounted on
 * demand are left out: they report no changes, or come and go because somebody looks.
 */
export function disksBelow(root: string, read: () => string = mountTable): Map<string, string> {
  const mounts = readMounts(read);
  const real = resolveLinks(root);
  const isOfOther = (at: string): boolean =>
    mounts.some(({ point, type }) => (point === at && isNetworkFileSystem(type)) || (type === 'autofs' && isBelow(at, point)));
  const start = real === '/' ? 1 : real.length + 1;
  return new Map(mounts.filter(({ point }) => isBelow(point, real) && !isOfOther(point)).map(({ point, id }) => [point.slice(start), id]));
}

/**
 * Identifies a root that is watched and the disks mounted in its folders that are not excluded. A watch is lost with the disk it is on, so it
 * is to be replaced when this differs. The system error code when the root does not exist or cannot be read.
 */
export function watchedDisks(root: string, ignore: Ignore, read: () => string = mountTable): string {
  try {
    const { device, inode } = readRootIdentity(root, read);
    const own = findMount(resolveLinks(root), readMounts(read))?.id;
    return JSON.stringify([device, inode, own, [...disksBelow(root, read)].filter(([at]) => !ignore.decideFromTop(at, true)?.excluded)]);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
