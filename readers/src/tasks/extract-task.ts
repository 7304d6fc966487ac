import type { Extracted, Source } from '../contract.ts';
import { readProvenance } from '../input/provenance.ts';
import { findExtractor } from '../registry.ts';
import type { ExtractResult, ExtractTaskOptions } from '../sandbox/protocol.ts';

/** The sandbox task that runs the extractor of a file's extension. */
export default async function extract(source: Source, options: ExtractTaskOptions): Promise<ExtractResult> {
  const provenance = options.provenance ? readProvenance(source.path) : {};
  const withProvenance = Object.keys(provenance).length > 0 ? { provenance } : {};
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) return { unsupported: true, ...withProvenance };
  const extracted = toPlainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  return { extracted, extractor: extractor.name, version: extractor.version, ...withProvenance };
}

/**
 * Limits for values that leave the child, which must fit JSON and the database. Dates become ISO strings, NUL characters and lone
 * surrogates are removed, NaN and infinities are dropped, and long texts, long lists and deep nesting are cut.
 */
const maxTextChars = 8192;
const maxListItems = 2000;
const maxKeys = 500;
const maxDepth = 8;

export function toPlainExtracted(extracted: Extracted, maxBodyChars: number): Extracted {
  const plain: Extracted = { metadata: (toPlainValue(extracted.metadata, 0) as Record<string, unknown> | undefined) ?? {} };
  const title = extracted.title === undefined ? '' : toPlainText(extracted.title).replace(/\s+/g, ' ').trim().slice(0, 1000);
  if (title !== '') plain.title = title.toWellFormed();
  if (extracted.year !== undefined && Number.isInteger(extracted.year) && extracted.year > 0 && extracted.year < 10_000)
    plain.year = extracted.year;
  const body = extracted.bodyText === undefined ? '' : toPlainText(extracted.bodyText);
  if (body !== '') plain.bodyText = body.length > maxBodyChars ? body.slice(0, maxBodyChars).toWellFormed() : body;
  if (extracted.bodyTextTruncated || body.length > maxBodyChars) plain.bodyTextTruncated = true;
  const members = extracted.archiveMembers === undefined ? '' : toPlainText(extracted.archiveMembers);
  if (members !== '') plain.archiveMembers = members;
  return plain;
}

function toPlainText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

function toPlainValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = toPlainText(value).trim();
    return text === '' ? undefined : text.length > maxTextChars ? text.slice(0, maxTextChars).toWellFormed() : text;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint')
    return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || depth >= maxDepth || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    const list = value
      .slice(0, maxListItems)
      .map((entry) => toPlainValue(entry, depth + 1))
      .filter((entry) => entry !== undefined);
    return list;
  }
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, maxKeys)) {
    const inner = toPlainValue((value as Record<string, unknown>)[key], depth + 1);
    if (inner !== undefined) plain[toPlainText(key)] = inner;
  }
  return plain;
}
