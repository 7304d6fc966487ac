import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Clock, Lock, RefreshCw } from 'lucide-react';
import { errorMessage } from '../../api/problem.ts';
import * as api from '../../api/reports.ts';
import type { ExportRecord } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText, type Tone } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDate, formatRecent } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';

const isOpen = ({ status }: ExportRecord): boolean => status === 'queued' || status === 'running';

const STATES: Record<ExportRecord['status'], { tone: Tone; icon: typeof Clock; label: string }> = {
  queued: { tone: 'idle', icon: Clock, label: t('Waiting') },
  running: { tone: 'active', icon: RefreshCw, label: t('Running') },
  complete: { tone: 'ok', icon: CircleCheck, label: t('Ready') },
  failed: { tone: 'danger', icon: CircleX, label: t('Failed') },
  cancelled: { tone: 'idle', icon: CircleSlash, label: t('Cancelled') },
};

/** Background exports: their progress, and their files until they expire. */
export default function ExportsPage() {
  const client = useQueryClient();
  const exports = useQuery({
    queryKey: ['exports'],
    queryFn: api.exportRecords,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 1_000 : false),
  });
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['exports'] }),
  });
  if (exports.error && !exports.data) return <ErrorState error={exports.error} retry={() => void exports.refetch()} />;
  if (!exports.data) return <Loading what={t('exports')} />;
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={t('Exports')}
      lead={t('Files that were made in the background. They contain only files you may download, and expire after a while.')}
    >
      {exports.data.length === 0 ? (
        <EmptyState title={t('No exports yet')} actions={<ButtonLink href="#/reports">{t('Show reports')}</ButtonLink>}>
          {t('Use Export on a report, a search or a folder. Large exports run in the background and appear here.')}
        </EmptyState>
      ) : (
        <Card>
          <Table
            rows={exports.data}
            keyOf={(row) => row.id}
            columns={[
              { head: t('Export'), className: 'm5', cell: (row) => <bdi>{visibleName(row.title)}</bdi> },
              {
                head: t('Format'),
                cell: (row) => (row.gzip ? t('{format}, compressed', { format: row.format.toUpperCase() }) : row.format.toUpperCase()),
              },
              { head: t('Status'), cell: (row) => <ExportStatus row={row} /> },
              { head: t('Rows'), cell: (row) => (row.row_count === null ? '' : formatCount(row.row_count)), wideOnly: true },
              { head: t('Size'), cell: (row) => (row.file_size_bytes === null ? '' : formatBytes(row.file_size_bytes)), wideOnly: true },
              { head: t('Started'), cell: (row) => formatRecent(row.created_at), wideOnly: true },
            ]}
            actions={(row) => (
              <>
                {row.download_url && (
                  <ButtonLink
                    data-main
                    size="s"
                    href={row.download_url}
                    download={row.file_name}
                    aria-label={t('Download {title}', { title: row.title })}
                  >
                    {t('Download')}
                  </ButtonLink>
                )}
                {row.sha256 && row.downloadable && <CopyButton text={row.sha256} label={t('Copy SHA-256 checksum')} />}
                {isOpen(row) && (
                  <Button
                    size="s"
                    onClick={() => act.mutate(() => api.cancelExport(row.id))}
                    aria-label={t('Cancel {title}', { title: row.title })}
                  >
                    {t('Cancel')}
                  </Button>
                )}
                {(row.downloadable || (row.rights_changed && !row.purged_at)) && (
                  <Button
                    size="s"
                    variant="danger"
                    onClick={() => act.mutate(() => api.removeExport(row.id))}
                    aria-label={t('Remove the file of {title}', { title: row.title })}
                  >
                    {t('Remove')}
                  </Button>
                )}
              </>
            )}
          />
        </Card>
      )}
    </Page>
  );
}

/** The state of an export. One whose file can no longer be downloaded is not ready. */
function stateOf(row: ExportRecord): (typeof STATES)['complete'] {
  if (row.status === 'complete' && row.purged_at) return { tone: 'idle', icon: CircleSlash, label: t('Expired') };
  if (row.status === 'complete' && row.rights_changed)
    return { tone: 'warn', icon: Lock, label: t('Your permissions have changed since it was made. Export it again.') };
  return STATES[row.status];
}

function ExportStatus({ row }: { row: ExportRecord }) {
  const { tone, icon, label } = stateOf(row);
  const { progress } = row;
  const detail =
    row.status === 'running' && progress
      ? `${formatCount(progress.rows)}${progress.total === null ? '' : ` ${t('of {total|# row|# rows}', { total: progress.total })}`}`
      : row.status === 'failed'
        ? (row.error ?? '')
        : row.downloadable && row.expires_at
          ? t('until {expires_at}', { expires_at: formatDate(row.expires_at) })
          : '';
  return (
    <StatusText tone={tone} icon={icon}>
      {label}
      {detail && ` · ${detail}`}
    </StatusText>
  );
}
