import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Clock, RefreshCw } from 'lucide-react';
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
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';

const isOpen = ({ status }: ExportRecord): boolean => status === 'queued' || status === 'running';

const STATES: Record<ExportRecord['status'], { tone: Tone; icon: typeof Clock; label: string }> = {
  queued: { tone: 'idle', icon: Clock, label: 'Waiting' },
  running: { tone: 'active', icon: RefreshCw, label: 'Running' },
  complete: { tone: 'ok', icon: CircleCheck, label: 'Ready' },
  failed: { tone: 'danger', icon: CircleX, label: 'Failed' },
  cancelled: { tone: 'idle', icon: CircleSlash, label: 'Cancelled' },
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
  if (!exports.data) return <Loading what="exports" />;
  return (
    <Page
      back={{ href: '#/reports', label: 'Reports' }}
      title="Exports"
      lead="Files that were made in the background. They contain only files you may download, and expire after a while."
    >
      {exports.data.length === 0 ? (
        <EmptyState title="No exports yet" actions={<ButtonLink href="#/reports">Show reports</ButtonLink>}>
          Use Export on a report, a search or a folder. Large exports run in the background and appear here.
        </EmptyState>
      ) : (
        <Card>
          <Table
            rows={exports.data}
            keyOf={(row) => row.id}
            columns={[
              { head: 'Export', className: 'm5', cell: (row) => <bdi>{visibleName(row.title)}</bdi> },
              { head: 'Format', cell: (row) => `${row.format.toUpperCase()}${row.gzip ? ', compressed' : ''}` },
              { head: 'Status', cell: (row) => <ExportStatus row={row} /> },
              { head: 'Rows', cell: (row) => (row.row_count === null ? '' : formatCount(row.row_count)), wideOnly: true },
              { head: 'Size', cell: (row) => (row.file_size_bytes === null ? '' : formatBytes(row.file_size_bytes)), wideOnly: true },
              { head: 'Started', cell: (row) => formatRecent(row.created_at), wideOnly: true },
            ]}
            actions={(row) => (
              <>
                {row.download_url && (
                  <ButtonLink data-main size="s" href={row.download_url} download={row.file_name} aria-label={`Download ${row.title}`}>
                    Download
                  </ButtonLink>
                )}
                {row.sha256 && row.downloadable && <CopyButton text={row.sha256} label="Copy SHA-256 checksum" />}
                {isOpen(row) && (
                  <Button size="s" onClick={() => act.mutate(() => api.cancelExport(row.id))} aria-label={`Cancel ${row.title}`}>
                    Cancel
                  </Button>
                )}
                {row.downloadable && (
                  <Button
                    size="s"
                    variant="danger"
                    onClick={() => act.mutate(() => api.removeExport(row.id))}
                    aria-label={`Remove the file of ${row.title}`}
                  >
                    Remove
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

function ExportStatus({ row }: { row: ExportRecord }) {
  const { tone, icon, label } = STATES[row.status];
  const { progress } = row;
  const detail =
    row.status === 'running' && progress
      ? `${formatCount(progress.rows)}${progress.total === null ? '' : ` of ${pluralize(progress.total, 'row')}`}`
      : row.status === 'failed'
        ? (row.error ?? '')
        : row.purged_at
          ? 'Expired'
          : row.status === 'complete' && row.expires_at
            ? `until ${formatDate(row.expires_at)}`
            : '';
  return (
    <StatusText tone={row.purged_at ? 'idle' : tone} icon={icon}>
      {label}
      {detail && ` · ${detail}`}
    </StatusText>
  );
}
