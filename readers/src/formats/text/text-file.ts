import { ExtractError, type Source } from '../../contract.ts';
import { type FileBytes, fileChunks, openFileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { declaredEncoding, decodeText, type TextEncoding } from '../../input/text-encoding.ts';

/** The beginning of a text file. The rest is only counted, so that large files need little memory. */
interface TextFile {
  text: string;
  encoding: TextEncoding;
  /** Lines of the whole file, or undefined if the file is too long to count. */
  lines?: number;
  /** True if `text` holds the whole file. */
  complete: boolean;
}

const COUNT_MAX_BYTES = 256 * 1024 * 1024;

/** Returns null if the file is not text. With `markup`, an encoding that the document declares is used. */
export function readTextFile(
  source: Source,
  keepBytes = source.limits.bodyTextMaxChars * 4 + 4096,
  { markup = false } = {},
): TextFile | null {
  const file = openFileBytes(source.path);
  try {
    const head = file.read(0, keepBytes);
    const complete = head.length >= file.size;
    const declared = markup ? declaredEncoding(head) : undefined;
    const decoded = decodeText(head, complete, declared) ?? (markup ? decodeDamagedPage(head, complete, declared) : null);
    if (decoded === null) return null;
    const wide = /^utf-(16|32)/.test(decoded.encoding);
    let lines: number | undefined;
    if (complete) lines = countLines(decoded.text);
    else if (!wide && file.size <= COUNT_MAX_BYTES) {
      let breaks = 0;
      let last = 10;
      for (const chunk of fileChunks(file)) {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) breaks += 1;
        last = chunk[chunk.length - 1] as number;
      }
      lines = breaks + (last === 10 ? 0 : 1);
    }
    return { ...decoded, ...(lines !== undefined && { lines }), complete };
  } finally {
    file.close();
  }
}

/** A page that begins as one is read without stray control characters, which browsers ignore, too. */
function decodeDamagedPage(head: Buffer, complete: boolean, declared: string | undefined): ReturnType<typeof decodeText> {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(head.toString('latin1', 0, 256))) return null;
  const kept = head.filter((byte) => byte > 31 || byte === 9 || byte === 10 || byte === 13);
  return kept.length < head.length * 0.9 ? null : decodeText(Buffer.from(kept), complete, declared);
}

export function countLines(text: string): number {
  if (text === '') return 0;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks + (text.endsWith('\n') ? 0 : 1);
}

const maxLine = 1 << 20;

/** Yields lines without loading the whole file. Throws on a line over 1 MiB, which no supported format has. */
export function* textLines(file: FileBytes, from = 0): Generator<string> {
  let rest = '';
  for (const chunk of fileChunks(file, 1 << 20, from)) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new ExtractError('guard', 'A line of the file is longer than 1 MiB.');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

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

/** Decodes a fixed-width Latin-1 field that is padded with NUL or spaces. */
export function fixedField(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/\0[\s\S]*$/, '')
    .trim();
}
