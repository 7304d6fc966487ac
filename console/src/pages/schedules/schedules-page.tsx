import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleSlash, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { errorMessage } from '../../api/problem.ts';
import * as reportApi from '../../api/reports.ts';
import * as api from '../../api/schedules.ts';
import type { ReportSchedule, ScheduleRun } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useSession } from '../../shell/session.tsx';
import { readParams } from '../reports/report-params.ts';
import { cronWords } from './cron-words.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { RunState } from './run-state.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

const isOpen = (run: ScheduleRun | null): boolean => run !== null && ['queued', 'exporting', 'delivering'].includes(run.state);

/** Reports that are made and delivered at set times. */
export default function SchedulesPage() {
  const client = useQueryClient();
  const { can, maySchedule } = useSession();
  const search = useSearch();
  const wanted = maySchedule ? new URLSearchParams(search).get('report') : null;
  const [chosen, setEditing] = useState<ReportSchedule | 'new' | null>(null);
  const editing = chosen ?? (wanted ? 'new' : null);
  const [history, setHistory] = useState<ReportSchedule | null>(null);
  const [removing, setRemoving] = useState<ReportSchedule | null>(null);
  const reports = useQuery({ queryKey: ['reports'], queryFn: reportApi.reports, staleTime: Number.POSITIVE_INFINITY });
  const custom = useQuery({ queryKey: ['custom-reports'], queryFn: reportApi.customReports });
  const schedules = useQuery({
    queryKey: ['schedules'],
    queryFn: api.schedules,
    refetchInterval: ({ state }) => (state.data?.some((each) => isOpen(each.last_run)) ? 2_000 : false),
  });
  const run = useMutation({
    mutationFn: (id: string) => api.runSchedule(id),
    onSuccess: () => toast(t('The report is being made')),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['schedules'] }),
  });
  if (schedules.error && !schedules.data) return <ErrorState error={schedules.error} retry={() => void schedules.refetch()} />;
  if (!schedules.data) return <Loading what={t('schedules')} />;
  const titleOf = ({ canned_report_key, report_definition_id }: ReportSchedule): string =>
    reports.data?.find(({ id }) => id === canned_report_key)?.title ??
    custom.data?.find(({ id }) => id === report_definition_id)?.name ??
    t('Report');
  const close = () => {
    setEditing(null);
    if (wanted) navigate('/reports/schedules', { replace: true });
  };
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={t('Schedules')}
      lead={t(
        'Reports that are made at set times and sent through alert channels. A schedule sees what its owner may download when it runs.',
      )}
      actions={
        maySchedule && (
          <Button variant="primary" onClick={() => setEditing('new')}>
            <Plus size={16} aria-hidden />
            {t('New schedule')}
          </Button>
        )
      }
    >
      {schedules.data.length === 0 ? (
        <EmptyState title={t('No schedules yet')}>
          {t('Let a report come to you every morning or every Monday, by mail or webhook. Without a channel it is kept under Exports.')}
        </EmptyState>
      ) : (
        <Card>
          <Table
            rows={schedules.data}
            keyOf={(row) => row.id}
            columns={[
              { head: t('Schedule'), className: 'm5', cell: (row) => row.name },
              { head: t('Report'), cell: titleOf, wideOnly: true },
              { head: t('When'), cell: (row) => cronWords(row.cron), wideOnly: true },
              {
                head: t('Next'),
                cell: (row) =>
                  row.next_run_at ? (
                    formatDateTime(row.next_run_at)
                  ) : (
                    <StatusText tone="idle" icon={CircleSlash}>
                      {t('Off')}
                    </StatusText>
                  ),
              },
              { head: t('Last run'), cell: (row) => <RunState run={row.last_run} /> },
            ]}
            actions={(row) =>
              can('write') && (
                <RowActions name={row.name} onEdit={() => setEditing(row)} onRemove={() => setRemoving(row)}>
                  <Button
                    size="s"
                    onClick={() => run.mutate(row.id)}
                    disabled={isOpen(row.last_run)}
                    aria-label={t('Run now: {name}', { name: row.name })}
                  >
                    {t('Run now')}
                  </Button>
                  <Button size="s" onClick={() => setHistory(row)} aria-label={t('History of {name}', { name: row.name })}>
                    {t('History')}
                  </Button>
                </RowActions>
              )
            }
          />
        </Card>
      )}
      {editing && (
        <ScheduleDialog
          schedule={editing === 'new' ? null : editing}
          start={wanted ? { report: wanted, params: readParams(search) } : null}
          reports={reports.data ?? []}
          custom={custom.data ?? []}
          onClose={close}
        />
      )}
      {history && <HistoryDialog schedule={history} onClose={() => setHistory(null)} />}
      <ConfirmDialog
        opened={removing !== null}
        title={t('Remove schedule “{name}”?', { name: removing?.name })}
        confirm={t('Remove schedule')}
        danger
        onConfirm={async () => {
          if (removing) await api.deleteSchedule(removing.id);
          await client.invalidateQueries({ queryKey: ['schedules'] });
        }}
        onClose={() => setRemoving(null)}
      >
        {t('Its history is removed too. Files that it made stay under Exports until they expire.')}
      </ConfirmDialog>
    </Page>
  );
}
