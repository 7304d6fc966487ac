import type { SandboxPool } from './sandbox/pool.ts';
import type { FileJob } from './sandbox/protocol.ts';
import type { OcrOptions, OcrResult } from './tasks/ocr-task.ts';

/** Files with these extensions can be scans whose text must be recognised. */
export const ocrExtensions: readonly string[] = ['pdf', 'png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'bmp', 'gif'];

export const mayNeedOcr = (extension: string): boolean => ocrExtensions.includes(extension);

/** A document with at least this many characters of embedded text is not a scan. */
const embeddedTextMinChars = 100;

export const hasOwnText = (bodyText: string | undefined): boolean => (bodyText ?? '').trim().length >= embeddedTextMinChars;

export type OcrRules = Pick<OcrOptions, 'lang' | 'maxPages' | 'pageSeconds'>;

/** `unavailable`: the machine lacks what recognition needs, so another attempt may succeed later. */
export interface Recognised {
  metadata: Record<string, unknown>;
  unavailable: boolean;
}

/** Recognises the text of a picture or of scanned pages, in a pool with the task `ocr`. `bytes` names the bytes of the file. */
export async function recogniseText(
  pool: SandboxPool,
  job: FileJob,
  { lang, maxPages, pageSeconds }: OcrRules,
  bytes: string,
  signal: AbortSignal,
): Promise<Recognised | 'stopped'> {
  const limits = { ...job.limits, timeoutSeconds: pageSeconds * maxPages + 30 };
  const options: OcrOptions = { lang, maxPages, pageSeconds, maxChars: limits.bodyTextMaxChars };
  const outcome = await pool.run<OcrResult>('ocr', { ...job, limits }, options, signal);
  if (!outcome.ok)
    return outcome.stopped ? 'stopped' : { metadata: { _ocr_error: outcome.message }, unavailable: outcome.kind === 'dependency' };
  const { text, truncated } = outcome.result;
  const metadata =
    text === ''
      ? { ocr_source_hash: bytes }
      : { ocr_text: text, ocr_source_hash: bytes, ...(truncated ? { ocr_text_truncated: true } : {}) };
  return { metadata, unavailable: false };
}
