import type { ExecutableReader } from './facts.ts';

const elfMachines: Record<number, string> = {
  2: 'sparc',
  3: 'x86',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  42: 'sh',
  43: 'sparc64',
  50: 'ia64',
  62: 'x86_64',
  83: 'avr',
  94: 'xtensa',
  183: 'arm64',
  243: 'riscv',
  247: 'bpf',
  258: 'loongarch',
};
const elfTypes: Record<number, string> = { 1: 'object', 2: 'executable', 3: 'shared library', 4: 'core dump' };
const elfSystems: Record<number, string> = { 0: 'sysv', 2: 'netbsd', 3: 'linux', 6: 'solaris', 9: 'freebsd', 12: 'openbsd' };

/** ELF: machine, width and kind; a program interpreter makes a shared object a (position independent) program. */
export const readElf: ExecutableReader = (file, head) => {
  if (head.length < 64 || head.toString('latin1', 0, 4) !== '\x7fELF') return undefined;
  const wide = head[4] === 2;
  const little = head[5] !== 2;
  const u16 = (at: number): number => (little ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const programs = elfSegmentTypes(file, head, wide, little);
  const type = elfTypes[u16(16)] ?? 'other';
  const interpreted = programs.includes(3);
  return {
    format: 'elf',
    architecture: elfMachines[u16(18)] ?? `machine ${u16(18)}`,
    bits: wide ? 64 : 32,
    endianness: little ? 'little' : 'big',
    type: type === 'shared library' && interpreted ? 'executable' : type,
    os: elfSystems[head[7]!] ?? 'other',
    dynamic: programs.includes(2),
  };
};

/** The kinds of the program headers; none when they lie outside the file. */
function elfSegmentTypes(file: Parameters<ExecutableReader>[0], head: Buffer, wide: boolean, little: boolean): number[] {
  const offset = wide
    ? Number(little ? head.readBigUInt64LE(32) : head.readBigUInt64BE(32))
    : little
      ? head.readUInt32LE(28)
      : head.readUInt32BE(28);
  const at = wide ? 54 : 42;
  const size = little ? head.readUInt16LE(at) : head.readUInt16BE(at);
  const count = Math.min(64, little ? head.readUInt16LE(at + 2) : head.readUInt16BE(at + 2));
  const bytes = file.read(offset, size * count);
  const kinds: number[] = [];
  for (let i = 0; i < count && (i + 1) * size <= bytes.length && size >= 4; i++) {
    kinds.push(little ? bytes.readUInt32LE(i * size) : bytes.readUInt32BE(i * size));
  }
  return kinds;
}
