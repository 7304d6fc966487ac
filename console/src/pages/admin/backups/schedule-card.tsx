import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as operations from '../../../api/operations.ts';
import { Card } from '../../../components/page.tsx';
import { ErrorNote } from '../../../components/states.tsx';
import { formatRecent } from '../../../format/dates.ts';
import s from './backups-tab.module.css';

const SCHEDULES = [
  { value: '', label: 'Only on demand' },
  { value: '0 3 * * *', label: 'Every night, 03:00 UTC' },
  { value: '0 3 * * 0', label: 'Every Sunday, 03:00 UTC' },
  { value: '0 */6 * * *', label: 'Every six hours' },
];

/** When the maintenance task for backups runs. Any other schedule can be given on the Jobs page. */
export function ScheduleCard({ keep, folder }: { keep: number; folder: string }) {
  const client = useQueryClient();
  const tasks = useQuery({ queryKey: ['maintenance'], queryFn: operations.maintenanceTasks });
  const task = tasks.data?.find(({ key }) => key === 'backup_now');
  const change = useMutation({
    mutationFn: (cron: string) => operations.updateMaintenanceTask('backup_now', { cron: cron === '' ? null : cron, enabled: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['maintenance'] }),
  });
  const cron = task?.enabled ? (task.cron ?? '') : '';
  const known = SCHEDULES.some(({ value }) => value === cron);
  return (
    <Card title="Schedule" headingId="backups-schedule">
      <ErrorNote error={tasks.error ?? change.error} />
      <NativeSelect
        label="Back up"
        value={cron}
        disabled={!task || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.value)}
        data={known ? SCHEDULES : [...SCHEDULES, { value: cron, label: cron }]}
      />
      <dl className={s.facts}>
        <dt>Next</dt>
        <dd>{task?.next_run_at ? formatRecent(task.next_run_at) : 'Not scheduled'}</dd>
        <dt>Keep</dt>
        <dd>The newest {keep}</dd>
        <dt>Folder</dt>
        <dd>
          <bdi className="mono anywhere">{folder}</bdi>
        </dd>
      </dl>
    </Card>
  );
}
