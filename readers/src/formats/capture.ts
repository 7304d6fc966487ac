import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';

const linkNames: Record<number, string> = {
  0: 'null',
  1: 'ethernet',
  101: 'raw ip',
  105: 'wifi',
  113: 'linux cooked',
  127: 'wifi radiotap',
  195: 'ieee 802.15.4',
  220: 'usb',
  276: 'linux cooked',
};
const maxPackets = 2_000_000;

interface PacketTotals {
  packets: number;
  bytes: number;
  first: number;
  last: number;
  truncated: boolean;
}

/** Network captures: packet and byte counts, time range and link type. Packet contents are not read. */
export const capture: Extractor = {
  name: 'capture',
  version: 1,
  text: false,
  extensions: ['pcap', 'pcapng'],
  tools: [],
  keys: [
    'capture',
    ...['format', 'link', 'packets', 'bytes', 'first_time', 'last_time', 'truncated', 'interfaces', 'application'].map(
      (key) => `capture.${key}`,
    ),
    'duration',
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const head = file.read(0, 24);
      if (head.length >= 24 && head.readUInt32LE(0) === 0x0a0d0d0a) return readPcapNg(file);
      if (head.length >= 24) return readPcap(file, head);
      throw new ExtractError('corrupt', 'The capture has no valid header.');
    }),
};

function facts(format: string, link: number | undefined, totals: PacketTotals, extra: Record<string, unknown> = {}): Extracted {
  const time = (seconds: number): string | undefined =>
    Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : undefined;
  const [first, last] = [time(totals.first), time(totals.last)];
  return {
    metadata: {
      capture: {
        format,
        ...(link === undefined ? {} : { link: linkNames[link] ?? `link ${link}` }),
        packets: totals.packets,
        bytes: totals.bytes,
        ...(first ? { first_time: first } : {}),
        ...(last ? { last_time: last } : {}),
        truncated: totals.truncated,
        ...extra,
      },
      ...(first && last && totals.last >= totals.first ? { duration: Math.round((totals.last - totals.first) * 1000) / 1000 } : {}),
    },
  };
}

/** Reads records through a buffer, so that small records do not cost one read each. */
function createRecordReader(file: FileBytes) {
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  return (at: number, length: number): Buffer => {
    if (at < start || at + length > start + window.length) {
      start = at;
      window = file.read(at, Math.max(length, 1 << 18));
    }
    return window.subarray(at - start, at - start + length);
  };
}

function addPacket(totals: PacketTotals, time: number, bytes: number): boolean {
  if (totals.packets >= maxPackets) {
    totals.truncated = true;
    return false;
  }
  if (totals.packets === 0) totals.first = time;
  totals.last = Math.max(totals.last, time);
  totals.packets++;
  totals.bytes += bytes;
  return true;
}

function readPcap(file: FileBytes, head: Buffer): Extracted {
  const little = [0xa1b2c3d4, 0xa1b23c4d].includes(head.readUInt32LE(0));
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  if (![0xa1b2c3d4, 0xa1b23c4d].includes(u32(head, 0))) throw new ExtractError('corrupt', 'The capture has no valid header.');
  const fraction = u32(head, 0) === 0xa1b23c4d ? 1e9 : 1e6;
  const totals: PacketTotals = { packets: 0, bytes: 0, first: 0, last: 0, truncated: false };
  const readRecord = createRecordReader(file);
  for (let at = 24; at + 16 <= file.size; ) {
    const record = readRecord(at, 16);
    const kept = u32(record, 8);
    // A capture that was interrupted ends inside a packet. The packets before it are counted.
    if (record.length < 16 || kept > 262_144 * 16 || at + 16 + kept > file.size) {
      totals.truncated = true;
      break;
    }
    if (!addPacket(totals, u32(record, 0) + u32(record, 4) / fraction, u32(record, 12))) break;
    at += 16 + kept;
  }
  return facts('pcap', u32(head, 20) & 0xffff, totals);
}

function readPcapNg(file: FileBytes): Extracted {
  const totals: PacketTotals = { packets: 0, bytes: 0, first: 0, last: 0, truncated: false };
  const readRecord = createRecordReader(file);
  const order = file.need(8, 4).readUInt32LE(0);
  const little = order === 0x1a2b3c4d;
  if (!little && order !== 0x4d3c2b1a) throw new ExtractError('corrupt', 'The header of the capture is damaged.');
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  let interfaces = 0;
  let link: number | undefined;
  for (let at = 0; at + 12 <= file.size; ) {
    const block = readRecord(at, 28);
    const length = u32(block, 4);
    if (length < 12 || at + length > file.size) {
      totals.truncated = true;
      break;
    }
    if (u32(block, 0) === 1) {
      interfaces++;
      link ??= little ? block.readUInt16LE(8) : block.readUInt16BE(8);
    } else if (u32(block, 0) === 6 && block.length === 28) {
      // Assumes microseconds, the default resolution. The rare interface option that changes it is ignored.
      const time = (u32(block, 12) * 4294967296 + u32(block, 16)) / 1e6;
      if (!addPacket(totals, time, u32(block, 24))) break;
    } else if (u32(block, 0) === 3) addPacket(totals, 0, u32(block, 8));
    at += length;
  }
  return facts('pcapng', link, totals, { interfaces });
}
