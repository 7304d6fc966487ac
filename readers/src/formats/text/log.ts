import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { type FileBytes, fileChunks, withFileBytes } from '../../input/file-bytes.ts';
import { decodeText, detectEncoding } from '../../input/text-encoding.ts';
import { withoutEmpty } from '../result.ts';

const edgeBytes = 256 * 1024;
/** Lines beyond this offset are not counted. */
const countBytes = 256 * 1024 * 1024;

/** Log files: number of lines, first and last timestamp, and the beginning as text. */
export const log: Extractor = {
  name: 'log',
  version: 1,
  text: true,
  extensions: ['log', 'logs', 'log1', 'log2', 'err', 'trace', 'ltsv'],
  tools: [],
  keys: ['log', ...['lines', 'lines_truncated', 'first_timestamp', 'last_timestamp'].map((key) => `log.${key}`)],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const head = file.read(0, edgeBytes);
      const complete = file.size <= edgeBytes;
      const decoded = decodeText(head, complete);
      if (decoded === null) throw new ExtractError('corrupt', 'The file is not text.');
      const tail = complete ? decoded.text : (decodeText(file.read(file.size - edgeBytes, edgeBytes), false)?.text ?? '');
      const body = createBodyText(source.limits.bodyTextMaxChars);
      body.add(decoded.text);
      if (!complete) body.markTruncated();
      const wide = detectEncoding(head, complete).encoding.startsWith('utf-16');
      return {
        metadata: {
          log: withoutEmpty({
            ...countFileLines(file, wide),
            first_timestamp: firstTimestamp(decoded.text.split('\n', 500)),
            last_timestamp: firstTimestamp(tail.split('\n').slice(-500).reverse()),
          }),
        },
        ...body.result(),
      };
    }),
};

function countFileLines(file: FileBytes, wide: boolean): { lines: number; lines_truncated?: boolean } {
  let lines = 0;
  let last = 0x0a;
  for (const chunk of fileChunks(file, 1 << 20, 0, Math.min(file.size, countBytes))) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1))
      if (!wide || chunk[at + 1] === 0 || chunk[at - 1] === 0) lines++;
    last = chunk.at(-1) ?? last;
  }
  if (!wide && last !== 0x0a) lines++;
  return file.size > countBytes ? { lines, lines_truncated: true } : { lines };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function firstTimestamp(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const found = timestampIn(line.slice(0, 400));
    if (found) return found;
  }
  return undefined;
}

/** Finds ISO-like, web server (CLF) and epoch timestamps. Times without a year are ignored. */
export function timestampIn(line: string): string | undefined {
  const iso = /\b(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d+)?\s?(Z|[+-]\d\d:?\d\d)?/.exec(line);
  if (iso) return toIsoTime(`${iso[1]}-${iso[2]}-${iso[3]}T${iso[4]}:${iso[5]}:${iso[6]}`, iso[7]);
  const web = /\b(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})/.exec(line);
  const month = web ? months.indexOf((web[2] ?? '').toLowerCase()) + 1 : 0;
  if (web && month > 0)
    return toIsoTime(`${web[3]}-${String(month).padStart(2, '0')}-${(web[1] ?? '').padStart(2, '0')}T${web[4]}`, web[5]);
  const epoch = /^\[?(1\d{9})(?:\.\d+)?\b/.exec(line);
  return epoch ? new Date(Number(epoch[1]) * 1000).toISOString() : undefined;
}

function toIsoTime(local: string, zone: string | undefined): string | undefined {
  const zoned = zone === undefined ? `${local}Z` : local + zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  const date = new Date(zoned);
  if (Number.isNaN(date.getTime())) return undefined;
  return zone === undefined ? local : date.toISOString();
}
