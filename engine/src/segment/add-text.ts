import type { GrowingU32 } from './growing-arrays.ts';

/** Begins a field in the stream; `endField` closes it. */
export function beginField(stream: GrowingU32, field: number): number {
  const head = stream.length;
  stream.push(field);
  stream.push(0);
  return head;
}

/** Ends it where its last token does: a gap behind that separates nothing, and a field without tokens is not there. */
export function endField(stream: GrowingU32, head: number, end: number): void {
  const entries = end - head - 2;
  stream.length = entries === 0 ? head : end;
  if (entries > 0) stream.items[head + 1] = entries;
}
