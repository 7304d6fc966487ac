import type { Source, Thumbnailer } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { findJpegs, isViewableJpeg, type JpegLocation } from './jpeg-search.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxPreviewBytes = 64 * 1024 * 1024;

/** Camera raw files. The sensor data is not developed; cameras store a finished JPEG beside it. */
export const rawPhotoThumbnails: Thumbnailer = {
  name: 'raw-photo',
  version: 2,
  extensions: (
    '3fr ari arw bay cap cr2 cr3 crw dcr dcs dng drf erf fff gpr iiq k25 kdc mdc mef mos mrw nef nrw orf pef raf raw rw2 ' +
    'rwl rwz sr2 srf srw x3f'
  ).split(' '),
  tools: [],
  render: drawEmbeddedPreview,
};

/**
 * The smallest embedded preview that is large enough, or else the largest. Previews are first looked up where the format stores them.
 * If those are too small, the file is searched for others, because many cameras keep the large one in their own maker notes.
 */
async function drawEmbeddedPreview(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  return withFileBytes(source, async (file) => {
    const { previews, orientation } = embeddedPreviews(file);
    const best = await drawBest(file, previews, orientation, longestEdge);
    if (longest(best) >= longestEdge) return best;
    const known = new Set(previews.map(({ offset }) => offset));
    const found = findJpegs(file).filter(({ offset }) => !known.has(offset));
    const other = await drawBest(file, found, orientation, longestEdge);
    return longest(other) > longest(best) ? other : best;
  });
}

const longest = (picture: RenderedImage | null): number => Math.max(picture?.raw?.width ?? 0, picture?.raw?.height ?? 0);

async function drawBest(
  file: FileBytes,
  locations: readonly JpegLocation[],
  orientation: number,
  longestEdge: number,
): Promise<RenderedImage | null> {
  const largest = locations
    .filter(({ length }) => length <= maxPreviewBytes)
    .sort((a, b) => b.length - a.length)
    .slice(0, 4);
  let best: RenderedImage | null = null;
  for (const { offset, length } of largest.reverse()) {
    // A damaged preview is skipped; another one may be intact.
    const rendered = await decodeToEdge(file.read(offset, length), longestEdge, { orientation }).catch(() => null);
    if (longest(rendered) > longest(best)) best = rendered;
    if (longest(best) >= longestEdge) break;
  }
  return best;
}

interface Previews {
  previews: JpegLocation[];
  /** The orientation of the photo, which applies to previews without one of their own. */
  orientation: number;
}

const maxDirectories = 64;

/** Finds the finished JPEGs of a raw file through its TIFF directories or a vendor-specific header. */
function embeddedPreviews(file: FileBytes): Previews {
  const head = file.read(0, 100);
  let found: Previews = { previews: [], orientation: 1 };
  if (head.length < 100) return found;
  if (head.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW')
    found.previews = [{ offset: head.readUInt32BE(84), length: head.readUInt32BE(88) }];
  else if (head.toString('latin1', 4, 11) === 'ftypcrx') found = canonPreviews(file);
  else if (/^(II|MM)/.test(head.toString('latin1', 0, 2))) found = tiffPreviews(file, 0);
  return { ...found, previews: found.previews.filter((location) => isViewableJpeg(file, location)) };
}

/** Visits each directory and sub-directory once, so that circular references end. Offsets count from `base`. */
function tiffPreviews(file: FileBytes, base: number): Previews {
  const head = file.read(base, 8);
  if (head.length < 8) return { previews: [], orientation: 1 };
  const little = head[0] === 0x49;
  const u16 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const found: JpegLocation[] = [];
  const seen = new Set<number>();
  const first = u32(head, 4);
  const pending = [first];
  let orientation = 1;
  const add = (offset: number | undefined, length: number | undefined): void => {
    if (offset !== undefined && length !== undefined) found.push({ offset: base + offset, length });
  };
  while (pending.length > 0 && seen.size < maxDirectories) {
    const at = pending.pop() ?? 0;
    const size = file.read(base + at, 2);
    if (seen.has(at) || at === 0 || size.length < 2) continue;
    seen.add(at);
    const count = u16(size, 0);
    const entries = file.read(base + at + 2, count * 12 + 4);
    const values = new Map<number, number[]>();
    for (let i = 0; i + 12 <= entries.length; i += 12) {
      const tag = u16(entries, i);
      const type = u16(entries, i + 2);
      const amount = u32(entries, i + 4);
      if (tag === 0x2e && type === 7) add(u32(entries, i + 8), amount);
      if (tag === 0x112 && at === first) orientation = u16(entries, i + 8);
      if (![0x111, 0x117, 0x103, 0x14a, 0x201, 0x202, 0x8769].includes(tag) || amount > 64) continue;
      const width = type === 3 ? 2 : 4;
      const bytes = width * amount <= 4 ? entries.subarray(i + 8, i + 12) : file.read(base + u32(entries, i + 8), width * amount);
      const list: number[] = [];
      for (let k = 0; k < amount && (k + 1) * width <= bytes.length; k++) list.push(width === 2 ? u16(bytes, k * 2) : u32(bytes, k * 4));
      values.set(tag, list);
    }
    pending.push(...(values.get(0x14a) ?? []), ...(values.get(0x8769) ?? []));
    if (entries.length >= count * 12 + 4) pending.push(u32(entries, count * 12));
    add(values.get(0x201)?.[0], values.get(0x202)?.[0]);
    if ((values.get(0x103)?.[0] === 6 || values.get(0x103)?.[0] === 7) && values.get(0x111)?.length === 1)
      add(values.get(0x111)?.[0], values.get(0x117)?.[0]);
  }
  return { previews: found, orientation };
}

/** CR3 files consist of MP4-style boxes. The preview is the JPEG in the box named PRVW; CMT1 holds a TIFF with the orientation. */
function canonPreviews(file: FileBytes): Previews {
  const head = file.read(0, 1 << 20);
  const tags = head.indexOf('CMT1', 0, 'latin1');
  const orientation = tags < 0 ? 1 : tiffPreviews(file, tags + 4).orientation;
  const at = head.indexOf('PRVW', 0, 'latin1');
  const start = at < 4 ? -1 : head.indexOf(Buffer.from([0xff, 0xd8, 0xff]), at);
  if (start === -1) return { previews: [], orientation };
  return { previews: [{ offset: start, length: head.readUInt32BE(at - 4) - (start - at) - 4 }], orientation };
}
