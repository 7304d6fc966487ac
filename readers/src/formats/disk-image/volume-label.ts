import type { ByteSource } from './guest-disk.ts';

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
  /** Of the file systems in the partitions, in their order. */
  filesystems?: string[];
  labels?: string[];
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
export function withoutUndefined<T extends object>(facts: T): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
}

const isoStart = 32_768;

/** ISO 9660: the primary descriptor, with the longer Joliet label when there is one. */
export function readIsoVolume(file: ByteSource): Volume | undefined {
  let found: Volume | undefined;
  let joliet: string | undefined;
  for (let index = 0; index < 16; index++) {
    const block = file.read(isoStart + index * 2048, 2048);
    if (block.length < 2048 || block.toString('latin1', 1, 6) !== 'CD001' || block[0] === 255) break;
    if (block[0] === 1) {
      found = withoutUndefined({
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
