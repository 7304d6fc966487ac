import { readFileSync } from 'node:fs';

/** File systems of disks in this machine. Anything else, and anything unknown, is treated as a network: slower, never wrong. */
const local = new Set(
  (
    'adfs affs aufs bcachefs befs bfs btrfs cramfs ecryptfs efivarfs erofs exfat ext2 ext3 ext4 f2fs fat fuseblk hfs hfsplus ' +
    'iso9660 jffs2 jfs minix msdos nilfs2 ntfs ntfs3 overlay ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs apfs'
  ).split(' '),
);
const localFuse = new Set(['ext2', 'ext4', 'ntfs', 'ntfs-3g', 'exfat', 'vfat', 'fuse-overlayfs', 'bindfs']);

export interface Mount {
  point: string;
  type: string;
}

/** Reads the kernel's mount table; octal escapes stand for blanks and backslashes. */
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

/** The file system a path lies on: the deepest mount above it; of two at one place the later hides the earlier. */
export function findMount(path: string, mounts: readonly Mount[]): Mount | null {
  let best: Mount | null = null;
  for (const mount of mounts) {
    const inside = mount.point === '/' || path === mount.point || path.startsWith(`${mount.point}/`);
    if (inside && (!best || mount.point.length >= best.point.length)) best = mount;
  }
  return best;
}

export function isNetworkFileSystem(type: string): boolean {
  if (type.startsWith('fuse.')) return !localFuse.has(type.slice(5));
  return !local.has(type);
}

const mountTable = (): string => readFileSync('/proc/self/mountinfo', 'utf8');

/** Is this path on a network file system? Platforms without a mount table answer no. */
export const isOnNetwork = (path: string, read: () => string = mountTable): boolean => createNetworkCheck(read)(path);

/** The same for many paths: the table is read once. */
export function createNetworkCheck(read: () => string = mountTable): (path: string) => boolean {
  if (process.platform !== 'linux') return () => false;
  try {
    const mounts = parseMounts(read());
    return (path) => {
      const mount = findMount(path, mounts);
      return mount === null || isNetworkFileSystem(mount.type);
    };
  } catch {
    return () => false;
  }
}

/** Where network file systems are mounted. Platforms without a mount table know of none. */
export function networkMountPoints(read: () => string = mountTable): string[] {
  if (process.platform !== 'linux') return [];
  try {
    return parseMounts(read())
      .filter(({ type }) => isNetworkFileSystem(type))
      .map(({ point }) => point);
  } catch {
    return [];
  }
}
