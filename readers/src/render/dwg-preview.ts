import { ExtractError, type Thumbnailer } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { decodeBitmap } from './bitmap.ts';
import { drawMetafile } from './metafile.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const sentinel = Buffer.from('1f256d07d43628289d57ca3f9d44102b', 'hex');
const maxPreviewBytes = 16 * 1024 * 1024;

/** The preview that AutoCAD stores in drawings since R13. The drawing itself is not evaluated. */
export const drawingPreviewThumbnails: Thumbnailer = {
  name: 'dwg-preview',
  version: 1,
  extensions: ['dwg', 'dwt'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      if (!/^AC10\d\d/.test(file.read(0, 6).toString('latin1'))) throw new ExtractError('corrupt', 'The drawing has no valid header.');
      for (const { kind, bytes } of previews(file)) {
        // A preview that cannot be decoded is skipped; there may be one of another kind.
        const rendered = await decode(kind, bytes, longestEdge).catch(() => null);
        if (rendered) return rendered;
      }
      return null;
    }),
};

/** Kinds: 2 is a bitmap, 3 a metafile, 6 a PNG. */
function decode(kind: number, bytes: Buffer, longestEdge: number): Promise<RenderedImage | null> {
  if (kind === 6) return decodeToEdge(bytes, longestEdge);
  return kind === 3 ? drawMetafile(bytes, longestEdge) : Promise.resolve(decodeBitmap(bytes));
}

function previews(file: FileBytes): { kind: number; bytes: Buffer }[] {
  const at = file.need(13, 4).readUInt32LE(0);
  const head = file.read(at, 21);
  if (head.length < 21 || !head.subarray(0, 16).equals(sentinel)) return [];
  const entries = file.read(at + 21, head.readUInt8(20) * 9);
  const found = [];
  for (let i = 0; i + 9 <= entries.length; i += 9) {
    const kind = entries.readUInt8(i);
    const size = entries.readUInt32LE(i + 5);
    if ([2, 3, 6].includes(kind) && size > 0 && size <= maxPreviewBytes)
      found.push({ kind, bytes: file.read(entries.readUInt32LE(i + 1), size) });
  }
  return found.sort((a, b) => b.kind - a.kind);
}
