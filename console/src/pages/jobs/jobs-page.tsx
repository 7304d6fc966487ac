import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Clock, Pause, Play, RotateCcw, Square, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as operations from '../../api/operations.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Job, RunningJob } from '../../api/types.ts';
import { Button, IconButton, LinkButton } from '../../components/button.tsx';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { Card, Page } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatTime } from '../../format/dates.ts';
import { formatCount, formatDuration } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import { listProps, readOnlyListProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import { type FailureGroup, groupFailures, queueLabel, taskLabel, usedQueues } from './job-labels.ts';
import s from './jobs-page.module.css';
import { LogCard } from './log-card.tsx';
import { MaintenanceCard } from './maintenance-card.tsx';

const REFRESH_MS = 4_000;

export default function JobsPage() {
  const { can } = useSession();
  const client = useQueryClient();
  const summary = useQuery({ queryKey: ['job-summary'], queryFn: operations.jobSummary, refetchInterval: REFRESH_MS });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const failed = useQuery({
    queryKey: ['jobs', 'failed'],
    queryFn: () => operations.jobs({ state: 'failed', limit: 200 }),
    refetchInterval: 15_000,
  });
  const system = useQuery({ queryKey: ['about'], queryFn: operations.about, staleTime: 600_000, retry: false });
  const mode = useQuery({ queryKey: ['maintenance-mode'], queryFn: operations.maintenanceMode, retry: false });
  const pause = useMutation({
    mutationFn: (active: boolean) => operations.setMaintenanceMode(active, active ? t('Paused in the console.') : null),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['maintenance-mode'] }),
    onError: (error) => toast(errorMessage(error)),
  });

  const queues = Object.values(summary.data?.queues ?? {});
  const sum = (pick: 'doing' | 'todo' | 'failed') => queues.reduce((n, q) => n + (q[pick] ?? 0), 0);
  const paused = mode.data?.active === true;
  const open = sum('todo') + sum('doing');
  if (summary.error && !summary.data) return <ErrorState error={summary.error} retry={() => void client.invalidateQueries()} />;
  const libraryName = (id: string | undefined) => libraries.data?.find((l) => l.id === id)?.name ?? '';

  return (
    <Page
      title={t('Jobs')}
      lead={
        summary.data
          ? t('{running} running, {waiting} waiting, {failed} failed', {
              running: sum('doing'),
              waiting: sum('todo'),
              failed: failed.data?.total ?? sum('failed'),
            })
          : t('Loading jobs…')
      }
      actions={
        can('admin') &&
        mode.data && (
          <Button onClick={() => pause.mutate(!paused)} disabled={pause.isPending}>
            {paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
            {paused ? t('Resume') : t('Pause new work')}
          </Button>
        )
      }
    >
      {paused && (
        <div style={{ marginBottom: 16 }}>
          <Note tone="warn" icon={Pause}>
            <b className="b">{t('New work is paused.')}</b>{' '}
            <span className="t2">
              {mode.data?.reason ? `${serverText(mode.data.reason)} ` : ''}
              {t('Scans, watching and maintenance wait until you resume.')}{' '}
              {open === 0 ? t('Search still works.') : t('{open|# queued job|# queued jobs} will still run.', { open })}
            </span>
          </Note>
        </div>
      )}
      {summary.data && (
        <Queues queues={usedQueues(summary.data.queues, system.data?.embedding.enabled ?? false)} tick={summary.dataUpdatedAt} />
      )}
      <div className={can('admin') ? s.two : s.one}>
        <div className="col g4">
          <RunningCard jobs={summary.data?.running} canStop={can('admin')} libraryName={libraryName} />
          <FailedCard jobs={failed.data?.items} error={failed.error} total={failed.data?.total ?? null} canRetry={can('admin')} />
          {can('admin') && <MaintenanceCard />}
        </div>
        {can('admin') && <LogCard />}
      </div>
    </Page>
  );
}

const SHOWN_JOBS = 8;

