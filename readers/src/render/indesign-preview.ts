import type { Thumbnailer } from '../contract.ts';
import { inDesignDescription } from '../formats/indesign.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge } from './pixels.ts';

/** The picture of the first page, which InDesign stores in the document's description. */
export const inDesignThumbnails: Thumbnailer = {
  name: 'indesign-preview',
  version: 1,
  extensions: ['indd', 'indt'],
  tools: [],
  async render(source, longestEdge) {
    const description = await withFileBytes(source, (file) => inDesignDescription(file)?.toString('latin1') ?? '');
    const picture = /<xmpGImg:image>([^<]*)|xmpGImg:image="([^"]*)"/.exec(description);
    if (picture === null) return null;
    const base64 = (picture[1] ?? picture[2] ?? '').replace(/&#x[Aa];/g, '');
    return decodeToEdge(Buffer.from(base64, 'base64'), longestEdge).catch(() => null);
  },
};
