import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as api from '../../api/schedules.ts';
import type { ReportSchedule } from '../../api/types.ts';
import { TextLink } from '../../components/button.tsx';
import { EmptyState, ErrorNote, Loading } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { RunState } from './run-state.tsx';
import s from './schedules.module.css';

/** What came of each run, newest first. */
export function HistoryDialog({ schedule, onClose }: { schedule: ReportSchedule; onClose: () => void }) {
  const runs = useQuery({ queryKey: ['schedules', schedule.id, 'runs'], queryFn: () => api.scheduleRuns(schedule.id) });
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size={840}
      title={t('History of {name}', { name: schedule.name })}
    >
      <ErrorNote error={runs.error} />
      {!runs.data && !runs.error && <Loading what={t('runs')} />}
      {runs.data?.length === 0 && <EmptyState title={t('Not run yet')}>{t('Use Run now to try it.')}</EmptyState>}
      {runs.data && runs.data.length > 0 && (
        <Table
          rows={runs.data}
          keyOf={(row) => row.id}
          columns={[
            {
              head: t('Started'),
              cell: (row) => {
                const time = formatDateTime(row.started_at);
                return row.trigger === 'manual' ? t('{time}, by hand', { time }) : time;
              },
            },
            {
              head: t('Result'),
              cell: (row) => (
                <>
                  <RunState run={row} />
                  {row.detail && <div className={s.small}>{row.detail}</div>}
                  {row.deliveries
                    .filter(({ attempts }) => attempts > 1)
                    .map(({ channel, attempts }) => (
                      <div key={channel} className={s.small}>
                        {channel}: {t('{n|# attempt|# attempts}', { n: attempts })}
                      </div>
                    ))}
                </>
              ),
            },
            { head: t('Rows'), cell: (row) => (row.row_count === null ? '' : formatCount(row.row_count)) },
            {
              head: t('File'),
              cell: (row) =>
                row.download_url ? (
                  <TextLink href={row.download_url} download>
                    {formatBytes(row.file_size_bytes ?? 0)}
                  </TextLink>
                ) : (
                  ''
                ),
            },
          ]}
        />
      )}
    </Modal>
  );
}
