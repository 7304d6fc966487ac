/**
 * Draws pictures that somebody asks for, in a sandboxed child, one at a time.
 *
 * A picture: asked for -> found in the cache, or under way already (then both wait for the same drawing), or waiting for the one seat ->
 * drawn -> kept. When everybody who waits for it has gone, the drawing is stopped and its child killed. More than `maxWaiting` different
 * pictures at once are refused. The child goes after a minute without work, so that an idle service holds no memory for it.
 */
import { createHash } from 'node:crypto';
import {
  createSandboxPool,
  type SandboxPool,
  type FileJob,
  pageTaskModule,
  prepareSandbox,
  type TaskOutcome,
  turntableTaskModule,
  wordsTaskModule,
} from '@catalog/readers';
import type { ViewCache } from './cache.ts';

export type ViewKind = 'page' | 'turntable' | 'words';

export interface ViewRequest {
  kind: ViewKind;
  /** Names the bytes of the file; nothing else may share it. */
  bytes: string;
  job: FileJob;
  options: object;
}

/** `null` picture: the file has none of this kind. */
export type ViewOutcome =
  | { state: 'drawn'; picture: Buffer | null }
  | { state: 'failed'; unreadable: boolean; message: string }
  | { state: 'busy' | 'stopped' };

export interface ViewRenderer {
  keyOf(request: ViewRequest): string;
  /** `mayKeep` is asked after drawing: a file that changed meanwhile, or a full disk, keeps the picture out of the cache. */
  draw(request: ViewRequest, mayKeep: () => Promise<boolean>, signal: AbortSignal): Promise<ViewOutcome>;
  /** Pictures being drawn or waiting. */
  pending(): number;
  close(): void;
}

interface Drawing {
  outcome: Promise<ViewOutcome>;
  stop: AbortController;
  waiting: number;
}

/** Raised when drawing changes, so that older pictures are not shown. */
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
  /** What is run in the child; tests hand in a task that never ends. */
  tasks?: Record<ViewKind, URL>;
}): ViewRenderer {
  const drawings = new Map<string, Drawing>();
  let pool: SandboxPool | undefined;
  let idle: NodeJS.Timeout | undefined;

  const keyOf = ({ kind, bytes, job, options }: ViewRequest): string =>
    createHash('sha256')
      .update(JSON.stringify([version, kind, bytes, job.extension, options]))
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

  function begin(key: string, request: ViewRequest, mayKeep: () => Promise<boolean>): Drawing {
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
      const kept = await cache.read(key);
      if (kept) return { state: 'drawn', picture: kept };
      if (signal.aborted) return { state: 'stopped' };
      const known = drawings.get(key);
      if (!known && drawings.size >= maxWaiting) return { state: 'busy' };
      const flight = known ?? begin(key, request, mayKeep);
      flight.waiting += 1;
      const cancel = (): void => {
        flight.waiting -= 1;
        if (flight.waiting > 0) return;
        // A late comer starts a drawing of their own: this one is being killed.
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
