import type { Entry } from 'ldapts';

/** The values of an attribute as texts. */
export function textsOf(value: Entry[string] | undefined): string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.map((each) => (Buffer.isBuffer(each) ? each.toString('utf8') : each)).filter((each) => each !== '');
}

/** The first value of a binary attribute; empty when there is none. */
export function bytesOf(value: Entry[string] | undefined): Buffer {
  const first = Array.isArray(value) ? value[0] : value;
  return Buffer.isBuffer(first) ? first : Buffer.from(first ?? '', 'latin1');
}
