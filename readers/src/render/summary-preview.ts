import type { Source, Thumbnailer } from '../contract.ts';
import { isCompoundFile, openCompoundFile } from '../formats/office/compound-file.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { decodeBitmap } from './bitmap.ts';
import { drawMetafile } from './metafile.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxSummaryBytes = 16 * 1024 * 1024;
const maxProperties = 200;
const thumbnailProperty = 17;
const clipboardType = 71;

/** Streams in which some programs store a whole picture file. */
const pictureStreams = ['PreviewPNG', 'Preview.png', 'Thumbnail.png', 'Thumbnail'];

/** Compound files that are drawn only if their program stored a preview. */
export const summaryThumbnails: Thumbnailer = {
  name: 'summary-preview',
  version: 1,
  extensions: 'vsd vss vst pub mpp sldprt sldasm slddrw'.split(' '),
  tools: [],
  render: readSummaryPreview,
};

/** The preview in the summary of a compound file. A damaged one yields no picture, because the document itself may be intact. */
export async function readSummaryPreview(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const found = await withFileBytes(source, (file) => (isCompoundFile(file.read(0, 8)) ? findPreview(file) : null));
  const rendered = found === null ? null : await decode(found, longestEdge).catch(() => null);
  return rendered === null || isBlank(rendered) ? null : rendered;
}

/** Some programs store a preview before anything was drawn; the first page says more. */
function isBlank({ data, raw }: RenderedImage): boolean {
  const channels = raw?.channels;
  return channels !== undefined && data.every((value, i) => value === data[i % channels]);
}

interface StoredPreview {
  kind: 'bitmap' | 'metafile' | 'picture';
  bytes: Buffer;
}

function decode({ kind, bytes }: StoredPreview, longestEdge: number): Promise<RenderedImage | null> {
  if (kind === 'bitmap') return Promise.resolve(decodeBitmap(bytes));
  return kind === 'metafile' ? drawMetafile(bytes, longestEdge) : decodeToEdge(bytes, longestEdge);
}

function findPreview(file: FileBytes): StoredPreview | null {
  const ole = openCompoundFile(file);
  for (const name of pictureStreams) {
    const bytes = ole.stream(name, maxSummaryBytes);
    if (bytes !== undefined && bytes.length > 0) return { kind: 'picture', bytes };
  }
  const summary = ole.stream('\u0005SummaryInformation', maxSummaryBytes);
  return summary === undefined ? null : clipboardPicture(summary);
}

/** The value is a Windows clipboard format, or one of the Macintosh, which is not drawn. */
function clipboardPicture(summary: Buffer): StoredPreview | null {
  const at = propertyOffset(summary, thumbnailProperty);
  if (at === null || at + 16 > summary.length || summary.readUInt16LE(at) !== clipboardType || summary.readInt32LE(at + 8) !== -1)
    return null;
  // The length counts from the tag on.
  const data = summary.subarray(at + 16, at + 8 + summary.readUInt32LE(at + 4));
  switch (summary.readUInt32LE(at + 12)) {
    case 3:
      // A handle and extents of 8 bytes precede the metafile.
      return { kind: 'metafile', bytes: data.subarray(8) };
    case 8:
      return { kind: 'bitmap', bytes: data };
    case 14:
      return { kind: 'metafile', bytes: data };
    default:
      return null;
  }
}

function propertyOffset(summary: Buffer, id: number): number | null {
  if (summary.length < 48 || summary.readUInt16LE(0) !== 0xfffe) return null;
  const section = summary.readUInt32LE(44);
  if (section + 8 > summary.length) return null;
  const count = Math.min(summary.readUInt32LE(section + 4), maxProperties);
  for (let i = 0; i < count; i++) {
    const at = section + 8 + i * 8;
    if (at + 8 > summary.length) return null;
    if (summary.readUInt32LE(at) === id) return section + summary.readUInt32LE(at + 4);
  }
  return null;
}
