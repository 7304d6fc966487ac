import { constants } from 'node:fs';
import { access, opendir, stat } from 'node:fs/promises';
import { isOnNetwork } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { readLogs } from '../../platform/log/index.ts';
import { agentVerdicts, failedJobs, jobVerdicts } from './diagnose-jobs.ts';
import { type LastRunRow, type LibraryRow, sourceAgents } from './store.ts';
import { type DiagnosisVerdict, verdict } from './verdict.ts';

interface ErrorSummary {
  total: number;
  by_kind: Record<string, number>;
  top_messages: { message: string; count: number }[];
}

const recentRuns = 6;
const shownLogs = 10;

/** The problems of a library, most severe first, each with what to do about it. */
export async function diagnose({ db, now }: { db: Db; now: Date }, visibility: Visibility, library: LibraryRow, probe = probeRoot) {
  const path = library.source_agent_id === null ? await probe(library.root_path) : null;
  const { rows: runs } =
    await sql<LastRunRow>`select id, library_id, status, phase, trigger, scope, recursive, started_at, finished_at, error, error_code, stats
    from scan_runs where library_id = ${library.id} order by id desc limit ${recentRuns}`.execute(db);
  const errors = await errorSummary(db, visibility, library.id);
  const agent =
    library.source_agent_id === null ? undefined : (await sourceAgents(db, [library.source_agent_id])).get(library.source_agent_id);
  const seesWhole = visibility.seesWhole(library.id);
  // Their messages may name files that a restricted caller may not see.
  const failed = visibility.unrestricted ? await failedJobs(db, library.id) : [];
  const { logs } = visibility.unrestricted ? await readLogs(db, { min_level: 'warning', q: library.id, limit: shownLogs }) : { logs: [] };
  const verdicts = [
    ...(path ? pathVerdicts(library, path) : agentVerdicts(agent, now)),
    ...scanVerdicts(library, runs, seesWhole),
    ...errorVerdicts(errors),
    ...jobVerdicts(failed),
  ];
  const rank = { error: 0, warning: 1, info: 2, ok: 3 };
  return {
    library_id: library.id,
    path: path && { ...path, root_path: library.root_path },
    runs: runs.map(({ id, status, scope, started_at, finished_at, error }) => ({
      id,
      status,
      scope: visibility.unrestricted ? scope : '',
      started_at: started_at.toISOString(),
      finished_at: finished_at?.toISOString() ?? null,
      error: seesWhole ? error : null,
    })),
    extract_errors: errors,
    failed_jobs: failed.map(({ finished_at, ...job }) => ({ ...job, finished_at: finished_at?.toISOString() ?? null })),
    logs: logs.map(({ ts, level, message }) => ({ ts, level, message: message.slice(0, 500) })),
    agent: agent
      ? {
          id: agent.id,
          name: agent.name,
          status: agent.status,
          last_seen_at: agent.last_seen_at?.toISOString() ?? null,
          last_reconcile_at: agent.last_reconcile_at?.toISOString() ?? null,
        }
      : null,
    verdicts: verdicts.toSorted((a, b) => rank[a.severity] - rank[b.severity]),
  };
}

async function errorSummary(db: Db, visibility: Visibility, libraryId: string): Promise<ErrorSummary> {
  const { rows } = await sql<{ kind: string; message: string; count: number }>`
    select coalesce(i.metadata ->> '_extract_error_kind', i.metadata #>> '{_extract_error,kind}', 'unknown') kind,
      left(coalesce(i.metadata #>> '{_extract_error,message}', i.metadata ->> '_extract_error'), 200) message, count(*)
    from items i where i.library_id = ${libraryId} and i.metadata ? '_extract_error' and i.status = 'active' and ${visibility.whereItem('i')}
    group by 1, 2 order by 3 desc`.execute(db);
  const by_kind: Record<string, number> = {};
  for (const { kind, count } of rows) by_kind[kind] = (by_kind[kind] ?? 0) + count;
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    by_kind,
    top_messages: rows.slice(0, 5).map(({ message, count }) => ({ message, count })),
  };
}

const pathMessages: Record<Probe['state'], [DiagnosisVerdict['severity'], string, string, string[]]> = {
  ok: ['ok', 'The folder is readable', 'It exists and can be read.', []],
  empty: [
    'warning',
    'The folder is empty',
    'The disk or share may not be mounted.',
    ['Mount the disk or share.', 'Check the path of the library.'],
  ],
  missing: [
    'error',
    'The folder does not exist',
    'There is no folder at the path of the library.',
    ['Mount the disk or share.', 'Correct the path of the library.'],
  ],
  'not-dir': ['error', 'The path is not a folder', 'The path of the library is a file.', ['Correct the path of the library.']],
  permission: [
    'error',
    'The folder cannot be read',
    'The user account of the service has no permission to read it.',
    ['Allow the user account of the service to read the folder.'],
  ],
  io: ['error', 'The disk reports errors', 'Reading the folder failed.', ['Check the system log.', 'Check the disk or the network.']],
  hung: [
    'error',
    'The folder does not respond',
    'Reading it timed out. A network share may be offline.',
    ['Check the network and the file server.', 'Mount the share again.'],
  ],
};

