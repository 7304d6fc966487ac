/** Passes progress on at most once a second; values in between are collapsed to the latest. */
export interface ProgressWriter {
  report(value: Record<string, unknown>): void;
  /** Stops writing and hands over the value that was not written yet. */
  close(): Promise<Record<string, unknown> | null>;
}

export function createProgress(write: (value: Record<string, unknown>) => Promise<void>, apartMs = 1_000): ProgressWriter {
  let pending: Record<string, unknown> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let closed = false;

  const flush = (): void => {
    timer = null;
    if (closed || !pending) return;
    const value = pending;
    pending = null;
    // Progress is a courtesy: one that cannot be written is replaced by the next.
    writing = write(value).catch(() => {});
    timer = setTimeout(flush, apartMs);
    timer.unref();
  };

  return {
    report(value) {
      if (closed) return;
      pending = { ...value };
      if (!timer) flush();
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await writing;
      return pending;
    },
  };
}
