import { ExtractError, type Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readElf } from './elf.ts';
import type { ExecutableReader } from './facts.ts';
import { readMachO } from './mach-o.ts';
import { readPe } from './pe.ts';

const wasm: ExecutableReader = (_file, head) =>
  head.readUInt32BE(0) === 0x0061736d
    ? { format: 'wasm', architecture: 'wasm32', version: head.readUInt16LE(4), type: head.readUInt16LE(6) === 0 ? 'module' : 'component' }
    : undefined;

/** A class file shares its mark with fat Mach-O files; their versions tell them apart. */
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
  const program = line[1]!.endsWith('/env') && line[2] ? line[2] : line[1]!.replace(/^.*\//, '');
  return { format: 'script', type: 'script', interpreter: program };
};

const readers: readonly ExecutableReader[] = [readElf, readPe, readMachO, javaClass, wasm, staticLibrary, pythonBytecode, script];

/** Endings that only ever mean a program: without a known header such a file is damaged. */
const programExtensions = new Set(['exe', 'dll', 'elf', 'wasm', 'class', 'dylib', 'efi', 'ocx']);

/** Programs and libraries: for which machine they are made. */
export const executable: Extractor = {
  name: 'executable',
  version: 1,
  extensions: [
    ...[
      'exe',
      'dll',
      'sys',
      'scr',
      'ocx',
      'cpl',
      'drv',
      'efi',
      'so',
      'elf',
      'o',
      'ko',
      'axf',
      'out',
      'bin',
      'dylib',
      'bundle',
      'node',
      'pyd',
      'ax',
    ],
    ...['prx', 'class', 'pyc', 'pyo', 'wasm', 'a', 'lib', 'rlib', 'appimage', 'run', 'com'],
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
      if (programExtensions.has(source.extension)) throw new ExtractError('corrupt', 'The header of the program is missing.');
      return { metadata: { executable: { format: 'unknown' } } };
    }),
};
