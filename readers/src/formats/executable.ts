import { ExtractError, type Extractor } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';

/** Facts that an executable format may state. */
interface ExecutableFacts {
  format: string;
  architecture?: string;
  bits?: number;
  type?: string;
  endianness?: string;
  [key: string]: unknown;
}

/** Returns undefined if the file has another format. */
type ExecutableReader = (file: FileBytes, head: Buffer) => ExecutableFacts | undefined;

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

/** ELF: architecture, word size and type. A shared object with a program interpreter is a position-independent executable. */
const readElf: ExecutableReader = (file, head) => {
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
    os: elfSystems[head.readUInt8(7)] ?? 'other',
    dynamic: programs.includes(2),
  };
};

/** The types of the program headers. Empty if they are outside the file. */
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

/** Mach-O: a single architecture, or several in a universal binary. */
const readMachO: ExecutableReader = (file, head) => {
  if (head.length < 32) return undefined;
  const signature = head.readUInt32BE(0);
  if (signature === 0xcafebabe || signature === 0xcafebabf) {
    const count = head.readUInt32BE(4);
    // A Java class has the same signature, followed by a version of at least 45.
    if (count === 0 || count > 30) return undefined;
    const step = signature === 0xcafebabf ? 32 : 20;
    const table = file.read(8, count * step);
    const architectures: string[] = [];
    for (let i = 0; (i + 1) * step <= table.length; i++) architectures.push(machOMachine(table.readUInt32BE(i * step)));
    return { format: 'mach-o', architecture: 'universal', architectures, type: 'universal' };
  }
  const little = signature === 0xcefaedfe || signature === 0xcffaedfe;
  if (!little && signature !== 0xfeedface && signature !== 0xfeedfacf) return undefined;
  const u32 = (at: number): number => (little ? head.readUInt32LE(at) : head.readUInt32BE(at));
  return {
    format: 'mach-o',
    architecture: machOMachine(u32(4)),
    bits: signature === 0xcffaedfe || signature === 0xfeedfacf ? 64 : 32,
    endianness: little ? 'little' : 'big',
    type: machOTypes[u32(12)] ?? 'other',
  };
};

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

/** Windows executables: the DOS header points to the PE header. Without a PE header the file is a DOS program. */
const readPe: ExecutableReader = (file, head) => {
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
  // Data directories follow the fixed part. Entry 4 is the signature, entry 14 the .NET header.
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
    // Reproducible builds store a hash in this field, so only plausible dates are reported.
    ...(stamp > 631_152_000 && stamp < Date.now() / 1000 ? { built: new Date(stamp * 1000).toISOString() } : {}),
  };
};

const wasm: ExecutableReader = (_file, head) =>
  head.readUInt32BE(0) === 0x0061736d
    ? { format: 'wasm', architecture: 'wasm32', version: head.readUInt16LE(4), type: head.readUInt16LE(6) === 0 ? 'module' : 'component' }
    : undefined;

/** Java classes and universal Mach-O binaries have the same signature and differ in the version field. */
const javaClass: ExecutableReader = (_file, head) => {
  if (head.readUInt32BE(0) !== 0xcafebabe || head.readUInt16BE(6) < 45) return undefined;
  const major = head.readUInt16BE(6);
  return {
    format: 'class',
    architecture: 'jvm',
    type: 'class',
    version: major,
    java_version: major >= 49 ? String(major - 44) : `1.${major - 44}`,
  };
};

const staticLibrary: ExecutableReader = (_file, head) =>
  head.toString('latin1', 0, 8) === '!<arch>\n' ? { format: 'ar', type: 'static library' } : undefined;

const pythonBytecode: ExecutableReader = (_file, head) =>
  head.readUInt16LE(2) === 0x0a0d && head.readUInt16LE(0) > 3000
    ? { format: 'pyc', type: 'bytecode', version: head.readUInt16LE(0) }
    : undefined;

const script: ExecutableReader = (_file, head) => {
  const line = /^#!\s*(\S{1,100})(?:[ \t]+(\S{1,60}))?/.exec(head.toString('latin1', 0, 200));
  if (!line) return undefined;
  const [, path = '', argument] = line;
  const program = path.endsWith('/env') && argument ? argument : path.replace(/^.*\//, '');
  return { format: 'script', type: 'script', interpreter: program };
};

const readers: readonly ExecutableReader[] = [readElf, readPe, readMachO, javaClass, wasm, staticLibrary, pythonBytecode, script];

/** Extensions used only for programs. Such a file is corrupt if no header is found. */
const programExtensions = new Set(['exe', 'dll', 'elf', 'wasm', 'class', 'dylib', 'efi', 'ocx']);

/** Executables and libraries: format, architecture and type. */
export const executable: Extractor = {
  name: 'executable',
  version: 1,
  text: false,
  extensions: [
    ...'exe dll sys scr ocx cpl drv efi so elf o ko axf out bin dylib bundle node pyd ax'.split(' '),
    ...['prx', 'class', 'pyc', 'pyo', 'wasm', 'a', 'lib', 'rlib', 'appimage', 'run', 'com', 'jnilib', 'macho'],
  ],
  tools: [],
  keys: [
    'executable',
    ...[
      'format',
      'architecture',
      'architectures',
      'bits',
      'type',
      'endianness',
      'version',
      'java_version',
      'interpreter',
      'dynamic',
      'stripped',
    ].map((key) => `executable.${key}`),
    ...['subsystem', 'built', 'dotnet', 'signed', 'os', 'product', 'company', 'file_version', 'description'].map(
      (key) => `executable.${key}`,
    ),
  ],
  read: (source) =>
    withFileBytes(source, (file) => {
      const head = file.read(0, 4096);
      if (head.length >= 8) {
        for (const reader of readers) {
          const facts = reader(file, head);
          if (facts) return { metadata: { executable: facts } };
        }
      }
      if (programExtensions.has(source.extension)) throw new ExtractError('corrupt', 'The program has no valid header.');
      return { metadata: { executable: { format: 'unknown' } } };
    }),
};
