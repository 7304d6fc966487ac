/** Reuses the result of `read` for `ms` and shares one read between concurrent callers. A failed read is not cached. */
export function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY;
  let last: Promise<T> | undefined;
  return () => {
    if (!last || performance.now() - readAt > ms) {
      readAt = performance.now();
      last = read();
      last.catch(() => {
        last = undefined;
      });
    }
    return last;
  };
}
