import { ExtractError, type Extracted } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';

const fixedField = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/\0[\s\S]*$/, '')
    .trim();

/** Laser scans (LAS, and LAZ whose header is the same): how many points, where, and by which system. */
export function readPointCloud(file: FileBytes): Extracted {
  const head = file.read(0, 375);
  if (head.length < 227 || head.toString('latin1', 0, 4) !== 'LASF')
    throw new ExtractError('corrupt', 'The header of the scan is missing.');
  const [major, minor] = [head[24]!, head[25]!];
  const wide = major === 1 && minor >= 4 && head.length >= 255;
  const points = wide ? Number(head.readBigUInt64LE(247)) : head.readUInt32LE(107);
  // The top bits of the record format mark a packed file.
  const packed = (head[104]! & 0xc0) !== 0;
  const recordBytes = head.readUInt16LE(105);
  if (!packed && points * recordBytes > file.size - head.readUInt32LE(96))
    throw new ExtractError('corrupt', 'The scan states more points than the file holds.');
  const number = (at: number): number => head.readDoubleLE(at);
  const max = [number(179), number(195), number(211)];
  const min = [number(187), number(203), number(219)];
  const size = [0, 1, 2].map((axis) => max[axis]! - min[axis]!);
  const sound = size.every((length) => Number.isFinite(length) && length >= 0);
  const [day, year] = [head.readUInt16LE(90), head.readUInt16LE(92)];
  const created =
    year > 1990 && year < 2200 && day >= 1 && day <= 366 ? new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10) : undefined;
  return {
    metadata: {
      file_format: packed ? 'laz' : 'las',
      scene: withoutEmpty({
        format: packed ? 'laz' : 'las',
        version: `${major}.${minor}`,
        compressed: packed,
        system: fixedField(head.subarray(26, 58)),
        generator: fixedField(head.subarray(58, 90)),
        created,
      }),
      points,
      ...(sound ? { bbox: { min, max, size }, bbox_volume: size[0]! * size[1]! * size[2]! } : {}),
    },
  };
}

/** Point Cloud Library files: a text header whatever the body is. */
export function readPcd(file: FileBytes): Extracted {
  const text = file.read(0, 8192).toString('latin1');
  const pick = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim();
  const points = Number(pick(/^POINTS (\d+)/m));
  const body = pick(/^DATA (ascii|binary|binary_compressed)\b/m);
  if (!Number.isSafeInteger(points) || body === undefined) throw new ExtractError('corrupt', 'The header of the scan is missing.');
  // Every point takes at least a byte in the plain forms.
  if (body !== 'binary_compressed' && points > file.size)
    throw new ExtractError('corrupt', 'The scan states more points than the file holds.');
  return {
    metadata: {
      file_format: 'pcd',
      scene: withoutEmpty({ format: 'pcd', version: pick(/^VERSION (\S{1,10})/m), compressed: body === 'binary_compressed' }),
      points,
    },
  };
}
