import { readFile } from 'node:fs/promises';

/** Bytes since the machine started. */
export interface Traffic {
  io: { read_bytes: number; write_bytes: number } | null;
  net: { rx_bytes: number; tx_bytes: number } | null;
}

/** Of the machine of the app; null where the system does not tell. */
export async function readTraffic(): Promise<Traffic> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => null);
  const [disks, network] = await Promise.all([read('/proc/diskstats'), read('/proc/net/dev')]);
  return { io: disks === null ? null : sumDisks(disks), net: network === null ? null : sumNetwork(network) };
}

/** Parts of disks, and devices that pass requests on to other disks, would count bytes twice. */
const physical = /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;
const sectorBytes = 512;

export function sumDisks(text: string): NonNullable<Traffic['io']> {
  const sum = { read_bytes: 0, write_bytes: 0 };
  for (const line of text.split('\n')) {
    const [, , name = '', , , readSectors, , , , writtenSectors] = line.trim().split(/\s+/);
    if (!physical.test(name)) continue;
    sum.read_bytes += Number(readSectors) * sectorBytes;
    sum.write_bytes += Number(writtenSectors) * sectorBytes;
  }
  return sum;
}

/** Without the loopback interface. */
export function sumNetwork(text: string): NonNullable<Traffic['net']> {
  const sum = { rx_bytes: 0, tx_bytes: 0 };
  for (const line of text.split('\n').slice(2)) {
    const [name = '', counters = ''] = line.split(/:(.*)/);
    const values = counters.trim().split(/\s+/);
    if (name.trim() === 'lo' || values.length < 9) continue;
    sum.rx_bytes += Number(values[0]);
    sum.tx_bytes += Number(values[8]);
  }
  return sum;
}
