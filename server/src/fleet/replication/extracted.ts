import type { ReportedFacts } from '../../catalog/scan/index.ts';

/** Markers that an agent may set; other keys with an underscore belong to the service. */
const markers = ['_extract_error', '_extract_error_kind', '_exif_error', '_ocr_error'];
const kinds = ['guard', 'corrupt', 'dependency', 'timeout'];
const maxMarker = 500;
const maxDepth = 12;

const extractorPattern = /^[a-z0-9-]{1,40}(@\d{1,6})?$/;

/**
 * The facts of a file as an agent has read them. They come from another machine: what cannot be stored is replaced or left out, and more
 * than `maxBytes` is void, so that the change itself is still applied.
 */
export function readExtracted(raw: unknown, maxBytes: number): ReportedFacts | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  if (Buffer.byteLength(JSON.stringify(raw)) > maxBytes) return failed('The agent sent more facts than the service accepts.');
  const { extractor, meta, title, year, body_text, body_text_truncated, archive_members } = raw as Record<string, unknown>;
  const metadata = Object.fromEntries(
    Object.entries(Object(meta) as Record<string, unknown>).flatMap(([key, value]) =>
      key.startsWith('_') ? [] : [[clean(key), plain(value, 0)]],
    ),
  );
  for (const key of markers) {
    const value = (Object(meta) as Record<string, unknown>)[key];
    if (typeof value === 'string') metadata[key] = clean(value).replace(/\s+/g, ' ').slice(0, maxMarker);
  }
  if (metadata['_extract_error_kind'] !== undefined && !kinds.includes(String(metadata['_extract_error_kind'])))
    metadata['_extract_error_kind'] = 'corrupt';
  if (body_text_truncated === true) metadata['body_text_truncated'] = true;
  boundRecognised(metadata);
  return {
    extractor: typeof extractor === 'string' && extractorPattern.test(extractor) ? extractor : 'none',
    metadata,
    title: text(title)?.slice(0, 1000) ?? null,
    year: typeof year === 'number' && Number.isInteger(year) && year > 0 && year < 10_000 ? year : null,
    bodyText: text(body_text),
    archiveMembers: text(archive_members),
  };
}

function failed(message: string): ReportedFacts {
  const metadata = { _extract_error: message, _extract_error_kind: 'guard' };
  return { extractor: 'none', metadata, title: null, year: null, bodyText: null, archiveMembers: null };
}

/** Recognised text is searched and shown as text, so its facts have the types that the service itself writes. */
function boundRecognised(metadata: Record<string, unknown>): void {
  const { ocr_text, ocr_source_hash, ocr_text_truncated } = metadata;
  if (typeof ocr_text !== 'string' || ocr_text === '') delete metadata['ocr_text'];
  if (typeof ocr_source_hash !== 'string' || !/^[0-9a-z-]{1,128}$/.test(ocr_source_hash)) delete metadata['ocr_source_hash'];
  if (ocr_text_truncated !== true || metadata['ocr_text'] === undefined) delete metadata['ocr_text_truncated'];
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? clean(value) : null);

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const clean = (value: string): string => value.toWellFormed().replaceAll('\0', ' ');

/** A value that can be stored; what is nested too deeply becomes null. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), plain(each, depth + 1)]));
}
