import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { runningWorkerLabels } from '../../platform/queue/index.ts';
import { effectivePresets } from '../presets/index.ts';
import { nextScans } from '../scan/index.ts';
import { type ReadStages, withoutStageCounts } from '../stages/index.ts';
import { findShare, type ShareMapEntry } from './share-map.ts';
import {
  type LastRunRow,
  type LibraryRow,
  newestScanRuns,
  type SourceAgentRow,
  scanThroughput,
  sourceAgents,
  type ThroughputRow,
} from './store.ts';

/** Libraries as the API returns them, with their newest scan. */
export async function presentLibraries(
  db: Db,
  rows: readonly LibraryRow[],
  shareMap: readonly ShareMapEntry[],
  visibility: Visibility,
  readStages: ReadStages,
) {
  const ids = rows.map(({ id }) => id);
  const [runs, rates] = [await newestScanRuns(db, ids), await scanThroughput(db, ids)];
  const agents = await sourceAgents(
    db,
    rows.flatMap(({ source_agent_id }) => source_agent_id ?? []),
  );
  const next = await nextScans(db, 'libraries', rows);
  const newest = [...runs.values()];
  const stages = await readStages(newest, visibility.unrestricted);
  const served = await servedLabels(db, rows);
  const custom = await db.selectFrom('presets').select(['name', 'patterns']).execute();
  return rows.map((row) => {
    const run = runs.get(row.id);
    const runStages = run && stages[newest.indexOf(run)];
    const share = findShare(row, shareMap);
    const agent = agents.get(row.source_agent_id ?? '');
    const { last_cron_fired_at: _fired, ...shown } = row;
    return {
      ...shown,
      effective_presets: effectivePresets(row.enabled_presets, custom).map(({ name }) => name),
      next_scan_at: next.get(row.id) ?? null,
      worker_missing:
        row.worker_labels.length === 0 || row.worker_labels.some((label) => served.has(label)) ? null : missingWorker(row.worker_labels),
      share_prefix_effective: share.prefix,
      share_prefix_source: share.source,
      share_unc_effective: share.unc,
      ...presentAgent(agent, row.root_path),
      last_scan:
        run && runStages
          ? { ...presentLastScan(run, rates.get(row.id)), ...(agent ? presentReported(run, row.root_path, agent) : {}), ...runStages }
          : null,
      last_full_scan_at: row.last_full_scan_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  });
}

/** The labels of running workers. Most installations use none and need no query. */
async function servedLabels(db: Db, rows: readonly LibraryRow[]): Promise<Set<string>> {
  return rows.some(({ worker_labels }) => worker_labels.length > 0) ? runningWorkerLabels(db) : new Set();
}

function missingWorker(labels: readonly string[]): string {
  const names = labels.map((label) => `"${label}"`).join(', ');
  return labels.length > 1
    ? `Not yet: no running worker has one of the labels ${names}. Start a worker with SVC_WORKER_LABELS=${labels[0]} where the disk is mounted, or change the labels.`
    : `Not yet: no running worker has the label ${names}. Start a worker with SVC_WORKER_LABELS=${labels[0]} where the disk is mounted, or change the label.`;
}

function presentAgent(agent: SourceAgentRow | undefined, rootPath: string) {
  return {
    agent_name: agent?.name ?? null,
    agent_status: agent?.status ?? null,
    agent_last_seen_at: agent?.last_seen_at?.toISOString() ?? null,
    agent_last_reconcile_at: agent?.last_reconcile_at?.toISOString() ?? null,
    agent_error: agent ? errorOf(agent, rootPath) : null,
  };
}

function presentLastScan(run: LastRunRow, rates: ThroughputRow | undefined) {
  const count = (name: string): number => (typeof run.stats[name] === 'number' ? (run.stats[name] as number) : 0);
  const rate = (name: string): number | null => (typeof run.stats[name] === 'number' ? (run.stats[name] as number) : null);
  const pruned_files = typeof run.stats['pruned_files'] === 'number' ? run.stats['pruned_files'] : null;
  const seconds = run.finished_at ? (run.finished_at.getTime() - run.started_at.getTime()) / 1000 : null;
  const per = (total: number): number | null => (seconds && seconds > 0 ? Math.round((total / seconds) * 10) / 10 : null);
  return {
    id: run.id,
    status: run.status,
    trigger: run.trigger,
    scope: run.scope,
    recursive: run.recursive,
    started_at: run.started_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
    seconds,
    error: run.error,
    error_code: run.error_code,
    seen: count('seen'),
    new: count('new'),
    changed: count('changed'),
    missing: count('missing'),
    moved: count('moved'),
    bytes_seen: count('bytes_seen'),
    excluded_gate: count('excluded_gate'),
    excluded_filtered: count('excluded_filtered'),
    pruned_dirs: count('pruned_dirs'),
    pruned_files,
    permission_denied: count('permission_denied'),
    files_per_s: rate('files_per_s') ?? per(count('seen')),
    bytes_per_s: rate('bytes_per_s') ?? per(count('bytes_seen')),
    median_files_per_s: rates ? Math.round(rates.median_files_per_s * 10) / 10 : null,
    throughput_runs: rates?.throughput_runs ?? 0,
    accounting: accountingLine(count, pruned_files),
    counts_hidden: false,
  };
}

/**
 * Agents report differences, so a run of theirs says neither what is on disk nor how long the scan took. The agent itself says when it last
 * scanned the folder.
 */
function presentReported(run: LastRunRow, rootPath: string, agent: SourceAgentRow) {
  const scannedAt = lastScanOf(agent, rootPath);
  const isLater = scannedAt !== null && run.finished_at !== null && scannedAt > run.finished_at;
  return {
    ...(isLater ? { started_at: scannedAt.toISOString(), finished_at: scannedAt.toISOString() } : {}),
    recursive: false,
    seconds: null,
    files_per_s: null,
    bytes_per_s: null,
    accounting: null,
  };
}

/** What the agent says about a folder, in whatever form. */
function reportedRoot({ roots }: SourceAgentRow, rootPath: string): { last_scan_at?: unknown; last_error?: unknown } {
  return Object((Array.isArray(roots) ? roots : []).find((each) => (Object(each) as { path?: unknown }).path === rootPath));
}

/** Null when the agent has not said it in a form that can be read. A clock that is ahead does not count. */
function lastScanOf(agent: SourceAgentRow, rootPath: string): Date | null {
  const at = Date.parse(String(reportedRoot(agent, rootPath).last_scan_at));
  return Number.isNaN(at) ? null : new Date(Math.min(at, agent.last_seen_at?.getTime() ?? at));
}

const maxErrorLength = 500;

function errorOf(agent: SourceAgentRow, rootPath: string): string | null {
  const { last_error } = reportedRoot(agent, rootPath);
  return typeof last_error === 'string' && last_error !== '' ? last_error.slice(0, maxErrorLength) : null;
}

type PresentedLibrary = Awaited<ReturnType<typeof presentLibraries>>[number];

/**
 * Callers who see only part of a library get its newest scan without counters, which count all files, without the error, which may name
 * such a count, and without a folder they may not see. Nor do they get its patterns, which name folders.
 */
export function presentForCaller(library: PresentedLibrary, visibility: Visibility): PresentedLibrary {
  if (visibility.seesWhole(library.id)) return library;
  const { last_scan: scan } = library;
  const isScopeShown = scan !== null && (scan.scope === '' || visibility.allows(library.id, scan.scope, 'search_metadata'));
  return {
    ...library,
    include_globs: [],
    exclude_globs: [],
    agent_error: null,
    last_scan: scan && {
      ...scan,
      ...noCounts,
      scope: isScopeShown ? scan.scope : '…',
      stages: withoutStageCounts(scan.stages),
      counts_hidden: true,
    },
  };
}

const noCounts = {
  error: null,
  seen: 0,
  new: 0,
  changed: 0,
  missing: 0,
  moved: 0,
  bytes_seen: 0,
  excluded_gate: 0,
  excluded_filtered: 0,
  pruned_dirs: 0,
  pruned_files: null,
  permission_denied: 0,
  files_per_s: null,
  bytes_per_s: null,
  median_files_per_s: null,
  throughput_runs: 0,
  accounting: null,
};

/** "1,204 seen + 31 excluded + 410 in skipped folders = 1,645 files on disk", or a lower bound when files in skipped folders were not counted. */
export function accountingLine(count: (name: string) => number, prunedFiles: number | null): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  const seen = count('seen');
  const excluded = count('excluded_gate') + count('excluded_filtered');
  const pruned = count('pruned_dirs');
  const denied = count('permission_denied');
  const exact = pruned === 0 || prunedFiles !== null;
  const terms = [
    `${number(seen)} seen`,
    `${number(excluded)} excluded`,
    ...(prunedFiles === null ? [] : [`${number(prunedFiles)} in skipped folders`]),
  ];
  const total = number(seen + excluded + (prunedFiles ?? 0));
  const sum = exact ? `${terms.join(' + ')} = ${total} files on disk` : `${terms.join(' + ')}: at least ${total} files on disk`;
  const notes = [
    ...(exact ? [] : [`${number(pruned)} skipped folder${pruned === 1 ? '' : 's'} not counted`]),
    ...(denied > 0 ? [`${number(denied)} folder${denied === 1 ? '' : 's'} not readable`] : []),
  ];
  return notes.length > 0 ? `${sum}; ${notes.join('; ')}` : sum;
}
