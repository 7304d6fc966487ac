import { afterAll, expect, it } from 'vitest';
import {
  asDynamicVhd,
  asFixedVhd,
  asQcow2,
  asVdi,
  asVmdk,
  makeExtImage,
  makeIso,
  makeQcow2,
  makeRawDisk,
  makeVhd,
  makeVmdk,
} from '../../../test/samples/disk-images.ts';
import { makeVhdx } from '../../../test/samples/old-formats.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { diskImage } from './disk-image.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const factsOf = async (name: string, bytes: Buffer) => (await diskImage.read(samples.source(name, bytes))).metadata['disk_image'];

it('reads the volume label of an ISO image and lists its files', async () => {
  const bytes = makeIso('HOLIDAY_2024', [
    { name: 'a.txt', data: 'alpha' },
    { name: 'b.txt', data: 'beta' },
  ]);
  const extracted = await diskImage.read(samples.source('disc.iso', bytes));
  expect(extracted.title).toBe('HOLIDAY_2024');
  expect(extracted.metadata['disk_image']).toMatchObject({
    format: 'iso',
    label: 'HOLIDAY_2024',
    system: 'LINUX',
    publisher: 'A PUBLISHER',
    created: '2024-05-06T07:08:09',
  });
  expect(extracted.metadata['archive']).toMatchObject({ format: 'iso', member_count: 2, total_uncompressed: 9 });
  expect(extracted.archiveMembers).toBe('A.TXT\nB.TXT');
});

it('reads the virtual size', async () => {
  expect(await factsOf('a.qcow2', makeQcow2(64 * 2 ** 30))).toEqual({
    format: 'qcow2',
    version: 3,
    virtual_size: 64 * 2 ** 30,
    encrypted: false,
    backing_file: false,
  });
  expect(await factsOf('a.vhd', makeVhd(2 ** 30))).toMatchObject({
    format: 'vhd',
    virtual_size: 2 ** 30,
    disk_type: 'dynamic',
    creator: 'win',
  });
  expect(await factsOf('a.vmdk', makeVmdk(2048))).toEqual({
    format: 'vmdk',
    virtual_size: 1_048_576,
    disk_type: 'monolithicSparse',
    backing_file: false,
  });
});

it('reads file system and label of a raw image', async () => {
  expect(await factsOf('card.img', makeExtImage('rootfs'))).toEqual({ format: 'raw', filesystem: 'ext', label: 'rootfs' });
  expect(await factsOf('noise.img', Buffer.alloc(4096, 0x5b))).toEqual({ format: 'raw' });
});

it.each([
  ['a.img', (disk: Buffer) => disk],
  ['fixed.vhd', asFixedVhd],
  ['dynamic.vhd', asDynamicVhd],
  ['a.vdi', asVdi],
  ['a.vmdk', asVmdk],
  ['a.qcow2', asQcow2],
  ['a.vhdx', (disk: Buffer) => makeVhdx(disk.length, disk)],
] as const)('reads the labels of the file systems in %s through its partitions and block map', async (name, wrap) => {
  const extracted = await diskImage.read(samples.source(name, wrap(makeRawDisk({ linux: 'rootfs', windows: 'Daten C' }))));
  expect(extracted.metadata['disk_image']).toMatchObject({
    filesystem: 'mbr',
    partitions: 2,
    filesystems: ['ext', 'ntfs'],
    label: 'rootfs',
    labels: ['rootfs', 'Daten C'],
  });
  expect(extracted.title).toBe('rootfs');
});

it('terminates on circular partition tables and ignores block maps that point outside the file', async () => {
  const disk = makeRawDisk({ linux: 'a', windows: 'b' });
  disk[1024 * 512 + 446 + 16 + 4] = 5;
  disk.writeUInt32LE(1024, 1024 * 512 + 446 + 16 + 8);
  disk.writeUInt32LE(1024, 446 + 16 + 8);
  expect(await factsOf('circle.img', disk)).toMatchObject({ filesystem: 'mbr' });
  const lost = asVdi(makeRawDisk({ linux: 'a', windows: 'b' }));
  lost.fill(0xf0, 1024, 2048);
  expect(await factsOf('lost.vdi', lost)).toEqual(expect.not.objectContaining({ label: expect.anything() }));
});

it('rejects images that are empty, too short or without a signature as corrupt', async () => {
  for (const [name, bytes] of [
    ['x.qcow2', Buffer.alloc(4096)],
    ['x.vhd', Buffer.alloc(100)],
    ['x.iso', Buffer.alloc(0)],
  ] as const) {
    await expect(diskImage.read(samples.source(name, bytes))).rejects.toMatchObject({ kind: 'corrupt' });
  }
});
