import type { HashRequest, HashResult } from './hash-file.ts';

/** A batch of requests on its way to a thread: columns, not objects, because objects are copied one by one. */
export interface HashMessage {
  id: number;
  paths: string;
  sizes: Float64Array;
  mtimes: string;
  content: Uint8Array;
}

export function packRequests(id: number, requests: readonly HashRequest[]): HashMessage {
  return {
    id,
    paths: requests.map(({ path }) => path).join('\0'),
    sizes: Float64Array.from(requests, ({ size }) => size),
    mtimes: requests.map(({ mtimeNs }) => mtimeNs).join(' '),
    content: Uint8Array.from(requests, ({ content }) => (content ? 1 : 0)),
  };
}

export function unpackRequests({ paths, sizes, mtimes, content }: HashMessage): HashRequest[] {
  const times = mtimes.split(' ');
  return paths.split('\0').map((path, at) => ({ path, size: sizes[at]!, mtimeNs: times[at]!, content: content[at] === 1 }));
}

/** One line a result: an error after `!`, else the quick hash and, when there is one, the content hash. */
export function packResults(results: readonly HashResult[]): string {
  return results
    .map((result) =>
      result.error !== undefined ? `!${result.error}` : result.content === null ? result.quick : `${result.quick} ${result.content}`,
    )
    .join('\n');
}

export function unpackResults(text: string): HashResult[] {
  return text.split('\n').map((line) => {
    if (line.startsWith('!')) return { error: line.slice(1) };
    const blank = line.indexOf(' ');
    return blank === -1 ? { quick: line, content: null } : { quick: line.slice(0, blank), content: line.slice(blank + 1) };
  });
}
