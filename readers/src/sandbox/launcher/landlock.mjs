/**
 * Landlock: the process and everything it starts may open only what is listed here, use no TCP, and signal nobody outside. It needs no
 * privileges, so it also works in containers. Rights that an older kernel does not know are left out.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { c, must } from './libc.mjs';
import { isBelow } from './view.mjs';

const [createRuleset, addRule, restrictSelf] = [444, 445, 446];
const right = { execute: 1, writeFile: 2, readFile: 4, readDir: 8, truncate: 1 << 14, ioctl: 1 << 15 };
/** Rights that a rule for a single file may have. */
const ofFiles = right.execute | right.writeFile | right.readFile | right.truncate | right.ioctl;
const devices = (1 << 6) | (1 << 11);
const read = right.readFile | right.readDir;
const granted = {
  program: read | right.execute,
  library: read,
  device: read | right.writeFile | right.ioctl,
};

/** The version of the kernel's interface. Throws where Landlock is missing or switched off. */
function landlockVersion() {
  return must('landlock_create_ruleset', c.syscall(createRuleset, 'void *', null, 'size_t', 0, 'uint32_t', 1));
}

export function restrictFiles({ entries, scratch, covered, ownProcesses }) {
  const version = landlockVersion();
  const known = [0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff][Math.min(version, 5) - 1];
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(known), 0);
  // TCP bind and connect since version 4; abstract sockets and signals since version 6.
  attributes.writeBigUInt64LE(version >= 4 ? 3n : 0n, 8);
  attributes.writeBigUInt64LE(version >= 6 ? 3n : 0n, 16);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const ruleset = must('landlock_create_ruleset', c.syscall(createRuleset, 'void *', attributes, 'size_t', size, 'uint32_t', 0));

  const allow = (path, rights) => {
    let handle;
    try {
      handle = openSync(path, 0o10000000);
    } catch (error) {
      // What vanished or may not be entered stays forbidden.
      if (['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP'].includes(error.code)) return;
      throw error;
    }
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(BigInt(rights & known & (fstatSync(handle).isDirectory() ? 0xffff : ofFiles)), 0);
    rule.writeInt32LE(handle, 8);
    must(`landlock_add_rule ${path}`, c.syscall(addRule, 'int', ruleset, 'int', 1, 'void *', rule, 'uint32_t', 0));
    closeSync(handle);
  };

  // A rule holds for a whole tree, so hidden folders are left out by granting their siblings. In the view they are covered already.
  const hidden = covered ? [] : entries.filter(({ kind }) => kind === 'hide').map(({ path }) => path);
  const allowAround = (path, rights) => {
    if (hidden.includes(path)) return;
    if (!hidden.some((other) => isBelow(other, path))) return allow(path, rights);
    for (const name of readdirSync(path)) allowAround(join(path, name), rights);
  };
  for (const { path, kind } of entries) if (kind !== 'hide') allowAround(path, granted[kind]);
  allow(scratch, known & ~right.execute & ~devices);
  for (const path of ownProcesses ? ['/proc'] : ['/proc/self', '/proc/meminfo', '/proc/cpuinfo']) if (existsSync(path)) allow(path, read);
  must('landlock_restrict_self', c.syscall(restrictSelf, 'int', ruleset, 'uint32_t', 0));
}
