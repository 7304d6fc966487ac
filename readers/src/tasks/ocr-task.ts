/** The sandbox task that recognises printed text. */
import { ExtractError, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { countPages, preparePages, recognizePicture, renderPdfPages } from '../ocr.ts';

export interface OcrOptions {
  lang: string;
  maxPages: number;
  /** Time limit for one page. */
  pageSeconds: number;
  maxChars: number;
}

export interface OcrResult {
  text: string;
  truncated: boolean;
  pages: number;
}

export default async function recogniseText(source: Source, options: OcrOptions): Promise<OcrResult> {
  const bytes = readWholeFile(source, source.limits.documentMaxBytes);
  const isPdf = source.extension === 'pdf';
  const all = await countPages(bytes, isPdf);
  const wanted = Math.min(all, options.maxPages);
  const pictures = isPdf ? renderPdfPages(bytes, wanted) : preparePages(bytes, wanted);
  let text = '';
  let pages = 0;
  for await (const picture of pictures) {
    if (text.length > options.maxChars) break;
    text += `${pages > 0 ? '\f' : ''}${(await recognizePicture(picture, options)).trim()}`;
    pages += 1;
  }
  if (pages === 0) throw new ExtractError('corrupt', 'The file has no page to read.');
  return { text: text.trimEnd().slice(0, options.maxChars), truncated: text.length > options.maxChars || pages < all, pages };
}
