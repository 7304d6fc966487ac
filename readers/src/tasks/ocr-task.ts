/** The sandbox task that recognises printed text. */
import { ExtractError, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { countPages, preparePicture, recognizePicture, renderPdfPage } from '../ocr.ts';

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
  let text = '';
  let pages = 0;
  let failure: ExtractError | undefined;
  for (let at = 0; at < wanted && text.length <= options.maxChars; at += 1) {
    if (at > 0) text += '\f';
    try {
      const picture = await (isPdf ? renderPdfPage(bytes, at) : preparePicture(bytes, at));
      text += (await recognizePicture(picture, options)).trim();
      pages += 1;
    } catch (error) {
      // A page that cannot be read must not cost the text of the others.
      if (!(error instanceof ExtractError) || (error.kind !== 'corrupt' && error.kind !== 'timeout')) throw error;
      failure ??= error;
    }
  }
  if (pages === 0) throw failure ?? new ExtractError('corrupt', 'The file has no page to read.');
  return { text: text.trimEnd().slice(0, options.maxChars), truncated: text.length > options.maxChars || pages < all, pages };
}
