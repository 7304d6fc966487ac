import { afterAll, expect, it } from 'vitest';
import { openSampleFolder } from '../../test/samples/source.ts';
import { makeElf, makeMachO, makePe } from '../../test/samples/system-files.ts';
import { executable } from './executable.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const factsOf = async (name: string, bytes: Buffer | string) => (await executable.read(samples.source(name, bytes))).metadata['executable'];

it('reads the architecture of programs and libraries', async () => {
  expect(await factsOf('a.elf', makeElf())).toMatchObject({ format: 'elf', architecture: 'x86_64', bits: 64, type: 'executable' });
  expect(await factsOf('a.so', makeElf(183, 3, false))).toMatchObject({ architecture: 'arm64', type: 'shared library', dynamic: false });
  expect(await factsOf('a.exe', makePe())).toMatchObject({
    format: 'pe',
    architecture: 'x86_64',
    bits: 64,
    type: 'executable',
    subsystem: 'console',
    built: '2020-09-13T12:26:40.000Z',
  });
  expect(await factsOf('a.dll', makePe(0x14c, true))).toMatchObject({
    architecture: 'x86',
    bits: 32,
    type: 'shared library',
    dotnet: false,
  });
  expect(await factsOf('a.dylib', makeMachO())).toMatchObject({
    format: 'mach-o',
    architecture: 'arm64',
    bits: 64,
    type: 'shared library',
  });
});

it('distinguishes Java classes from universal binaries, which have the same signature', async () => {
  expect(await factsOf('A.class', Buffer.from('cafebabe00000041000000000000000000000000', 'hex'))).toMatchObject({
    format: 'class',
    java_version: '21',
  });
  const fat = Buffer.alloc(64);
  fat.write('cafebabe00000002', 0, 'hex');
  fat.writeUInt32BE(0x01000007, 8);
  fat.writeUInt32BE(0x0100000c, 28);
  expect(await factsOf('tool.bundle', fat)).toMatchObject({ format: 'mach-o', architectures: ['x86_64', 'arm64'] });
});

it('detects WebAssembly modules, static libraries and scripts', async () => {
  expect(await factsOf('a.wasm', Buffer.from('0061736d01000000', 'hex'))).toMatchObject({ format: 'wasm', type: 'module', version: 1 });
  expect(await factsOf('a.lib', '!<arch>\n123456789')).toMatchObject({ format: 'ar', type: 'static library' });
  expect(await factsOf('a.run', '#!/usr/bin/env python3 -u\n')).toMatchObject({ format: 'script', interpreter: 'python3' });
});

it('rejects a program without a header as corrupt and reports other binaries as unknown', async () => {
  await expect(executable.read(samples.source('x.exe', Buffer.alloc(100)))).rejects.toMatchObject({ kind: 'corrupt' });
  await expect(executable.read(samples.source('y.dll', 'MZ'))).rejects.toMatchObject({ kind: 'corrupt' });
  expect(await factsOf('firmware.bin', Buffer.alloc(100, 9))).toEqual({ format: 'unknown' });
});

it('reads every truncated or modified header or rejects it as corrupt', async () => {
  for (const [name, whole] of [
    ['a.elf', makeElf()],
    ['a.exe', makePe()],
    ['a.dylib', makeMachO()],
  ] as const) {
    for (let i = 0; i < whole.length; i += 11) {
      const flipped = Buffer.from(whole);
      flipped[i] = flipped[i]! ^ 0xff;
      for (const bytes of [flipped, whole.subarray(0, i)]) {
        await executable.read(samples.source(name, bytes)).catch((error: unknown) => expect(error).toMatchObject({ kind: 'corrupt' }));
      }
    }
  }
});
