import type { Source, Extracted } from '../contract.ts';
import { readProvenance } from '../input/provenance.ts';
import { findExtractor } from '../registry.ts';
import type { ExtractResult, ExtractTaskOptions } from '../sandbox/protocol.ts';

/** The task every child knows: look the extension up, let its extractor read the file, and make the result plain. */

export default async function extract(source: Source, options: ExtractTaskOptions): Promise<ExtractResult> {
  const provenance = options.provenance ? readProvenance(source.path) : {};
  const known = Object.keys(provenance).length > 0 ? { provenance } : {};
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) return { unsupported: true, ...known };
  const extracted = plainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  return { extracted, extractor: extractor.name, version: extractor.version, ...known };
}

/**
 * The last step of every extraction: only values that JSON and the database can hold leave the child. Dates become ISO texts, NUL and lone
 * surrogates vanish, numbers that are none are dropped, long texts and lists are cut, and so is anything nested too deep.
 */

const MAX_TEXT = 8192;
const MAX_LIST = 2000;
const MAX_KEYS = 500;
const MAX_DEPTH = 8;

export function plainExtracted(extracted: Extracted, maxBodyChars: number): Extracted {
  const plain: Extracted = { metadata: (plainValue(extracted.metadata, 0) as Record<string, unknown> | undefined) ?? {} };
  const title = extracted.title === undefined ? '' : plainText(extracted.title).replace(/\s+/g, ' ').trim().slice(0, 1000);
  if (title !== '') plain.title = title.toWellFormed();
  if (extracted.year !== undefined && Number.isInteger(extracted.year) && extracted.year > 0 && extracted.year < 10_000)
    plain.year = extracted.year;
  const body = extracted.bodyText === undefined ? '' : plainText(extracted.bodyText);
  if (body !== '') plain.bodyText = body.length > maxBodyChars ? body.slice(0, maxBodyChars).toWellFormed() : body;
  if (extracted.bodyTextTruncated || body.length > maxBodyChars) plain.bodyTextTruncated = true;
  const members = extracted.archiveMembers === undefined ? '' : plainText(extracted.archiveMembers);
  if (members !== '') plain.archiveMembers = members;
  return plain;
}

export function plainText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

export function plainValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = plainText(value).trim();
    return text === '' ? undefined : text.length > MAX_TEXT ? text.slice(0, MAX_TEXT).toWellFormed() : text;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint')
    return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    const list = value
      .slice(0, MAX_LIST)
      .map((entry) => plainValue(entry, depth + 1))
      .filter((entry) => entry !== undefined);
    return list;
  }
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, MAX_KEYS)) {
    const inner = plainValue((value as Record<string, unknown>)[key], depth + 1);
    if (inner !== undefined) plain[plainText(key)] = inner;
  }
  return plain;
}
