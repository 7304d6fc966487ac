import path from 'node:path';
import type { ReadSidecar } from '../../catalog/sidecars/index.ts';
import { createSandboxPool, defaultLimits, type SandboxPool, type SidecarFacts, sidecarTaskModule } from '@catalog/readers';
import { reachablePath } from './file-job.ts';

const limits = { ...defaultLimits, timeoutSeconds: 20 };

/** Reads sidecars in a sandboxed child, which starts with the first of them and goes with `close`. */
export function createSidecarReader(task = sidecarTaskModule): { read: ReadSidecar; close(): void } {
  let pool: SandboxPool | undefined;
  return {
    async read(root, relPath, kind) {
      pool ??= createSandboxPool({ size: 1, memoryMb: 512, tasks: { sidecar: task } });
      const place = reachablePath(root, relPath);
      try {
        const filename = path.basename(relPath);
        const job = { path: place.path, filename, extension: path.extname(filename).slice(1).toLowerCase(), size: 0, limits };
        const outcome = await pool.run<SidecarFacts | null>('sidecar', job, { kind });
        return outcome.ok ? outcome.result : null;
      } finally {
        place.release();
      }
    },
    close: () => pool?.close(),
  };
}
