import { statfs } from 'node:fs/promises';
import type { Settings } from '../settings/index.ts';

type DiskStatus = 'ok' | 'warn' | 'critical' | 'unknown';

interface DiskPath {
  label: string;
  path: string;
  total: number;
  free: number;
  used: number;
  pct_free: number;
  status: DiskStatus;
  reason: string | null;
  is_pg: boolean;
}

interface DiskReport {
  status: DiskStatus;
  paths: DiskPath[];
}

const gb = 1_000_000_000;

/** Compares free space with an absolute and a percentage threshold. The stricter of the two decides. */
export function classifyDisk(settings: Settings, free: number, total: number): { status: DiskStatus; reason: string | null } {
  const percent = total > 0 ? (100 * free) / total : 0;
  const below = (freeGb: number, pct: number): string | null => {
    if (free < freeGb * gb) return `Less than ${freeGb} GB is free.`;
    return percent < pct ? `Less than ${pct} % is free.` : null;
  };
  const critical = below(settings.diskMinFreeGb, settings.diskCritPctFree);
  if (critical) return { status: 'critical', reason: critical };
  const warn = below(settings.diskWarnFreeGb, settings.diskWarnPctFree);
  return warn ? { status: 'warn', reason: warn } : { status: 'ok', reason: null };
}

/** Checks the config folder, the database folder if it is configured, and `more` paths by label. A path that cannot be read has status `unknown`. */
export async function probeDisks(settings: Settings, more: Record<string, string> = {}): Promise<DiskReport> {
  const pathByLabel: Record<string, string> = {
    config: settings.configDir,
    ...(settings.diskPgPath ? { database: settings.diskPgPath } : {}),
    ...more,
  };
  const paths = await Promise.all(Object.entries(pathByLabel).map(([label, path]) => probe(settings, label, path)));
  const order: DiskStatus[] = ['critical', 'warn', 'unknown', 'ok'];
  return { status: order.find((status) => paths.some((each) => each.status === status)) ?? 'ok', paths };
}

async function probe(settings: Settings, label: string, path: string): Promise<DiskPath> {
  const is_pg = label === 'database';
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    const [free, total] = [bavail * bsize, blocks * bsize];
    return {
      label,
      path,
      total,
      free,
      used: total - free,
      pct_free: total > 0 ? (100 * free) / total : 0,
      is_pg,
      ...classifyDisk(settings, free, total),
    };
  } catch (error) {
    return {
      label,
      path,
      total: 0,
      free: 0,
      used: 0,
      pct_free: 0,
      is_pg,
      status: 'unknown',
      reason: `The free space could not be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
    };
  }
}
