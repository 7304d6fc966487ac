import { ExtractError, type Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { decodeText } from '../input/text-encoding.ts';

/** Reads the first `maxBytes` of a text file. Throws if the bytes are not text. */
export async function readTextHead(source: Source, maxBytes: number): Promise<{ text: string; truncated: boolean }> {
  return withFileBytes(source, (file) => {
    const bytes = file.read(0, maxBytes);
    const truncated = file.size > bytes.length;
    const decoded = decodeText(bytes, !truncated);
    if (decoded === null) throw new ExtractError('corrupt', 'The file is not text.');
    return { text: decoded.text, truncated };
  });
}

/** Removes undefined values and empty strings. */
export function withoutEmpty<T extends Record<string, unknown>>(facts: T): Partial<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')) as Partial<T>;
}

/** Truncates body text to the stored length. */
export function boundedText(text: string, maxChars: number): { bodyText?: string; bodyTextTruncated?: boolean } {
  if (text === '') return {};
  if (text.length <= maxChars) return { bodyText: text };
  return { bodyText: text.slice(0, maxChars).toWellFormed(), bodyTextTruncated: true };
}
