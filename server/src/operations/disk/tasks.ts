import { rm } from 'node:fs/promises';
import { listThumbsDue, queueExtraction, requeuePending } from '../../content/pipeline/index.ts';
import { evictLeastRecentlyUsed, openThumbStore } from '../../content/thumbs/index.ts';
import { viewsFolder } from '../../content/views/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';

export function diskMaintenance({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const thumbs = openThumbStore(settings);
  const warnOverBudget = createBudgetWarning(settings, () => thumbs.totals());
  return [
    {
      key: 'monitor_disk',
      title: 'Disk space',
      description: 'Checks free space. When it is critical, removes old thumbnails until SVC_DISK_GC_TARGET_FREE_GB is free.',
      category: 'monitors',
      defaultCron: '*/5 * * * *',
      fixed: true,
      task: defineMaintenanceTask('monitor_disk', async ({ db, log, signal }) => {
        await requeuePending(db);
        await warnOverBudget(log);
        const { status, paths } = settings.diskMonitorEnabled ? await probeDisks(settings) : { status: 'unknown', paths: [] };
        const reasons = paths
          .filter(({ reason }) => reason)
          .map(({ label, reason }) => `${label}: ${reason}`)
          .join(' ');
        if (status === 'critical') log.warning(`Disk space is almost used up: ${reasons}`);
        else if (status === 'warn') log.warning(`Disk space is low: ${reasons}`);
        await reportDisks(db, paths);
        const config = paths.find(({ label }) => label === 'config');
        // Thumbnails that were skipped while the disk was full, or while thumbnails were switched off.
        if (settings.thumbsEnabled && config?.status !== 'critical')
          for (const [library, ids] of await listThumbsDue(db, 10_000)) await queueExtraction(db, library, ids);
        const wanted = settings.diskGcTargetFreeGb * 1_000_000_000 - (config?.free ?? 0);
        if (config?.status !== 'critical' || settings.diskGcTargetFreeGb === 0 || wanted <= 0) return;
        // Views go first because they are drawn again on demand.
        await rm(viewsFolder(settings), { recursive: true, force: true });
        const evicted = await evictLeastRecentlyUsed(thumbs, wanted, signal);
        log.warning(`Evicted ${evicted.files} thumbnails (${evicted.bytes} bytes) to free space.`);
      }),
    },
  ];
}

const watched = ['config', 'database'];

/**
 * Folders on one disk have the same size and free space, so a low one is reported once. While something writes to it the numbers differ and both
 * are reported, so the end is reported for each folder, also for one that is not watched any more.
 */
async function reportDisks(db: Db, paths: Awaited<ReturnType<typeof probeDisks>>['paths']): Promise<void> {
  for (const label of watched) {
    const disk = paths.find((each) => each.label === label);
    if (disk && disk.status !== 'ok') continue;
    await raiseSystemEvent(db, {
      kind: 'disk_low_space',
      subject: label,
      status: 'recovered',
      message: disk ? `The disk of ${label} has enough free space again.` : `The disk of ${label} is no longer watched.`,
    });
  }
  const low = paths.filter(({ status }) => status === 'warn' || status === 'critical');
  for (const disk of new Map(low.toReversed().map((each) => [`${each.total} ${each.free}`, each])).values())
    await raiseSystemEvent(db, {
      kind: 'disk_low_space',
      subject: disk.label,
      status: 'firing',
      message: `The disk of ${disk.label} has ${disk.pct_free.toFixed(1)} % free space. ${disk.reason ?? ''}`.trim(),
      facts: {
        level: disk.status,
        path: disk.path,
        label: disk.label,
        disk_status: disk.status,
        free: disk.free,
        total: disk.total,
        pct_free: disk.pct_free,
        reason: disk.reason,
      },
    });
}

/** The budget is advisory: exceeding it is logged at most once an hour and has no other effect. */
function createBudgetWarning({ thumbnailBudgetGb }: Dependencies['settings'], totals: () => Promise<{ bytes: number }>) {
  const budget = thumbnailBudgetGb * 1024 ** 3;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async (log: { warning(message: string): void }): Promise<void> => {
    if (budget === 0 || performance.now() - checkedAt < 3_600_000) return;
    checkedAt = performance.now();
    const { bytes } = await totals();
    if (bytes > budget) log.warning(`Thumbnails use ${(bytes / 1024 ** 3).toFixed(1)} GiB, above the budget of ${thumbnailBudgetGb} GiB.`);
  };
}
