import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys } from '../archive/listing.ts';
import { listWithSevenZip } from '../archive/seven.ts';
import { openGuestDisk } from './guest-disk.ts';
import { readDisk } from './partitions.ts';
import { readVirtualDisk } from './virtual-disk.ts';
import { readIsoVolume, type Volume } from './volume-label.ts';

/** Disk images: kind and size from their headers, labels of the file systems inside; discs (ISO 9660) also list their files. */
export const diskImage: Extractor = {
  name: 'disk-image',
  version: 3,
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
      // Foreign or encrypted contents are a fact, not a failure; a format with a mark of its own that is missing is damage.
      if (['iso', 'toast', 'img', 'ima', 'dsk', 'vfd', 'hdd'].includes(source.extension))
        return { metadata: { disk_image: { format: 'raw' } } };
      throw new ExtractError('corrupt', 'The header of the disk image is missing.');
    }),
};

function titleOf({ label }: Partial<Volume>): { title?: string } {
  return label === undefined ? {} : { title: label };
}
