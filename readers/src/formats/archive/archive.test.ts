import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCpio, makeOverlappingZip, makeRar, makeTar, makeZip } from '../../../test/samples/archives.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { packedFile } from './compressed-file.ts';
import { sevenZipArchive } from './seven-zip.ts';
import { tarArchive } from './tar.ts';
import { zipArchive } from './zip.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const three = [
  { name: 'readme.txt', data: 'hello' },
  { name: 'photos/', data: '' },
  { name: 'photos/sun.jpg', data: Buffer.alloc(5000, 7) },
  { name: 'inner.zip', data: 'PK' },
];

interface ArchiveFacts {
  member_count: number;
  folder_count: number;
  total_uncompressed: number;
  members: { name: string; size: number }[];
  truncated: boolean;
  format: string;
  encrypted: boolean;
  nested: boolean;
  unsafe_names: number;
}
const facts = (extracted: { metadata: Record<string, unknown> }): ArchiveFacts => extracted.metadata['archive'] as ArchiveFacts;

describe('zip', () => {
  it('lists members with sizes, counts folders separately and detects nested archives', async () => {
    const extracted = await zipArchive.read(samples.source('a.zip', makeZip(three)));
    expect(facts(extracted)).toMatchObject({ format: 'zip', member_count: 3, folder_count: 1, total_uncompressed: 5007, nested: true });
    expect(facts(extracted).members[1]).toEqual({ name: 'photos/sun.jpg', size: 5000 });
    expect(extracted.archiveMembers?.split('\n')).toEqual(['readme.txt', 'photos/sun.jpg', 'inner.zip']);
  });

  it('reads zip64 records and archives with leading data', async () => {
    const big = await zipArchive.read(samples.source('big.zip', makeZip(three, { zip64: true })));
    expect(facts(big)).toMatchObject({ member_count: 3, total_uncompressed: 5007 });
    const shifted = await zipArchive.read(samples.source('setup.zip', makeZip(three, { before: Buffer.alloc(777, 1) })));
    expect(facts(shifted).member_count).toBe(3);
  });

  it('stops at the member limit and reports the list as truncated', async () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ name: `file-${i}`, data: 'x' }));
    const extracted = await zipArchive.read(samples.source('many.zip', makeZip(many), { limits: { archiveMaxMembers: 20 } }));
    expect(facts(extracted)).toMatchObject({ member_count: 20, truncated: true });
  });

  it('stores at most 1000 members in the metadata but counts all', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => ({ name: `file-${i}`, data: '' }));
    const extracted = await zipArchive.read(samples.source('thousands.zip', makeZip(many)));
    expect(facts(extracted).member_count).toBe(1500);
    expect(facts(extracted).members).toHaveLength(1000);
  });

  it('reports names with .., absolute paths and NUL as text and counts them as unsafe', async () => {
    const names = ['../../etc/passwd', '/abs', 'C:\\x', 'a\0b.txt', 'line\nbreak'];
    const extracted = await zipArchive.read(samples.source('evil.zip', makeZip(names.map((name) => ({ name, data: '1' })))));
    expect(facts(extracted).unsafe_names).toBe(4);
    expect(extracted.archiveMembers).toBe('../../etc/passwd\n/abs\nC:/x\na b.txt\nline break');
  });

  it('reports a 7z archive whose list of members is encrypted', async () => {
    const header = Buffer.concat([Buffer.from([0x17, 6, 0x10, 1, 9, 0x70, 0, 7, 0xb, 1, 0, 1, 0x24]), Buffer.from('06f107010a53', 'hex')]);
    const start = Buffer.concat([Buffer.from("7z\xbc\xaf'\x1c\0\x04", 'latin1'), Buffer.alloc(24)]);
    start.writeBigUInt64LE(112n, 12);
    start.writeBigUInt64LE(BigInt(header.length), 20);
    const bytes = Buffer.concat([start, Buffer.alloc(112), header]);
    expect(facts(await sevenZipArchive.read(samples.source('locked.7z', bytes))).encrypted).toBe(true);
  });

  it('reports encrypted members', async () => {
    const extracted = await zipArchive.read(samples.source('locked.zip', makeZip([{ name: 'a', data: 'x', encrypted: true }])));
    expect(facts(extracted).encrypted).toBe(true);
  });

  it('rejects a flat bomb, a false size and overlapping members as guards', async () => {
    const flat = makeZip(Array.from({ length: 20 }, (_, i) => ({ name: `zero-${i}`, data: Buffer.alloc(1 << 20) })));
    const lying = makeZip([{ name: 'x', data: 'y', declaredSize: 4_000_000_000 }]);
    for (const bytes of [flat, lying, makeOverlappingZip(30)]) {
      await expect(zipArchive.read(samples.source('bomb.zip', bytes))).rejects.toMatchObject({ kind: 'guard' });
    }
  });

  it('rejects truncated and other files as corrupt', async () => {
    const whole = makeZip(three);
    for (const bytes of [
      whole.subarray(0, whole.length - 30),
      Buffer.alloc(0),
      Buffer.from('not a zip at all'),
      makeZip(three, { declaredCount: 900 }),
    ]) {
      await expect(zipArchive.read(samples.source('cut.zip', bytes))).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

describe('tar', () => {
  const members = [
    { name: 'docs/', type: '5' },
    { name: 'docs/a.txt', data: 'alpha' },
    { name: `${'long/'.repeat(40)}name.txt`, data: Buffer.alloc(1500, 1) },
  ];

  it.each([
    ['plain.tar', makeTar(members)],
    ['pax.tar', makeTar(members, { longNames: 'pax' })],
    ['a.tar.gz', gzipSync(makeTar(members))],
    ['a.tgz', gzipSync(makeTar(members, { longNames: 'pax' }))],
    ['a.tar.zst', zstdCompressSync(makeTar(members))],
    ['a.tar.br', brotliCompressSync(makeTar(members))],
  ])('lists %s with long names', async (name, bytes) => {
    const extracted = await tarArchive.read(samples.source(name, bytes));
    expect(facts(extracted)).toMatchObject({ format: 'tar', member_count: 2, folder_count: 1, total_uncompressed: 1505, truncated: false });
    expect(facts(extracted).members[1]?.name).toBe(`${'long/'.repeat(40)}name.txt`);
  });

  it.for(['gnu', 'posix'])('lists sparse files with the size and name that they have when unpacked (%s)', async (format, { skip }) => {
    const image = join(samples.folder, 'disk.img');
    const file = openSync(image, 'w');
    // So many holes that the map of a GNU archive needs further blocks.
    for (let n = 1; n <= 40; n++) writeSync(file, Buffer.alloc(4096, n), 0, 4096, n * 200_704);
    ftruncateSync(file, 9_000_000);
    closeSync(file);
    writeFileSync(join(samples.folder, 'after.txt'), 'after');
    const args = ['-S', `--format=${format}`, '-C', samples.folder, '-cf', '-', 'disk.img', 'after.txt'];
    const { status, stdout } = spawnSync('tar', args, { maxBuffer: 1e8 });
    if (status !== 0 || stdout.length > 1_000_000) return skip('tar cannot write sparse files here');
    for (const [name, bytes] of [
      ['sparse.tar', stdout],
      ['sparse.tar.gz', gzipSync(stdout)],
    ] as const)
      expect(facts(await tarArchive.read(samples.source(name, bytes))).members, name).toEqual([
        { name: 'disk.img', size: 9_000_000 },
        { name: 'after.txt', size: 5 },
      ]);
  });

  it('lists a compressed tar whose members span chunks', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ name: `f${i}`, data: Buffer.alloc(i % 1300, i) }));
    const extracted = await tarArchive.read(samples.source('many.tar.gz', gzipSync(makeTar(many))));
    expect(facts(extracted).member_count).toBe(3000);
    expect(facts(extracted).total_uncompressed).toBe(many.reduce((sum, m) => sum + m.data.length, 0));
  });

  it('rejects a plain tar with a huge member without reading its body', async () => {
    const bytes = makeTar([{ name: 'big', declaredSize: 9_000_000_000_000 }]);
    await expect(tarArchive.read(samples.source('huge.tar', bytes))).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('rejects a compressed bomb as a guard', async () => {
    const bomb = gzipSync(makeTar([{ name: 'zeroes', data: Buffer.alloc(40 << 20) }]), { level: 9 });
    await expect(tarArchive.read(samples.source('bomb.tar.gz', bomb))).rejects.toMatchObject({ kind: 'guard' });
  });

  it('truncates the list at the byte limit when the ratio is allowed', async () => {
    const noise = Buffer.from(Array.from({ length: 3 << 20 }, (_, i) => (i * 2654435761) >>> 13));
    const bytes = gzipSync(
      makeTar([
        { name: 'a', data: noise },
        { name: 'b', data: noise },
      ]),
      { level: 1 },
    );
    const extracted = await tarArchive.read(samples.source('long.tar.gz', bytes, { limits: { decompressedMaxBytes: 4 << 20 } }));
    expect(facts(extracted)).toMatchObject({ truncated: true });
    expect(facts(extracted).member_count).toBeGreaterThan(0);
  });

  it('rejects a bad checksum, a truncated body and other files as corrupt', async () => {
    const good = makeTar(members);
    const flipped = Buffer.from(good);
    flipped[3] = flipped[3]! ^ 1;
    const cut = gzipSync(good.subarray(0, 1800));
    for (const [name, bytes] of [
      ['f.tar', flipped],
      ['c.tar.gz', cut],
      ['g.tar.gz', gzipSync(good).subarray(0, 100)],
      ['t.tar', Buffer.from('hi')],
    ] as const) {
      await expect(tarArchive.read(samples.source(name, bytes))).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

describe('compressed files', () => {
  it('reports the decompressed size and the name without its extension', async () => {
    const extracted = await packedFile.read(samples.source('notes.txt.gz', gzipSync('x'.repeat(12345))));
    expect(facts(extracted)).toMatchObject({ format: 'gz', member_count: 1, members: [{ name: 'notes.txt', size: 12345 }] });
  });

  it('lists a tar in a file named only .gz', async () => {
    const extracted = await packedFile.read(samples.source('backup.gz', gzipSync(makeTar(three))));
    expect(facts(extracted)).toMatchObject({ format: 'tar', member_count: 3 });
  });

  it('rejects a gzip bomb as a guard and damaged data as corrupt', async () => {
    await expect(packedFile.read(samples.source('b.gz', gzipSync(Buffer.alloc(30 << 20))))).rejects.toMatchObject({ kind: 'guard' });
    await expect(packedFile.read(samples.source('c.gz', Buffer.from('1f8b0800000000000003ffffffff', 'hex')))).rejects.toMatchObject({
      kind: 'corrupt',
    });
    await expect(packedFile.read(samples.source('c.xz', 'no xz here'))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('formats read through 7-Zip', () => {
  const two = [
    { name: 'a.txt', data: 'alpha' },
    { name: 'sub/b.txt', data: 'beta!!' },
  ];
  it.each([
    ['a.rar', makeRar(two), 'rar5'],
    ['a.cpio', makeCpio(two), 'cpio'],
  ])('lists %s', async (name, bytes, format) => {
    const extracted = await sevenZipArchive.read(samples.source(name, bytes));
    expect(facts(extracted)).toMatchObject({ format, member_count: 2, total_uncompressed: 11 });
    expect(extracted.archiveMembers).toBe('a.txt\nsub/b.txt');
  });

  it('stops at the member limit', async () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ name: `f${i}`, data: 'x' }));
    const extracted = await sevenZipArchive.read(samples.source('m.cpio', makeCpio(many), { limits: { archiveMaxMembers: 25 } }));
    expect(facts(extracted)).toMatchObject({ member_count: 25, truncated: true });
  });

  it('rejects files it cannot open as corrupt', async () => {
    await expect(sevenZipArchive.read(samples.source('x.7z', Buffer.alloc(500, 3)))).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(sevenZipArchive.read(samples.source('y.rar', makeRar(two).subarray(0, 40)))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
