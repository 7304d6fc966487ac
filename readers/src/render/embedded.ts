import type { Source, Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { openZip, type Zip, type ZipEntry } from '../input/zip.ts';
import { drawMetafile } from './metafile.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxPictureBytes = 32 * 1024 * 1024;

/** Paths of previews inside zip-based documents, the larger ones first. */
const previewPaths = [
  'mergedimage.png',
  'preview.png',
  'previews/preview.png',
  'preview.jpg',
  'preview-web.jpg',
  'QuickLook/Preview.jpg',
  'QuickLook/Thumbnail.jpg',
  'QuickLook/Thumbnail.png',
  'docProps/thumbnail.jpeg',
  'docProps/thumbnail.jpg',
  'docProps/thumbnail.png',
  'docProps/thumbnail.emf',
  'docProps/thumbnail.wmf',
  'Thumbnails/thumbnail.png',
  'thumbnails/Thumbnail.png',
];

/** Zip-based drawings, layered pictures and other documents that contain a preview. */
export const embeddedThumbnails: Thumbnailer = {
  name: 'embedded',
  version: 1,
  extensions: 'vsdx odg pages numbers key ora kra sketch procreate fcstd'.split(' '),
  tools: [],
  render: readEmbeddedPreview,
};

/** A damaged preview yields no picture instead of an error, because the document itself may be intact. */
export function readEmbeddedPreview(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  return drawMember(source, longestEdge, (zip) =>
    previewPaths.map((name) => zip.find(name)).find((entry) => entry !== undefined && !entry.encrypted && entry.size > 0),
  );
}

const pictureFolders = /^(?:(?:word|xl|ppt)\/media|Pictures)\/[^/]+\.(?:jpe?g|png|gif|tiff?|webp|bmp|emf|wmf)$/i;

/** The largest picture inside an office document. Smaller ones are usually logos and icons. */
export function readLargestPicture(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  return drawMember(source, longestEdge, (zip) =>
    zip.entries
      .filter(({ name, encrypted, size }) => pictureFolders.test(name) && !encrypted && size <= maxPictureBytes)
      .reduce<ZipEntry | undefined>((best, entry) => (best === undefined || entry.size > best.size ? entry : best), undefined),
  );
}

async function drawMember(source: Source, longestEdge: number, choose: (zip: Zip) => ZipEntry | undefined): Promise<RenderedImage | null> {
  const found = await withFileBytes(source, (file) => {
    // Password-protected documents and cryptographic keys (.key, like Keynote) are not zip files and have no preview.
    if (file.read(0, 2).toString('latin1') !== 'PK') return null;
    const zip = openZip(file, source.limits);
    const entry = choose(zip);
    return entry === undefined ? null : { name: entry.name, picture: zip.read(entry, maxPictureBytes) };
  });
  if (found === null) return null;
  const draw = /\.[ew]mf$/i.test(found.name) ? drawMetafile : decodeToEdge;
  return draw(found.picture, longestEdge).catch(() => null);
}

/** The largest of the base64 pictures that slicers write into G-code comments. */
export const gcodeThumbnails: Thumbnailer = {
  name: 'gcode',
  version: 1,
  extensions: ['gcode', 'gco'],
  tools: [],
  async render(source, longestEdge) {
    const text = await withFileBytes(source, (file) => file.read(0, 4 * 1024 * 1024).toString('latin1'));
    let best = '';
    for (const [, body = ''] of text.matchAll(
      /^; thumbnail(?:_JPG|_QOI)? begin \d+x\d+ \d+\r?\n([\s\S]*?)^; thumbnail(?:_JPG|_QOI)? end/gm,
    ))
      if (body.length > best.length) best = body;
    // A damaged picture yields no thumbnail; the G-code itself may be intact.
    return best === '' ? null : decodeToEdge(Buffer.from(best.replace(/^; ?/gm, ''), 'base64'), longestEdge).catch(() => null);
  },
};

const maxBlocks = 64;
const maxEdge = 1024;

/** The small preview that Blender writes near the start of a scene file. */
export const blendThumbnails: Thumbnailer = {
  name: 'blend',
  version: 1,
  extensions: ['blend', 'blend1'],
  tools: [],
  render: (source) =>
    withFileBytes(source, (file) => {
      const head = file.read(0, 12).toString('latin1');
      const mark = /^BLENDER([_-])([vV])\d{3}/.exec(head);
      if (!mark) return null;
      const pointer = mark[1] === '_' ? 4 : 8;
      const little = mark[2] === 'v';
      const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
      let at = 12;
      for (let i = 0; i < maxBlocks; i++) {
        const block = file.read(at, 16 + pointer);
        if (block.length < 16 + pointer) return null;
        const size = u32(block, 4);
        const body = at + 16 + pointer;
        if (block.toString('latin1', 0, 4) === 'TEST') {
          const [width, height] = [u32(file.need(body, 8), 0), u32(file.need(body, 8), 4)];
          if (width === 0 || height === 0 || width > maxEdge || height > maxEdge || size < 8 + width * height * 4) return null;
          return { data: flipRows(file.need(body + 8, width * height * 4), width, height), raw: { width, height, channels: 4 } };
        }
        at = body + size;
      }
      return null;
    }),
};

/** Reverses the rows, which are stored bottom-up. */
function flipRows(pixels: Buffer, width: number, height: number): Buffer {
  const out = Buffer.allocUnsafe(pixels.length);
  const row = width * 4;
  for (let y = 0; y < height; y++) pixels.copy(out, (height - 1 - y) * row, y * row, (y + 1) * row);
  return out;
}