function RunningCard({
  jobs,
  canStop,
  libraryName,
}: {
  jobs: RunningJob[] | undefined;
  canStop: boolean;
  libraryName: (id: string | undefined) => string;
}) {
  const [all, setAll] = useState(false);
  const client = useQueryClient();
  const maintenance = useQuery({ queryKey: ['maintenance'], queryFn: operations.maintenanceTasks, staleTime: 15_000 });
  const labelOf = (task: string) => maintenance.data?.find(({ key }) => key === task)?.title ?? taskLabel(task);
  const stop = useMutation({
    mutationFn: (job: RunningJob) => operations.abortJob(job.id),
    onSuccess: (_done, job) => {
      toast(t('Stopping {queueLabel} job', { queueLabel: queueLabel(job.queue) }));
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: (error) => toast(errorMessage(error)),
  });
  const shown = all ? (jobs ?? []) : (jobs ?? []).slice(0, SHOWN_JOBS);
  return (
    <Card
      title={
        <>
          <h2 className="h3">{t('Running')}</h2>
          <span className="muted">{jobs?.length ?? ''}</span>
        </>
      }
      aside={
        (jobs?.length ?? 0) > SHOWN_JOBS && <LinkButton onClick={() => setAll(!all)}>{all ? t('Show fewer') : t('Show all')}</LinkButton>
      }
    >
      {!jobs && <Loading what={t('jobs')} />}
      {jobs?.length === 0 && (
        <p className="muted" style={{ padding: '8px 0' }}>
          {t('No running jobs.')}
        </p>
      )}
      <div {...(shown.length > 0 && (canStop ? listProps : readOnlyListProps))}>
        {shown.map((job) => (
          <div key={job.id} className={s.running} data-row>
            <span className="row g2">
              <span className="m5">{queueLabel(job.queue)}</span>
              <span className="muted meta cut">{libraryName(job.args['library_id'])}</span>
            </span>
            <span className="mono t2 row" style={{ minWidth: 0 }}>
              {job.args['rel_path'] ? <MiddleEllipsis name={job.args['rel_path']} /> : null}
            </span>
            <span className="meta num">
              {job.stalled ? (
                <StatusText tone="warn" icon={TriangleAlert}>
                  {t(job.worker_alive ? 'Stalled since {time}' : 'Stalled since {time}; its worker is no longer running', {
                    time: formatTime(job.stalled_since ?? job.started_at),
                  })}
                </StatusText>
              ) : (
                <span className="t2">{labelOf(job.task)}</span>
              )}
            </span>
            <span className="meta muted num">{formatDuration(job.seconds_running)}</span>
            {canStop ? (
              <IconButton
                size="m"
                label={t('Stop {queueLabel} job', { queueLabel: queueLabel(job.queue) })}
                onClick={() => stop.mutate(job)}
              >
                <Square size={12} aria-hidden />
              </IconButton>
            ) : (
              <span />
            )}
          </div>
        ))}
      </div>
    </Card>
  );
}

function FailedCard({
  jobs,
  error,
  total,
  canRetry,
}: {
  jobs: Job[] | undefined;
  /** Why they could not be listed. */
  error: unknown;
  total: number | null;
  canRetry: boolean;
}) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: async (list: Job[]) => {
      for (const job of list) await operations.retryJob(job.id);
      return list.length;
    },
    onSuccess: (n) => {
      toast(t('{n|# job|# jobs} queued again', { n }));
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  const groups = groupFailures(jobs ?? []);
  return (
    <Card
      title={
        <>
          <h2 className="h3">{t('Failed')}</h2>
          <span className="muted">
            {jobs?.length
              ? t('{jobs|# job|# jobs}, {reasons|one reason|# reasons}', { jobs: total ?? jobs.length, reasons: groups.length })
              : ''}
          </span>
        </>
      }
      aside={
        canRetry &&
        (jobs?.length ?? 0) > 0 && (
          <Button size="s" onClick={() => retry.mutate(jobs ?? [])} disabled={retry.isPending}>
            <RotateCcw size={16} aria-hidden />
            {retry.isPending ? t('Retrying…') : t('Retry all {jobs}', { jobs: formatCount(jobs?.length ?? 0) })}
          </Button>
        )
      }
    >
      <div style={{ marginTop: 8 }} {...(groups.length > 0 && (canRetry ? listProps : readOnlyListProps))}>
        {jobs?.length === 0 && <p className="muted">{t('No failed jobs.')}</p>}
        {groups.map((group) => (
          <FailedRow key={group.reason} group={group} canRetry={canRetry} busy={retry.isPending} onRetry={() => retry.mutate(group.jobs)} />
        ))}
        <ErrorNote error={retry.error ?? (jobs ? null : error)} />
      </div>
    </Card>
  );
}

function FailedRow({ group, canRetry, busy, onRetry }: { group: FailureGroup; canRetry: boolean; busy: boolean; onRetry: () => void }) {
  return (
    <div className={s.failed} data-row>
      <TriangleAlert size={16} aria-hidden style={{ color: 'var(--warn)' }} />
      <div style={{ minWidth: 0 }}>
        <div className="m5 anywhere">{group.reason}</div>
        <div className="meta t2 cut">
          {queueLabel(group.jobs[0]?.queue ?? '')}. {group.advice}
        </div>
      </div>
      <span className="num t2">{t('{n|# job|# jobs}', { n: group.jobs.length })}</span>
      <span className="num">
        {canRetry && (
          <Button data-main size="s" onClick={onRetry} disabled={busy}>
            {t('Retry {jobs}', { jobs: group.jobs.length })}
          </Button>
        )}
      </span>
    </div>
  );
}

function Queues({ queues, tick }: { queues: Record<string, Record<string, number>>; tick: number }) {
  return (
    <div className={s.queues}>
      {Object.entries(queues).map(([name, figures]) => (
        <Queue key={name} name={name} running={figures['doing'] ?? 0} waiting={figures['todo'] ?? 0} tick={tick} />
      ))}
    </div>
  );
}

function Queue({ name, running, waiting, tick }: { name: string; running: number; waiting: number; tick: number }) {
  const history = useHistory(running + waiting, tick);
  const idle = running === 0 && waiting === 0;
  return (
    <section className={s.queue} aria-label={queueLabel(name)}>
      <span className={`${s.name} m5`}>{queueLabel(name)}</span>
      <div className={s.figure}>
        <span>{rich('{n} <small>running</small>', { n: running, small: (text) => <span className="meta muted">{text}</span> })}</span>
        {idle && (
          <StatusText tone="idle" icon={Clock} className="meta">
            {t('Idle')}
          </StatusText>
        )}
      </div>
      <div className="meta muted">{t('{waiting} waiting', { waiting })}</div>
      <Sparkline values={history} tone={idle ? 'idle' : 'active'} />
    </section>
  );
}

const POINTS = 24;

/** The values of the last refreshes while the page is open. */
function useHistory(value: number, tick: number): number[] {
  const [history, setHistory] = useState<number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one point per refresh, even if the value is unchanged
  useEffect(() => setHistory((now) => [...now, value].slice(-POINTS)), [tick]);
  return history;
}

/** Decorative: the numbers above it carry the same information. */
function Sparkline({ values, tone }: { values: number[]; tone: 'active' | 'idle' }) {
  const padded = values.length === 1 ? [...values, ...values] : values;
  const max = Math.max(1, ...padded);
  const points = padded
    .map((v, i) => `${((i / Math.max(1, padded.length - 1)) * 160).toFixed(1)},${(22 - (v / max) * 19).toFixed(1)}`)
    .join(' ');
  return (
    <svg className={s.spark} viewBox="0 0 160 24" preserveAspectRatio="none" aria-hidden>
      <polygon points={`0,24 ${points} 160,24`} fill={`var(--${tone}-soft)`} />
      <polyline points={points} fill="none" stroke={`var(--${tone}-fill)`} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
