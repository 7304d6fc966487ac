import type { FileBytes } from '../../reading/file-bytes.ts';

/** What the first sectors of a raw image or partition say about its file system. */
export interface Volume {
  filesystem: string;
  label?: string;
  size?: number;
  created?: string;
  system?: string;
  publisher?: string;
  application?: string;
  partitions?: number;
}

/** Fixed-width text of old formats: padded by spaces or NUL. */
export function fixedText(bytes: Buffer, encoding: 'latin1' | 'utf8' | 'utf16le' = 'latin1'): string | undefined {
  const text = bytes
    .toString(encoding)
    .replace(/\0[\s\S]*$/, '')
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return text === '' ? undefined : text;
}

/** Leaves out what is not known, so that no key holds undefined. */
export function known<T extends object>(facts: T): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
}

const isoStart = 32_768;

/** ISO 9660: the primary descriptor, with the longer Joliet label when there is one. */
export function readIsoVolume(file: FileBytes): Volume | undefined {
  let found: Volume | undefined;
  let joliet: string | undefined;
  for (let index = 0; index < 16; index++) {
    const block = file.read(isoStart + index * 2048, 2048);
    if (block.length < 2048 || block.toString('latin1', 1, 6) !== 'CD001' || block[0] === 255) break;
    if (block[0] === 1) {
      found = known({
        filesystem: 'iso9660',
        label: fixedText(block.subarray(40, 72)),
        size: block.readUInt32LE(80) * block.readUInt16LE(128),
        created: isoDate(block.toString('latin1', 813, 829)),
        system: fixedText(block.subarray(8, 40)),
        publisher: fixedText(block.subarray(318, 446)),
        application: fixedText(block.subarray(574, 702)),
      });
    } else if (block[0] === 2 && block[88] === 0x25) {
      joliet = fixedText(Buffer.from(block.subarray(40, 72)).swap16(), 'utf16le');
    }
  }
  if (found && joliet && joliet.length > (found.label?.length ?? 0)) found.label = joliet;
  return found;
}

function isoDate(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(digits) ?? [];
  return year === undefined || year === '0000' ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** Raw images: FAT, NTFS, ext, HFS+, APFS or a partition table. */
export function readRawVolume(file: FileBytes): Volume | undefined {
  const head = file.read(0, 4096);
  if (head.length < 2048) return undefined;
  if (head.readUInt16LE(1080) === 0xef53) return known({ filesystem: 'ext', label: fixedText(head.subarray(1144, 1160), 'utf8') });
  if (head.toString('latin1', 3, 7) === 'NTFS')
    return known({ filesystem: 'ntfs', size: Number(head.readBigUInt64LE(40)) * head.readUInt16LE(11) });
  if (head.toString('latin1', 82, 87) === 'FAT32') return known({ filesystem: 'fat32', label: fatLabel(head.subarray(71, 82)) });
  if (/^FAT1[26]/.test(head.toString('latin1', 54, 59))) return known({ filesystem: 'fat', label: fatLabel(head.subarray(43, 54)) });
  if (/^H[+X]$/.test(head.toString('latin1', 1024, 1026))) return { filesystem: 'hfs+' };
  if (head.toString('latin1', 32, 36) === 'NXSB') return { filesystem: 'apfs' };
  if (head.toString('latin1', 512, 520) === 'EFI PART') return { filesystem: 'gpt' };
  if (head.readUInt16LE(510) === 0xaa55) {
    const partitions = [446, 462, 478, 494].filter((at) => head[at + 4] !== 0).length;
    return partitions > 0 ? { filesystem: 'mbr', partitions } : undefined;
  }
  return undefined;
}

function fatLabel(field: Buffer): string | undefined {
  const label = fixedText(field);
  return label === 'NO NAME' ? undefined : label;
}
