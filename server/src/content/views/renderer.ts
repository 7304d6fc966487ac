/**
 * Draws pictures on demand in a sandboxed child process, one at a time.
 *
 * A requested picture is taken from the cache; or joins a drawing of the same picture that is pending; or starts a new drawing, which waits
 * for the child. A finished drawing is cached. When the last caller waiting for a drawing disconnects, it is aborted and the child killed.
 * More than `maxWaiting` different pictures at once are rejected. The child exits after `idleMs` without work, to free its memory.
 */
import { createHash } from 'node:crypto';
import {
  createSandboxPool,
  type FileJob,
  findExtractor,
  pageTaskModule,
  prepareSandbox,
  type SandboxPool,
  type TaskOutcome,
  turntableTaskModule,
  wordsTaskModule,
} from '@catalog/readers';
import type { ViewCache } from './cache.ts';

export type ViewKind = 'page' | 'turntable' | 'words';

interface ViewRequest {
  kind: ViewKind;
  /** Identifies the content of the file; different content must have a different value. */
  bytes: string;
  job: FileJob;
  options: object;
}

/** A null picture means that the file has no view of this kind. */
export type ViewOutcome =
  | { state: 'drawn'; picture: Buffer | null }
  | { state: 'failed'; unreadable: boolean; message: string }
  | { state: 'busy' | 'stopped' };

export interface ViewRenderer {
  keyOf(request: ViewRequest): string;
  /** `mayKeep` is called after drawing; false keeps the picture out of the cache, because the file changed or the disk is full. */
  draw(request: ViewRequest, mayKeep: () => Promise<boolean>, signal: AbortSignal): Promise<ViewOutcome>;
  /** Number of pictures being drawn or waiting. */
  pending(): number;
  close(): void;
}

interface Drawing {
  outcome: Promise<ViewOutcome>;
  stop: AbortController;
  waiting: number;
}

/** Increase when drawing changes, so that cached pictures of older code are not used. */
const version = 1;
const defaultTasks = {
  page: pageTaskModule,
  turntable: turntableTaskModule,
  words: wordsTaskModule,
} satisfies Record<ViewKind, URL>;

export function createViewRenderer({
  cache,
  maxWaiting = 16,
  idleMs = 60_000,
  tasks = defaultTasks,
}: {
  cache: ViewCache;
  maxWaiting?: number;
  idleMs?: number;
  /** The modules that run in the child; tests pass one that never ends. */
  tasks?: Record<ViewKind, URL>;
}): ViewRenderer {
  const drawings = new Map<string, Drawing>();
  let pool: SandboxPool | undefined;
  let idle: NodeJS.Timeout | undefined;

  // A slide is drawn from what its extractor returns.
  const keyOf = ({ kind, bytes, job, options }: ViewRequest): string =>
    createHash('sha256')
      .update(JSON.stringify([version, kind, bytes, job.extension, findExtractor(job.extension)?.version ?? 0, options]))
      .digest('hex')
      .slice(0, 32);

  async function drawNow(request: ViewRequest, mayKeep: () => Promise<boolean>, signal: AbortSignal): Promise<ViewOutcome> {
    clearTimeout(idle);
    await prepareSandbox();
    pool ??= createSandboxPool({ size: 1, tasks, background: false });
    const drawn: TaskOutcome<Uint8Array | null> = await pool.run(request.kind, request.job, request.options, signal);
    if (!drawn.ok && drawn.stopped) return { state: 'stopped' };
    if (!drawn.ok) return { state: 'failed', unreadable: drawn.unreadable === true, message: drawn.message };
    const picture = drawn.result === null ? null : Buffer.from(drawn.result);
    if (picture && (await mayKeep())) await cache.write(keyOf(request), picture);
    return { state: 'drawn', picture };
  }

  function startDrawing(key: string, request: ViewRequest, mayKeep: () => Promise<boolean>): Drawing {
    const stop = new AbortController();
    const outcome = drawNow(request, mayKeep, stop.signal).finally(() => {
      drawings.delete(key);
      if (drawings.size > 0) return;
      idle = setTimeout(() => {
        pool?.close();
        pool = undefined;
      }, idleMs);
      idle.unref();
    });
    const drawing = { outcome, stop, waiting: 0 };
    drawings.set(key, drawing);
    return drawing;
  }

  return {
    keyOf,
    pending: () => drawings.size,
    async draw(request, mayKeep, signal) {
      const key = keyOf(request);
      const cached = await cache.read(key);
      if (cached) return { state: 'drawn', picture: cached };
      if (signal.aborted) return { state: 'stopped' };
      const known = drawings.get(key);
      if (!known && drawings.size >= maxWaiting) return { state: 'busy' };
      const flight = known ?? startDrawing(key, request, mayKeep);
      flight.waiting += 1;
      const cancel = (): void => {
        flight.waiting -= 1;
        if (flight.waiting > 0) return;
        // A later request for the same picture must start anew, because this drawing is being killed.
        if (drawings.get(key) === flight) drawings.delete(key);
        flight.stop.abort();
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await flight.outcome;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    close() {
      clearTimeout(idle);
      pool?.close();
      pool = undefined;
    },
  };
}
