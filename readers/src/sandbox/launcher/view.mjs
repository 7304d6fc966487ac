/** The view of the file system: a new root in the process's own mount namespace. */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { c, must } from './libc.mjs';
import { numbers } from './seccomp.mjs';

const flag = {
  rdonly: 1,
  nosuid: 2,
  nodev: 4,
  noexec: 8,
  remount: 32,
  noatime: 1024,
  nodiratime: 2048,
  bind: 4096,
  rec: 16384,
  relatime: 1 << 21,
};
const quiet = flag.nosuid | flag.nodev | flag.noexec;
const mount = (source, target, type, flags, data = null) => must(`mount ${target}`, c.mount(source, target, type, flags, data));
export const isBelow = (path, folder) => path === folder || folder === '/' || path.startsWith(`${folder}/`);

/**
 * Makes a tree that holds nothing but `entries` the root. An entry decides for everything below it until a deeper one: `hide` covers a
 * folder, the other kinds show it. All is read-only except the scratch folder, which is a tmpfs of limited size.
 */
export function enterView({ root, entries, scratch, scratchBytes, owner, ownProcesses }) {
  mount('view', root, 'tmpfs', flag.nosuid | flag.nodev, 'mode=755,size=4m');
  const devices = new Set();
  const done = [];
  for (const { path, kind } of [...entries].sort((a, b) => a.path.length - b.path.length)) {
    const above = done.findLast((entry) => isBelow(path, entry.path));
    const shown = above !== undefined && above.kind !== 'hide';
    if (kind === 'hide' ? !shown : shown) continue;
    const target = path === '/' ? root : root + path;
    if (kind === 'hide') mount('hidden', target, 'tmpfs', quiet, 'mode=755,size=1m');
    else if (kind === 'program' && lstatSync(path).isSymbolicLink()) {
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(readlinkSync(path), target);
    } else {
      makeMountPoint(path, target);
      mount(path, target, null, flag.bind | flag.rec);
      if (kind === 'device') devices.add(target);
    }
    done.push({ path, kind });
  }
  for (const folder of ['/proc', scratch]) mkdirSync(root + folder, { recursive: true });
  showProcesses(`${root}/proc`, ownProcesses);
  makeReadOnly(root, devices);
  const limits = `size=${scratchBytes},nr_inodes=16384,mode=700,uid=${owner.uid},gid=${owner.gid}`;
  mount('scratch', root + scratch, 'tmpfs', quiet, limits);
  process.chdir(root);
  // The old root is stacked on the new one and then detached, so that nothing of it can be reached.
  must('pivot_root', c.syscall(numbers.pivot_root, 'str', '.', 'str', '.'));
  must('umount2', c.umount2('.', 2));
}

function makeMountPoint(path, target) {
  if (isFolder(path)) return mkdirSync(target, { recursive: true });
  mkdirSync(dirname(target), { recursive: true });
  return writeFileSync(target, '', { flag: 'a' });
}

function isFolder(path) {
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
    return true;
  } catch {
    // A file, or a folder that may not be listed; the mount then fails and says so.
    return false;
  }
}

/** Some containers forbid a new /proc; an empty folder shows no process either. */
function showProcesses(target, own) {
  if (own && c.mount('proc', target, 'proc', quiet, null) === 0) return;
  mount('hidden', target, 'tmpfs', quiet, 'mode=755,size=4k');
}

/** Every mount of the tree, also those below a library's folder. One that cannot be made read-only is left out. */
function makeReadOnly(root, devices) {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n');
  for (const line of mounts.reverse()) {
    const [, , , , escaped, options] = line.split(' ');
    const point = escaped.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
    if (!isBelow(point, root)) continue;
    // Inside a user namespace a mount must keep the flags it was given outside.
    const kept = options.split(',').reduce((flags, option) => flags | (option === 'ro' ? 0 : (flag[option] ?? 0)), 0);
    const flags = flag.remount | flag.bind | flag.rdonly | flag.nosuid | (devices.has(point) ? 0 : flag.nodev) | kept;
    if (c.mount(null, point, null, flags, null) !== 0) must(`umount ${point}`, c.umount2(point, 2));
  }
}
