import { statfs } from 'node:fs/promises';
import type { Settings } from '../settings/index.ts';

export type DiskStatus = 'ok' | 'warn' | 'critical' | 'unknown';

export interface DiskPath {
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

export interface DiskReport {
  status: DiskStatus;
  paths: DiskPath[];
}

const gb = 1_000_000_000;

/** Two floors, absolute and percent; the more conservative wins. */
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

/** The config directory, the database's data where it is named, and more places by label. A place that cannot be probed is shown as such. */
export async function probeDisks(settings: Settings, more: Record<string, string> = {}): Promise<DiskReport> {
  const places: Record<string, string> = {
    config: settings.configDir,
    ...(settings.diskPgPath ? { database: settings.diskPgPath } : {}),
    ...more,
  };
  const paths = await Promise.all(Object.entries(places).map(([label, path]) => probe(settings, label, path)));
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
      reason: `Cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    };
  }
}
