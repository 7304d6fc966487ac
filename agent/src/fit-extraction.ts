import type { ReplicatedExtraction } from '@catalog/protocol';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Cuts the text, the recognised text, then the names of members, until everything fits into what the service accepts of one file. */
export function fitExtraction(given: ReplicatedExtraction, maxBytes: number): ReplicatedExtraction {
  if (sizeOf(given) <= maxBytes) return given;
  const { body_text = '', archive_members = '', meta, ...facts } = given;
  const { ocr_text, ...shortMeta } = meta;
  const recognised = typeof ocr_text === 'string' ? ocr_text : '';
  // Names of the fields and the flags that say what was cut need room too.
  const left = maxBytes - sizeOf({ ...facts, meta: shortMeta }) - 128;
  if (left < 0)
    return {
      schema: 1,
      extractor: given.extractor,
      meta: { _extract_error: 'The facts of this file are too large to be sent.', _extract_error_kind: 'guard' },
    };
  const text = cut(body_text, left);
  const ocr = cut(recognised, left - sizeOf(text));
  const members = cut(archive_members, left - sizeOf(text) - sizeOf(ocr));
  return {
    ...facts,
    meta: {
      ...shortMeta,
      ...(ocr === '' ? {} : { ocr_text: ocr }),
      ...(ocr === recognised ? {} : { ocr_text_truncated: true }),
    },
    ...(text === '' ? {} : { body_text: text }),
    ...(text === body_text ? {} : { body_text_truncated: true }),
    ...(members === '' ? {} : { archive_members: members }),
  };
}

/** The longest beginning whose JSON has at most `maxBytes`, without half of a surrogate pair at its end. */
function cut(text: string, maxBytes: number): string {
  if (sizeOf(text) <= maxBytes) return text;
  let [low, high] = [0, Math.min(text.length, Math.max(0, maxBytes))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(text.slice(0, middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  const end = /[\ud800-\udbff]/.test(text[low - 1] ?? '') ? low - 1 : low;
  return text.slice(0, end);
}
