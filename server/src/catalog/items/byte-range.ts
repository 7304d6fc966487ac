export interface HttpRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * Reads a Range header over a body of this size. Null: answer the whole body (no header, another unit, several ranges, or nonsense, all of
 * which a server may ignore). `unsatisfiable`: the range begins behind the end.
 */
export function parseRange(header: string | undefined, size: number): HttpRange | 'unsatisfiable' | null {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [first, last] = [match[1]!, match[2]!];
  if (first === '') {
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end };
}
