import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import type { MetricName, Sample } from '../../platform/metrics/index.ts';
import { version } from '../../version.ts';
import { backupsFolder, bundleNames, findBundleFolder, readVerification } from '../backup/index.ts';

type Labels = Record<string, string>;
const gauge = (name: MetricName, value: number, labels: Labels = {}): Sample => ({ name, value, labels });

/** The state of the service as it is in the database, in the config folder and on the disks. */
export async function readGauges({ db, settings }: Pick<Dependencies, 'db' | 'settings'>): Promise<Sample[]> {
  const [jobs, counts, scans, alerts, items, disks] = await Promise.all([
    readJobs(db),
    readCounts(db),
    readScans(db),
    readAlerts(db),
    readItems(db),
    probeDisks(settings),
  ]);
  return [
    gauge('catalog_build_info', 1, { version }),
    ...jobs,
    ...counts,
    ...scans,
    ...alerts,
    ...items,
    ...disks.paths.flatMap(({ label, free, total }) => [
      gauge('catalog_disk_free_bytes', free, { path: label }),
      gauge('catalog_disk_size_bytes', total, { path: label }),
    ]),
    ...readBackups(settings),
  ];
}

async function readJobs(db: Db): Promise<Sample[]> {
  const { rows } = await sql<{ queue: string; state: string; jobs: number; oldest: number | null }>`select queue, state, count(*) as jobs,
      extract(epoch from now() - min(run_at) filter (where state = 'todo' and run_at <= now()))::float8 as oldest
    from jobs group by queue, state order by queue, state`.execute(db);
  return rows.flatMap(({ queue, state, jobs, oldest }) => [
    gauge('catalog_jobs', jobs, { queue, state }),
    ...(oldest === null ? [] : [gauge('catalog_jobs_oldest_seconds', oldest, { queue })]),
  ]);
}

async function readCounts(db: Db): Promise<Sample[]> {
  const { rows } = await sql<{ extract: number; outbox: number; workers: number; scans: number; bytes: number }>`select
      (select count(*) from extract_pending) as extract, index_backlog() as outbox,
      (select count(*) from workers where heartbeat_at > now() - interval '2 minutes') as workers,
      (select count(*) from scan_runs where status in ('running', 'stopping')) as scans, pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  const { extract, outbox, workers, scans, bytes } = one(rows);
  return [
    gauge('catalog_extract_pending_files', extract),
    gauge('catalog_index_outbox_rows', outbox),
    gauge('catalog_workers', workers),
    gauge('catalog_scans_running', scans),
    gauge('catalog_database_bytes', bytes),
  ];
}

/** The newest run of each library that has ended. */
async function readScans(db: Db): Promise<Sample[]> {
  const { rows } = await sql<{ library: string; status: string; ended: number; rate: number | null }>`select l.name as library, r.status,
      extract(epoch from r.finished_at)::float8 as ended, (r.stats->>'files_per_s')::float8 as rate
    from libraries l cross join lateral (select status, finished_at, stats from scan_runs
      where library_id = l.id and status in ('finished', 'failed') and finished_at is not null order by id desc limit 1) r order by l.name`.execute(
    db,
  );
  return rows.flatMap(({ library, status, ended, rate }) => [
    gauge('catalog_scan_last_end_time_seconds', ended, { library }),
    gauge('catalog_scan_last_failed', status === 'failed' ? 1 : 0, { library }),
    ...(rate === null ? [] : [gauge('catalog_scan_files_per_second', rate, { library })]),
  ]);
}

async function readAlerts(db: Db): Promise<Sample[]> {
  const firing = await sql<{ severity: string; alerts: number }>`select s.severity, count(g.id) as alerts
    from unnest(array['info', 'warning', 'critical']) as s (severity) left join alert_rules r on r.severity = s.severity
    left join alert_groups g on g.rule_id = r.id and g.state = 'firing' and g.acknowledged_at is null group by 1 order by 1`.execute(db);
  const deliveries = await sql<{ state: string; messages: number }>`select s.state, count(d.channel_id) as messages
    from unnest(array['pending', 'failed']) as s (state) left join alert_deliveries d on d.state = s.state group by 1 order by 1`.execute(
    db,
  );
  return [
    ...firing.rows.map(({ severity, alerts }) => gauge('catalog_alerts_firing', alerts, { severity })),
    ...deliveries.rows.map(({ state, messages }) => gauge('catalog_alert_deliveries', messages, { state })),
  ];
}

async function readItems(db: Db): Promise<Sample[]> {
  const { rows } = await sql<{
    status: string;
    items: number;
    bytes: number;
  }>`select status, sum(items)::float8 as items, sum(bytes)::float8 as bytes
    from item_counts group by status order by status`.execute(db);
  return rows.flatMap(({ status, items, bytes }) => [
    gauge('catalog_items', items, { status }),
    gauge('catalog_item_bytes', bytes, { status }),
  ]);
}

/** Times from the names of the bundles, so that no manifest is read. */
function readBackups(settings: Dependencies['settings']): Sample[] {
  const names = bundleNames(backupsFolder(settings));
  const taken = /^catalog-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(names[0] ?? '');
  const verified = names.flatMap((name) => {
    const folder = findBundleFolder(settings, name);
    const result = folder ? readVerification(folder) : null;
    return result?.ok ? [Date.parse(result.verified_at) / 1000] : [];
  });
  return [
    gauge('catalog_backups', names.length),
    ...(taken
      ? [
          gauge(
            'catalog_backup_last_time_seconds',
            Date.parse(`${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}:${taken[5]}:${taken[6]}Z`) / 1000,
          ),
        ]
      : []),
    ...(verified.length > 0 ? [gauge('catalog_backup_last_verified_time_seconds', Math.max(...verified))] : []),
  ];
}
