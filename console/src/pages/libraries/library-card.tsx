import { Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  BookOpenText,
  Check,
  CircleX,
  Ellipsis,
  FileQuestionMark,
  FileX,
  type LucideIcon,
  RefreshCw,
  Sparkles,
  Square,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as fleet from '../../api/fleet.ts';
import type { Library, LibraryStats, Scan } from '../../api/types.ts';
import { Button, IconButton, LinkButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import page from '../../components/page.module.css';
import { PathText } from '../../components/path-text.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note, StatusPill, StatusText, type Tone } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatShortDate } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { GuardNote } from './guard-note.tsx';
import { type Health, healthOf, scanErrorOf } from './health.ts';
import s from './library-card.module.css';
import { LibraryFacts } from './library-facts.tsx';
import { DiagnoseDialog, ErrorsDialog } from './problem-dialogs.tsx';
import { BackgroundStages, RunningStages } from './stage-table.tsx';
import { useScanProgress } from './use-scan-progress.ts';

const STATUS: Record<Health, { tone: Tone; icon: LucideIcon; label: string }> = {
  waiting: { tone: 'warn', icon: TriangleAlert, label: t('Needs attention') },
  failed: { tone: 'danger', icon: CircleX, label: t('Scan failed') },
  revoked: { tone: 'warn', icon: Unplug, label: t('Agent revoked') },
  scanning: { tone: 'active', icon: RefreshCw, label: t('Scanning') },
  working: { tone: 'active', icon: BookOpenText, label: t('Reading contents') },
  offline: { tone: 'idle', icon: Unplug, label: t('Offline') },
  new: { tone: 'idle', icon: Sparkles, label: t('Not scanned yet') },
  stopped: { tone: 'idle', icon: Square, label: t('Scan stopped') },
  healthy: { tone: 'ok', icon: Check, label: t('Healthy') },
};

interface LibraryCardProps {
  library: Library;
  stats: LibraryStats | undefined;
  scans: Scan[];
  /** Files that could not be read, or why their number is not known: it is being counted, or could not be. */
  unreadable: number | 'pending' | 'failed';
  /** Files whose hash uses an older scheme. */
  stale: number;
  onEdit: () => void;
}

export function LibraryCard({ library, stats, scans, unreadable: counted, stale, onEdit }: LibraryCardProps) {
  const unreadable = typeof counted === 'number' ? counted : 0;
  const { can } = useSession();
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [errorsOpen, setErrorsOpen] = useState(false);
  const [checkOpen, setCheckOpen] = useState(false);
  const [pending, setPending] = useState<string | null>(null);
  const health = pending ? 'scanning' : healthOf(library);
  const ownScans = scans.filter((scan) => scan.library_id === library.id);
  const last = library.last_scan;
  const failure = scanErrorOf(library);
  const scanId = pending ?? last?.id ?? ownScans[0]?.id;
  const progress = useScanProgress(scanId, health === 'scanning' || health === 'working');
  // The list of scans has the newest of all libraries, so the one that was stopped may not be among them.
  const stopped = useQuery({
    queryKey: ['scans', last?.id],
    queryFn: () => catalog.scan(last?.id ?? ''),
    enabled: health === 'waiting',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refresh = async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['libraries'] }), client.invalidateQueries({ queryKey: ['scans'] })]);
    setPending(null);
  };
  const start = useMutation({
    mutationFn: (force: boolean) => catalog.startScan(library.id, force),
    onSuccess: async (started) => {
      setPending(started.scan_id);
      await refresh();
    },
  });
  const agentId = library.source_agent_id;
  const ask = useMutation({
    mutationFn: (id: string) => fleet.sendCommand(id, { kind: 'rescan', payload: { library_id: library.id } }),
    onSuccess: () => toast(t('The agent was asked to scan {name}', { name: library.name })),
  });
  const stop = useMutation({ mutationFn: catalog.stopScan, onSuccess: refresh });
  const clearScan = useMutation({ mutationFn: catalog.clearScan, onSuccess: refresh });
  const rehash = useMutation({
    mutationFn: () => catalog.rehashLibrary(library.id),
    onSuccess: () => toast(t('{stale|# file|# files} of {name} queued for hashing', { stale, name: library.name })),
  });
  // The service cannot read the files of an agent.
  const mayRetry = can('write') && !agentId;
  const retry = useMutation({
    mutationFn: () => catalog.retryExtracts(library.id),
    onSuccess: (done) => toast(t('{retried|# file|# files} of {name} queued for reading', { retried: done.retried, name: library.name })),
  });
  const status =
    health !== 'healthy' || counted === 0
      ? STATUS[health]
      : counted === 'failed'
        ? { tone: 'idle' as Tone, icon: FileQuestionMark, label: t('Unreadable files not counted') }
        : { tone: 'warn' as Tone, icon: FileX, label: t('{unreadable} unreadable', { unreadable }) };
  const error = start.error ?? ask.error ?? stop.error ?? retry.error ?? clearScan.error ?? rehash.error;

  return (
    <article className={page.card} aria-label={library.name} data-row="self">
      <div className={page.cardHead}>
        <h2 className="h3 cut">{library.name}</h2>
        {(health !== 'healthy' || counted !== 'pending') && (
          <StatusPill tone={status.tone} icon={status.icon}>
            {status.label}
          </StatusPill>
        )}
        <span className="grow" />
        {can('admin') && health === 'scanning' && progress?.stalled && scanId && (
          <Button size="s" variant="danger" onClick={() => clearScan.mutate(scanId)} disabled={clearScan.isPending}>
            {t('Force stop')}
          </Button>
        )}
        {can('write') && health === 'scanning' && scanId && (
          <Button size="s" onClick={() => stop.mutate(scanId)} disabled={stop.isPending || last?.status === 'stopping'}>
            <Square size={14} aria-hidden />
            {last?.status === 'stopping' ? t('Stopping…') : t('Stop')}
          </Button>
        )}
        {can('write') && ['healthy', 'working', 'failed', 'new', 'stopped'].includes(health) && (
          <Button
            size="s"
            variant={health === 'new' ? 'primary' : 'default'}
            onClick={() => (agentId ? ask.mutate(agentId) : start.mutate(false))}
            disabled={start.isPending || ask.isPending}
          >
            <RefreshCw size={16} aria-hidden />
            {t('Scan')}
          </Button>
        )}
        <LibraryMenu
          library={library}
          admin={can('admin')}
          onEdit={onEdit}
          onDelete={() => setDeleting(true)}
          onErrors={() => setErrorsOpen(true)}
          onCheck={() => setCheckOpen(true)}
          stale={can('write') && !agentId ? stale : 0}
          onRehash={() => rehash.mutate()}
        />
      </div>
      <div className={s.path}>
        <bdi>
          <PathText path={library.root_path} />
        </bdi>
      </div>
      {library.worker_missing && (
        <div style={{ marginTop: 12 }}>
          <Note tone="warn" icon={Unplug}>
            {serverText(library.worker_missing)}
          </Note>
        </div>
      )}
      {health === 'scanning' && !last?.counts_hidden && <RunningStages scan={progress} last={last} />}
      {health === 'working' && last && !last.counts_hidden && <BackgroundStages last={last} />}
      {health === 'waiting' && (
        <GuardNote
          library={library}
          scan={stopped.data}
          lastSuccess={ownScans.find((x) => x.status === 'finished')}
          stats={stats}
          busy={start.isPending}
          canScan={can('write')}
          onScan={(force) => start.mutateAsync(force)}
        />
      )}
      {health === 'failed' && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX}>
            {failure ? serverText(failure) : t('The last scan failed. No files were marked missing. Scan again.')}
          </Note>
        </div>
      )}
      {health === 'offline' && (
        <div className={`${s.line} ${s.plain}`}>
          <span>
            {rich('<b>{n}</b> {n|file|files}, <b>{size}</b>', {
              n: stats?.file_count ?? 0,
              size: formatBytes(stats?.total_bytes ?? 0),
              b: (text) => <b>{text}</b>,
            })}
          </span>
          {last && (
            <>
              <span className={s.op}>·</span>
              <span>{t('last scanned {finished_at}', { finished_at: formatShortDate(last.finished_at ?? last.started_at) })}</span>
            </>
          )}
          <span className={s.op}>·</span>
          <span>{t('still searchable; no files are marked missing')}</span>
        </div>
      )}
      {health === 'revoked' && (
        <div style={{ marginTop: 12 }}>
          <Note tone="warn" icon={Unplug}>
            {t(
              'Its agent was revoked, so nothing new is reported. The files stay searchable. Remove the library when it is no longer needed.',
            )}
          </Note>
        </div>
      )}
      {['healthy', 'working', 'failed', 'revoked', 'stopped'].includes(health) && <LibraryFacts library={library} stats={stats} />}
      {unreadable > 0 && health !== 'scanning' && (
        <div className={s.line} style={{ marginTop: 8, paddingTop: 8 }}>
          <StatusText tone="warn" icon={FileX}>
            {t('{unreadable|# file|# files} could not be read', { unreadable })}
          </StatusText>
          <span className="grow" />
          <LinkButton onClick={() => setErrorsOpen(true)}>{t('Review')}</LinkButton>
          {mayRetry && (
            <LinkButton onClick={() => retry.mutate()} disabled={retry.isPending}>
              {t('Retry {unreadable}', { unreadable })}
            </LinkButton>
          )}
        </div>
      )}
      {error && (
        <div style={{ marginTop: 12 }}>
          <ErrorNote error={error} />
        </div>
      )}
      {errorsOpen && (
        <ErrorsDialog library={library} onRetry={mayRetry ? () => retry.mutate() : undefined} onClose={() => setErrorsOpen(false)} />
      )}
      {checkOpen && <DiagnoseDialog library={library} onClose={() => setCheckOpen(false)} />}
      <ConfirmDialog
        opened={deleting}
        title={t('Remove library “{name}”?', { name: library.name })}
        facts={[{ label: t('files removed from the catalog'), value: formatCount(stats?.file_count ?? 0) }]}
        typeName={library.name}
        typeLabel={t('Type the library name to confirm')}
        confirm={t('Remove {name}', { name: library.name })}
        danger
        onConfirm={async () => {
          await catalog.deleteLibrary(library.id, library.name);
          await refresh();
          toast(t('Library {name} removed', { name: library.name }));
        }}
        onClose={() => setDeleting(false)}
      >
        {t('Their tags, notes and history are deleted too. Files on disk are not touched.')}
      </ConfirmDialog>
    </article>
  );
}