function pathVerdicts(library: LibraryRow, probe: Probe): DiagnosisVerdict[] {
  const [severity, title, detail, actions] = pathMessages[probe.state];
  const found = [verdict(severity, `path-${probe.state}`, title, probe.code ? `${detail} (${probe.code})` : detail, actions)];
  if (library.watch_mode && (library.watch_degraded !== null || probe.network))
    found.push(
      verdict(
        'warning',
        probe.network ? 'watch-on-network' : 'watch-degraded',
        'Changes are not detected immediately',
        library.watch_degraded ?? 'Network file systems do not report changes.',
        ['Add a scan schedule to the library.'],
      ),
    );
  if (!library.enabled)
    found.push(verdict('info', 'disabled', 'Disabled', 'Scheduled and watch scans do not run.', ['Enable the library.']));
  return found;
}

/** The error of a scan names folders and counts files, so only a caller who sees the whole library reads it. */
function scanVerdicts(library: LibraryRow, runs: readonly LastRunRow[], seesWhole: boolean): DiagnosisVerdict[] {
  const last = runs.find(({ status }) => status !== 'running' && status !== 'stopping');
  if (runs.length === 0)
    return [verdict('warning', 'never-scanned', 'Never scanned', 'The library has no items until its first scan.', ['Start a scan.'])];
  if (last?.status === 'failed') {
    const reason = seesWhole ? (last.error ?? 'No reason was recorded.') : 'The reason is shown to people who see the whole library.';
    return [verdict('error', 'last-scan-failed', 'The last scan failed', reason, ['Fix the reported problem, then start a scan.'])];
  }
  if (!library.scan_cron && !library.watch_mode)
    return [
      verdict('info', 'no-schedule', 'Scanned only manually', 'Changes are found only when a person starts a scan.', [
        'Add a scan schedule or enable watching.',
      ]),
    ];
  return [];
}

function errorVerdicts({ total, by_kind }: ErrorSummary): DiagnosisVerdict[] {
  if (total === 0) return [];
  const kinds = Object.entries(by_kind).map(([kind, count]) => `${count} ${kind}`);
  const actions = [
    'Open the list of errors.',
    ...(by_kind['guard'] ? ['Increase the limits of the library, then retry.'] : []),
    ...(by_kind['dependency'] ? ['Check the About page for missing tools.'] : []),
  ];
  return [
    verdict(
      'warning',
      'extract-errors',
      `${total} file${total === 1 ? '' : 's'} could not be read`,
      `By kind: ${kinds.join(', ')}.`,
      actions,
    ),
  ];
}

interface Probe {
  state: 'ok' | 'empty' | 'missing' | 'not-dir' | 'permission' | 'io' | 'hung';
  /** The error code of the system, if any. */
  code: string | null;
  network: boolean;
}

/** Calls to an offline network share can block, so a probe counts as hung after this time. */
const probeTimeoutMs = 5_000;

/** The current state of a library's folder. */
export async function probeRoot(
  root: string,
  inspect: (root: string) => Promise<Probe['state']> = inspectRoot,
  timeoutMs = probeTimeoutMs,
): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), timeoutMs);
  });
  const network = isOnNetwork(root);
  try {
    return { state: await Promise.race([inspect(root), timeout]), code: null, network };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
    return { state: stateForCode(code), code, network };
  } finally {
    clearTimeout(timer);
  }
}

async function inspectRoot(root: string): Promise<'ok' | 'empty' | 'not-dir'> {
  if (!(await stat(root)).isDirectory()) return 'not-dir';
  await access(root, constants.R_OK | constants.X_OK);
  const folder = await opendir(root);
  const first = await folder.read();
  await folder.close();
  return first === null ? 'empty' : 'ok';
}

function stateForCode(code: string): Probe['state'] {
  if (code === 'ENOENT') return 'missing';
  if (code === 'ENOTDIR') return 'not-dir';
  return code === 'EACCES' || code === 'EPERM' ? 'permission' : 'io';
}

/** Items whose extraction failed, by path. */
export async function listExtractErrors(db: Db, visibility: Visibility, libraryId: string, page: { limit: number; offset: number }) {
  const where = sql`i.library_id = ${libraryId} and i.metadata ? '_extract_error' and i.status = 'active' and ${visibility.whereItem('i')}`;
  const counted = await sql<{ count: number }>`select count(*) from items i where ${where}`.execute(db);
  const { rows } = await sql<{ id: string; rel_path: string; error: unknown; kind: string | null }>`
    select i.id, i.rel_path, i.metadata -> '_extract_error' error, i.metadata ->> '_extract_error_kind' kind from items i where ${where}
    order by i.rel_path limit ${page.limit} offset ${page.offset}`.execute(db);
  return {
    library_id: libraryId,
    count: one(counted.rows).count,
    items: rows.map(({ error, kind, ...row }) => ({ ...row, ...parseExtractError(error, kind) })),
  };
}

/** An extraction error is stored as a sentence with its kind in a second field, or as an object with both. */
function parseExtractError(marker: unknown, kind: string | null): { error: string; kind: string | null } {
  if (typeof marker === 'string') return { error: marker, kind };
  const { message, error, kind: own } = (marker ?? {}) as Record<string, unknown>;
  const text = [message, error].find((part) => typeof part === 'string') as string | undefined;
  return { error: text ?? JSON.stringify(marker), kind: typeof own === 'string' ? own : kind };
}
