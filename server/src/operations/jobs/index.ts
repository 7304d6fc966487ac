import { reconcileRuns } from '../../catalog/scan/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type ReapCounts, reap, type StallLimits } from '../../platform/queue/index.ts';
import type { Settings } from '../../settings/index.ts';

export function stallLimits(settings: Settings): StallLimits {
  return {
    heartbeatSeconds: settings.jobStallHeartbeatSeconds,
    stallSeconds: settings.jobStallSeconds,
    exemptTasks: settings.jobStallAgeExemptTasks,
  };
}

/** Requeues or fails stalled jobs, and ends scan runs whose job no longer exists. */
export async function reapAll({
  db,
  settings,
}: Pick<Dependencies, 'db' | 'settings'>): Promise<ReapCounts & { scan_runs_reconciled: number }> {
  const counts = await reap(db, { ...stallLimits(settings), maxRequeues: settings.reapMaxAttempts });
  return { ...counts, scan_runs_reconciled: await reconcileRuns(db, settings.scanRunReconcileGraceSeconds) };
}