function LibraryMenu({
  library,
  admin,
  onEdit,
  onDelete,
  onErrors,
  onCheck,
  stale,
  onRehash,
}: {
  library: Library;
  admin: boolean;
  onEdit: () => void;
  onDelete: () => void;
  onErrors: () => void;
  onCheck: () => void;
  /** Files whose hash uses an older scheme. */
  stale: number;
  onRehash: () => void;
}) {
  return (
    <Menu>
      <Menu.Target>
        <IconButton data-main size="m" label={t('More actions for {name}', { name: library.name })}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={`#/?library=${library.id}`}>
          {t('Search this library')}
        </Menu.Item>
        <Menu.Item component="a" href={`#/browse/${library.id}`}>
          {t('Browse folders')}
        </Menu.Item>
        <Menu.Item component="a" href={`#/libraries/history?library=${library.id}`}>
          {t('Scan history')}
        </Menu.Item>
        <Menu.Item onClick={onErrors}>{t('Unreadable files')}</Menu.Item>
        <Menu.Item onClick={onCheck}>{t('Run diagnostics')}</Menu.Item>
        {stale > 0 && <Menu.Item onClick={onRehash}>{t('Rehash {stale|# file|# files}', { stale })}</Menu.Item>}
        {admin && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onEdit}>{t('Edit…')}</Menu.Item>
            <Menu.Item color="var(--danger)" onClick={onDelete}>
              {t('Remove…')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
