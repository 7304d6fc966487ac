import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys } from '../archive/member-list.ts';
import { listWithSevenZip } from '../archive/seven-zip.ts';
import { fixedText, readDisk, readIsoVolume, type Volume, withoutUndefined } from './file-system.ts';
import { openGuestDisk, readVhdxMetadata } from './guest-disk.ts';

/** Disk images: format and size from their headers, labels of the file systems inside. For ISO 9660 images the files are listed too. */
export const diskImage: Extractor = {
  name: 'disk-image',
  version: 3,
  text: false,
  extensions: ['iso', 'img', 'ima', 'dsk', 'vfd', 'toast', 'vmdk', 'qcow', 'qcow2', 'vhd', 'vhdx', 'vdi', 'dmg', 'chd', 'e01', 'hdd'],
  tools: [],
  keys: [
    'disk_image',
    ...[
      'format',
      'label',
      'filesystem',
      'virtual_size',
      'size',
      'created',
      'system',
      'publisher',
      'application',
      'partitions',
      'filesystems',
      'labels',
      'version',
    ].map((key) => `disk_image.${key}`),
    ...['disk_type', 'encrypted', 'backing_file', 'creator', 'images'].map((key) => `disk_image.${key}`),
    ...archiveKeys,
  ],
  read: (source) =>
    withFileBytes(source, async (file): Promise<Extracted> => {
      const iso = readIsoVolume(file);
      if (iso) {
        const listed = await listWithSevenZip(file, source);
        return { ...listed, metadata: { ...listed.metadata, disk_image: { format: 'iso', ...iso } }, ...titleOf(iso) };
      }
      const disk = readVirtualDisk(file);
      if (disk) {
        const guest = openGuestDisk(file, disk.format);
        const { size: _, ...inside } = (guest && readDisk(guest)) ?? {};
        return { metadata: { disk_image: { ...disk, ...inside } }, ...titleOf(inside) };
      }
      const raw = readDisk(file);
      if (raw) return { metadata: { disk_image: { format: 'raw', ...raw } }, ...titleOf(raw) };
      if (file.size === 0) throw new ExtractError('corrupt', 'The disk image is empty.');
      // These extensions also hold unknown or encrypted data. Formats with a signature are corrupt without it.
      if (['iso', 'toast', 'img', 'ima', 'dsk', 'vfd', 'hdd'].includes(source.extension))
        return { metadata: { disk_image: { format: 'raw' } } };
      throw new ExtractError('corrupt', 'The disk image has no valid header.');
    }),
};

function titleOf({ label }: Partial<Volume>): { title?: string } {
  return label === undefined ? {} : { title: label };
}

/** Facts from the header or trailer of a virtual disk image. */
interface VirtualDisk {
  format: string;
  virtual_size?: number;
  version?: number;
  disk_type?: string;
  encrypted?: boolean;
  backing_file?: boolean;
  created?: string;
  creator?: string;
  images?: number;
}

type VirtualDiskReader = (file: FileBytes, head: Buffer) => VirtualDisk | undefined;

const vhdEpoch = Date.UTC(2000, 0, 1);

const qcow: VirtualDiskReader = (_file, head) => {
  if (head.toString('latin1', 0, 4) !== 'QFI\xfb') return undefined;
  const version = head.readUInt32BE(4);
  return {
    format: version === 1 ? 'qcow' : 'qcow2',
    version,
    virtual_size: Number(head.readBigUInt64BE(24)),
    encrypted: head.readUInt32BE(version === 1 ? 36 : 32) !== 0,
    backing_file: head.readBigUInt64BE(8) !== 0n,
  };
};

const vmdk: VirtualDiskReader = (file, head) => {
  const sparse = head.toString('latin1', 0, 4) === 'KDMV';
  const text = sparse
    ? file.read(Number(head.readBigUInt64LE(28)) * 512, 4096).toString('latin1')
    : head.toString('latin1', 0, Math.min(head.length, 2048));
  const disk_type = /^createType="([^"\r\n]{1,40})"/m.exec(text)?.[1];
  if (!sparse && (disk_type === undefined || !text.startsWith('# Disk DescriptorFile'))) return undefined;
  const extents = [...text.matchAll(/^RW (\d+) /gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  const sectors = sparse ? Number(head.readBigUInt64LE(12)) : extents;
  return withoutUndefined({ format: 'vmdk', virtual_size: sectors * 512, disk_type, backing_file: /^parentCID=(?!f{8})/im.test(text) });
};

const vhd: VirtualDiskReader = (file, head) => {
  const footer = head.toString('latin1', 0, 8) === 'conectix' ? head : file.read(file.size - 512, 512);
  if (footer.length < 512 || footer.toString('latin1', 0, 8) !== 'conectix') return undefined;
  return withoutUndefined({
    format: 'vhd',
    virtual_size: Number(footer.readBigUInt64BE(48)),
    disk_type: { 2: 'fixed', 3: 'dynamic', 4: 'differencing' }[footer.readUInt32BE(60)],
    created: new Date(vhdEpoch + footer.readUInt32BE(24) * 1000).toISOString(),
    creator: fixedText(footer.subarray(28, 32)),
  });
};

const vhdx: VirtualDiskReader = (file, head) =>
  head.toString('latin1', 0, 8) === 'vhdxfile'
    ? withoutUndefined({ format: 'vhdx', creator: fixedText(head.subarray(8, 520), 'utf16le'), ...readVhdxMetadata(file) })
    : undefined;

const vdi: VirtualDiskReader = (_file, head) => {
  if (head.readUInt32LE(64) !== 0xbeda107f) return undefined;
  return withoutUndefined({
    format: 'vdi',
    virtual_size: Number(head.readBigUInt64LE(368)),
    disk_type: { 1: 'dynamic', 2: 'fixed', 4: 'differencing' }[head.readUInt32LE(76)],
    creator: fixedText(head.subarray(0, 64))?.replace(/[<>]/g, '').trim(),
  });
};

const dmg: VirtualDiskReader = (file) => {
  const trailer = file.read(file.size - 512, 512);
  if (trailer.length < 512 || trailer.toString('latin1', 0, 4) !== 'koly') return undefined;
  return { format: 'dmg', version: trailer.readUInt32BE(4), virtual_size: Number(trailer.readBigUInt64BE(492)) * 512 };
};

const chd: VirtualDiskReader = (_file, head) => {
  if (head.toString('latin1', 0, 8) !== 'MComprHD') return undefined;
  const version = head.readUInt32BE(12);
  return withoutUndefined({ format: 'chd', version, virtual_size: version >= 5 ? Number(head.readBigUInt64BE(32)) : undefined });
};

const ewf: VirtualDiskReader = (_file, head) => (head.toString('latin1', 0, 3) === 'EVF' ? { format: 'e01' } : undefined);

const virtualDiskReaders: readonly VirtualDiskReader[] = [qcow, vmdk, vhdx, vdi, chd, ewf, vhd, dmg];

/** Tries each format in turn. Returns undefined if none matches. */
function readVirtualDisk(file: FileBytes): VirtualDisk | undefined {
  const head = file.read(0, 4096);
  if (head.length < 512) return undefined;
  for (const reader of virtualDiskReaders) {
    const disk = reader(file, head);
    if (disk) return disk;
  }
  return undefined;
}
