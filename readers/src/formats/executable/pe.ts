import type { ExecutableReader } from './facts.ts';

const peMachines: Record<number, string> = {
  332: 'x86',
  34404: 'x86_64',
  448: 'arm',
  452: 'arm',
  43620: 'arm64',
  512: 'ia64',
  3772: 'efi bytecode',
  20580: 'riscv',
};
const peSubsystems: Record<number, string> = {
  1: 'native',
  2: 'windows',
  3: 'console',
  9: 'windows ce',
  10: 'efi application',
  11: 'efi driver',
  12: 'efi driver',
  16: 'boot',
};

/** Windows programs: the DOS mark, then the PE header it points to. A DOS program without one is told as such. */
export const readPe: ExecutableReader = (file, head) => {
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') return undefined;
  const at = head.readUInt32LE(60);
  const pe = file.read(at, 24 + 240);
  if (pe.length < 26 || pe.toString('latin1', 0, 4) !== 'PE\0\0')
    return { format: 'mz', architecture: 'x86', bits: 16, type: 'dos program' };
  const flags = pe.readUInt16LE(22);
  const magic = pe.readUInt16LE(24);
  const wide = magic === 0x20b;
  const optional = pe.subarray(24, 24 + pe.readUInt16LE(20));
  const stamp = pe.readUInt32LE(8);
  // The directory entries begin after the fixed part; 4 is the signature, 14 the .NET header.
  const directories = wide ? 112 : 96;
  const entry = (index: number): boolean =>
    optional.length >= directories + index * 8 + 8 && optional.readUInt32LE(directories + index * 8 + 4) !== 0;
  const subsystem = optional.length >= 70 ? peSubsystems[optional.readUInt16LE(68)] : undefined;
  return {
    format: 'pe',
    architecture: peMachines[pe.readUInt16LE(4)] ?? `machine ${pe.readUInt16LE(4)}`,
    bits: wide ? 64 : 32,
    type: flags & 0x2000 ? 'shared library' : flags & 2 ? 'executable' : 'object',
    ...(subsystem ? { subsystem } : {}),
    dotnet: entry(14),
    signed: entry(4),
    // Reproducible builds put a hash where the time was; only believable years are told.
    ...(stamp > 631_152_000 && stamp < Date.now() / 1000 ? { built: new Date(stamp * 1000).toISOString() } : {}),
  };
};
