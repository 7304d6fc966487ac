import type { Source, Thumbnailer } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxPreviewBytes = 64 * 1024 * 1024;

/** Camera raw files. The sensor data is not developed; cameras store a finished JPEG beside it. */
export const rawPhotoThumbnails: Thumbnailer = {
  name: 'raw-photo',
  version: 1,
  extensions: (
    '3fr ari arw bay cap cr2 cr3 crw dcr dcs dng drf erf fff gpr iiq k25 kdc mdc mef mos mrw nef nrw orf pef raf raw rw2 ' +
    'rwl rwz sr2 srf srw x3f'
  ).split(' '),
  tools: [{ name: 'exiftool', lost: 'Thumbnails of raw photos whose preview only exiftool can find.' }],
  async render(source, longestEdge) {
    const inside = await drawEmbeddedPreview(source, longestEdge);
    return inside ?? (await drawWithExiftool(source, longestEdge));
  },
};

/** The smallest embedded preview that is large enough, or else the largest. */
async function drawEmbeddedPreview(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const previews = await withFileBytes(source, (file) =>
    embeddedJpegs(file)
      .filter((location) => location.length <= maxPreviewBytes)
      .sort((a, b) => b.length - a.length)
      .slice(0, 4)
      .map((location) => file.read(location.offset, location.length)),
  );
  let best: RenderedImage | null = null;
  for (const preview of previews.reverse()) {
    // A damaged preview is skipped; another one may be intact.
    const rendered = await decodeToEdge(preview, longestEdge).catch(() => null);
    if (rendered?.raw === undefined) continue;
    if (Math.max(rendered.raw.width, rendered.raw.height) > Math.max(best?.raw?.width ?? 0, best?.raw?.height ?? 0)) best = rendered;
    if (Math.max(rendered.raw.width, rendered.raw.height) >= longestEdge) break;
  }
  return best;
}

async function drawWithExiftool(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const tool = findTool('exiftool');
  if (tool === null) return null;
  for (const tag of ['-JpgFromRaw', '-PreviewImage', '-OtherImage', '-ThumbnailImage']) {
    const result = await runTool(tool, ['-b', tag, source.path], {
      timeoutSeconds: source.limits.exifTimeoutSeconds,
      maxOutputBytes: maxPreviewBytes,
    });
    if (result.stdout.length < 100) continue;
    // A tag without a picture is skipped; the next one may have one.
    const rendered = await decodeToEdge(result.stdout, longestEdge).catch(() => null);
    if (rendered) return rendered;
  }
  return null;
}

interface JpegLocation {
  offset: number;
  length: number;
}

const maxDirectories = 64;

/** Finds the finished JPEGs of a raw file through its TIFF directories or a vendor-specific header. */
function embeddedJpegs(file: FileBytes): JpegLocation[] {
  const head = file.read(0, 100);
  if (head.length < 100) return [];
  let locations: JpegLocation[] = [];
  if (head.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW') locations = [{ offset: head.readUInt32BE(84), length: head.readUInt32BE(88) }];
  else if (head.toString('latin1', 4, 11) === 'ftypcrx') locations = canonPreviews(file);
  else if (/^(II|MM)/.test(head.toString('latin1', 0, 2))) locations = tiffPreviews(file, head);
  return locations.filter((location) => isViewableJpeg(file, location));
}

/** Whether a JPEG is a viewable picture; lossless JPEGs (marker C3) hold sensor data. */
function isViewableJpeg(file: FileBytes, location: JpegLocation): boolean {
  if (location.length < 100 || location.offset + location.length > file.size) return false;
  const bytes = file.read(location.offset, Math.min(location.length, 65_536));
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return marker <= 0xc2;
    if (marker === 0xda) return true;
  }
  return true;
}

/** Visits each directory and sub-directory once, so that circular references end. */
function tiffPreviews(file: FileBytes, head: Buffer): JpegLocation[] {
  const little = head[0] === 0x49;
  const u16 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const found: JpegLocation[] = [];
  const seen = new Set<number>();
  const pending = [u32(head, 4)];
  while (pending.length > 0 && seen.size < maxDirectories) {
    const at = pending.pop() ?? 0;
    if (seen.has(at) || at === 0 || at + 2 > file.size) continue;
    seen.add(at);
    const count = u16(file.need(at, 2), 0);
    const entries = file.read(at + 2, count * 12 + 4);
    const values = new Map<number, number[]>();
    for (let i = 0; i + 12 <= entries.length - 4; i += 12) {
      const tag = u16(entries, i);
      const type = u16(entries, i + 2);
      const amount = u32(entries, i + 4);
      if (tag === 0x2e && type === 7) found.push({ offset: u32(entries, i + 8), length: amount });
      if (![0x111, 0x117, 0x103, 0x14a, 0x201, 0x202, 0x8769].includes(tag) || amount > 64) continue;
      values.set(tag, readValues(file, entries, i, type, amount, u16, u32));
    }
    pending.push(...(values.get(0x14a) ?? []), ...(values.get(0x8769) ?? []));
    if (entries.length >= count * 12 + 4) pending.push(u32(entries, count * 12));
    const pair = (offset: number | undefined, length: number | undefined): void => {
      if (offset !== undefined && length !== undefined) found.push({ offset, length });
    };
    pair(values.get(0x201)?.[0], values.get(0x202)?.[0]);
    if ((values.get(0x103)?.[0] === 6 || values.get(0x103)?.[0] === 7) && values.get(0x111)?.length === 1)
      pair(values.get(0x111)?.[0], values.get(0x117)?.[0]);
  }
  return found;
}

type ReadNumber = (bytes: Buffer, at: number) => number;

function readValues(
  file: FileBytes,
  entries: Buffer,
  at: number,
  type: number,
  amount: number,
  u16: ReadNumber,
  u32: ReadNumber,
): number[] {
  const width = type === 3 ? 2 : 4;
  const bytes = width * amount <= 4 ? entries.subarray(at + 8, at + 12) : file.read(u32(entries, at + 8), width * amount);
  const values: number[] = [];
  for (let i = 0; i < amount && (i + 1) * width <= bytes.length; i++) values.push(width === 2 ? u16(bytes, i * 2) : u32(bytes, i * 4));
  return values;
}

/** CR3 files consist of MP4-style boxes; the preview is the JPEG in the box named PRVW. */
function canonPreviews(file: FileBytes): JpegLocation[] {
  const head = file.read(0, 1 << 20);
  const at = head.indexOf('PRVW', 0, 'latin1');
  if (at < 4) return [];
  const start = head.indexOf(Buffer.from([0xff, 0xd8, 0xff]), at);
  return start === -1 ? [] : [{ offset: start, length: head.readUInt32BE(at - 4) - (start - at) - 4 }];
}
