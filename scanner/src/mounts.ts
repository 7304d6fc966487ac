import { readFileSync } from 'node:fs';

/** Types of local file systems. Any other type is treated as a network file system, which is slower but always correct. */
const localTypes = new Set(
  (
    'adfs affs aufs bcachefs befs bfs btrfs cramfs ecryptfs efivarfs erofs exfat ext2 ext3 ext4 f2fs fat fuseblk hfs hfsplus ' +
    'iso9660 jffs2 jfs minix msdos nilfs2 ntfs ntfs3 overlay ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs apfs'
  ).split(' '),
);
const localFuseTypes = new Set(['ext2', 'ext4', 'ntfs', 'ntfs-3g', 'exfat', 'vfat', 'fuse-overlayfs', 'bindfs']);

interface Mount {
  point: string;
  type: string;
}

/** Parses /proc/self/mountinfo, in which spaces and backslashes are octal escapes. */
export function parseMounts(mountinfo: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of mountinfo.split('\n')) {
    const dash = line.indexOf(' - ');
    if (dash === -1) continue;
    const point = line.split(' ')[4];
    const type = line.slice(dash + 3).split(' ')[0];
    if (point && type)
      mounts.push({ point: point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))), type });
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
