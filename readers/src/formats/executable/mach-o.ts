import type { ExecutableReader } from './facts.ts';

const machOMachines: Record<number, string> = {
  7: 'x86',
  16777223: 'x86_64',
  12: 'arm',
  16777228: 'arm64',
  33554444: 'arm64_32',
  18: 'ppc',
  16777234: 'ppc64',
};
const machOTypes: Record<number, string> = {
  1: 'object',
  2: 'executable',
  4: 'core dump',
  6: 'shared library',
  8: 'bundle',
  10: 'debug symbols',
  11: 'kernel extension',
};

const machOMachine = (machine: number): string => machOMachines[machine] ?? `machine ${machine}`;

/** Mach-O: one machine, or several in a fat file. */
export const readMachO: ExecutableReader = (file, head) => {
  if (head.length < 32) return undefined;
  const mark = head.readUInt32BE(0);
  if (mark === 0xcafebabe || mark === 0xcafebabf) {
    const count = head.readUInt32BE(4);
    // The same mark begins a Java class, where these bytes hold a version of at least 45.
    if (count === 0 || count > 30) return undefined;
    const step = mark === 0xcafebabf ? 32 : 20;
    const table = file.read(8, count * step);
    const architectures: string[] = [];
    for (let i = 0; (i + 1) * step <= table.length; i++) architectures.push(machOMachine(table.readUInt32BE(i * step)));
    return { format: 'mach-o', architecture: 'universal', architectures, type: 'universal' };
  }
  const little = mark === 0xcefaedfe || mark === 0xcffaedfe;
  if (!little && mark !== 0xfeedface && mark !== 0xfeedfacf) return undefined;
  const u32 = (at: number): number => (little ? head.readUInt32LE(at) : head.readUInt32BE(at));
  return {
    format: 'mach-o',
    architecture: machOMachine(u32(4)),
    bits: mark === 0xcffaedfe || mark === 0xfeedfacf ? 64 : 32,
    endianness: little ? 'little' : 'big',
    type: machOTypes[u32(12)] ?? 'other',
  };
};
