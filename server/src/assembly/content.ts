import os from 'node:os';
import path from 'node:path';
import { createExtractPool } from '../content/extract/index.ts';
import { createBackpressure, createGate, extractTask } from '../content/pipeline/index.ts';
import { createThumbStore, thumbTaskModule, type ThumbStore } from '../content/thumbs/index.ts';
import { probeDisks } from '../platform/disk.ts';
import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';
import { summariseJobs } from '../platform/queue/index.ts';

export function openThumbs({ settings }: Pick<Parts, 'settings'>): ThumbStore {
  return createThumbStore({ folder: path.join(settings.configDir, 'thumbs') });
}

export interface ContentWork {
  tasks: Task[];
  start(): void;
  stop(): void;
}

/** Extraction in one worker process: the pool of sandboxed readers, the ceiling that follows the machine's load, and the tasks. */
export function openContent(parts: Parts): ContentWork {
  const { db, settings, log } = parts;
  const most = settings.extractBackpressureMaxConcurrency || settings.workerConcurrency;
  const pressure = createBackpressure({
    enabled: settings.extractBackpressure,
    min: Math.min(settings.extractBackpressureMinConcurrency, most),
    max: most,
    highLoad: settings.extractBackpressureHighLoad,
    lowLoad: settings.extractBackpressureLowLoad,
    decreaseFactor: settings.extractBackpressureDecreaseFactor,
    expandCooldownSeconds: settings.extractBackpressureExpandCooldownSeconds,
  });
  const pool = createExtractPool({ size: Math.min(most, Math.max(2, os.availableParallelism())), tasks: { thumb: thumbTaskModule } });
  const thumbs = openThumbs(parts);
  const disk = cached(5000, () => probeDisks(settings));
  const gate = createGate({
    ceiling: pressure.ceiling,
    // At critical, extraction pauses only where the database's own disk is watched.
    open: async () => !(await disk()).paths.some((place) => place.is_pg && place.status === 'critical'),
  });
  const mayWriteThumbs = async () => !(await disk()).paths.some((place) => place.label === 'config' && place.status === 'critical');
  const pressureLog = log.child('backpressure');
  let timer: NodeJS.Timeout | undefined;

  async function sample(): Promise<void> {
    const [load = 0] = os.loadavg();
    const perCore = process.platform === 'win32' ? null : load / os.availableParallelism();
    const { queues } = await summariseJobs(db, { heartbeatSeconds: 30, stallSeconds: 3600, exemptTasks: [] });
    const said = pressure.sample(Date.now(), perCore, queues['extract']?.todo ?? 0);
    if (said) pressureLog.info(said);
  }

  return {
    tasks: [extractTask((at) => ({ db: at, settings, pool, thumbs, mayWriteThumbs }), gate) as unknown as Task],
    start() {
      timer = setInterval(() => void sample().catch(() => {}), settings.extractBackpressureSampleSeconds * 1000);
    },
    stop() {
      clearInterval(timer);
      pool.close();
    },
  };
}

/** Asked often, answered from the last look for a while. */
function cached<T>(ms: number, look: () => Promise<T>): () => Promise<T> {
  let at = 0;
  let last: Promise<T> | undefined;
  return () => {
    if (!last || Date.now() - at > ms) {
      at = Date.now();
      last = look();
    }
    return last;
  };
}
