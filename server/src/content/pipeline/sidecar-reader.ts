import path from 'node:path';
import { createSandboxPool, defaultLimits, type SandboxPool, type SidecarFacts, sidecarTaskModule } from '@catalog/readers';
import type { ReadSidecar } from '../../catalog/sidecars/index.ts';
import { reachablePath } from './file-job.ts';

const limits = { ...defaultLimits, timeoutSeconds: 20 };

/** Reads sidecars in a sandboxed child process that starts with the first sidecar and ends with `close`. */
export function createSidecarReader(task = sidecarTaskModule): { read: ReadSidecar; close(): void } {
  let pool: SandboxPool | undefined;
  return {
    async read(root, relPath, kind) {
      pool ??= createSandboxPool({ size: 1, memoryMb: 512, tasks: { sidecar: task } });
      const reachable = reachablePath(root, relPath);
      try {
        const filename = path.basename(relPath);
        const job = { path: reachable.path, root, filename, extension: path.extname(filename).slice(1).toLowerCase(), size: 0, limits };
        const outcome = await pool.run<SidecarFacts | null>('sidecar', job, { kind });
        if (outcome.ok) return outcome.result;
        return outcome.unreadable || outcome.stopped || outcome.kind === 'dependency' ? 'unreadable' : null;
      } finally {
        reachable.release();
      }
    },
    close: () => pool?.close(),
  };
}
