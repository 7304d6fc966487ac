import type { FileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';

const fixedField = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/\0[\s\S]*$/, '')
    .trim();

/** SPSS: program, number of cases, label and day from the fixed header. */
export function readSpss(file: FileBytes): Record<string, unknown> | undefined {
  const head = file.read(0, 176);
  if (head.length < 176 || !/^\$FL[23]$/.test(head.toString('latin1', 0, 4))) return undefined;
  // The layout code reads 2 or 3 in the byte order the file was written in.
  const little = [2, 3].includes(head.readInt32LE(64));
  const number = (at: number): number => (little ? head.readInt32LE(at) : head.readInt32BE(at));
  const rows = number(80);
  return withoutEmpty({
    format: 'sav',
    generator: fixedField(head.subarray(4, 64)).replace(/^@\(#\)\s*/, ''),
    rows: rows >= 0 ? rows : undefined,
    created: fixedField(head.subarray(84, 101)),
    title: fixedField(head.subarray(109, 173)),
  });
}

/** Stata: release, variables and observations, from the marked-up form or the older fixed one. */
export function readStata(file: FileBytes): Record<string, unknown> | undefined {
  const head = file.read(0, 512);
  const text = head.toString('latin1');
  const release = /^<stata_dta><header><release>(\d{3})<\/release>/.exec(text)?.[1];
  if (release !== undefined) {
    const little = text.includes('<byteorder>LSF</byteorder>');
    const [k, n] = [text.indexOf('<K>') + 3, text.indexOf('<N>') + 3];
    if (k < 3 || n < 3 || n + 8 > head.length) return { format: 'dta', version: release };
    const variables = little ? head.readUInt16LE(k) : head.readUInt16BE(k);
    return { format: 'dta', version: release, column_count: variables, rows: little ? head.readUInt32LE(n) : head.readUInt32BE(n) };
  }
  if (head.length < 109 || ![113, 114, 115].includes(head[0]!)) return undefined;
  const little = head[1] === 2;
  return withoutEmpty({
    format: 'dta',
    version: String(head[0]),
    column_count: little ? head.readUInt16LE(4) : head.readUInt16BE(4),
    rows: little ? head.readUInt32LE(6) : head.readUInt32BE(6),
    title: fixedField(head.subarray(10, 91)),
  });
}
