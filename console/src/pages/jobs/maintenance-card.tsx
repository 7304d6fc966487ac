import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import * as operations from '../../api/operations.ts';
import { errorMessage } from '../../api/problem.ts';
import type { MaintenanceTask } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { CronInput } from '../schedules/cron-input.tsx';
import { cronWords } from '../schedules/cron-words.ts';
import s from './maintenance-card.module.css';

/** Scheduled maintenance tasks with their last and next run. */
export function MaintenanceCard() {
  const client = useQueryClient();
  const tasks = useQuery({ queryKey: ['maintenance'], queryFn: operations.maintenanceTasks, refetchInterval: 15_000 });
  const [rebuilding, setRebuilding] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['maintenance'] });
  const act = useMutation({
    mutationFn: ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: (_response, { done }) => {
      toast(done);
      void refresh();
    },
  });
  return (
    <Card title="Maintenance">
      <p className="meta muted" style={{ marginBottom: 12 }}>
        All times are in your time zone.
      </p>
      <ErrorNote error={act.error} />
      {tasks.error && <p role="alert">{errorMessage(tasks.error)}</p>}
      {!tasks.data && !tasks.error && <Loading what="tasks" />}
      <ul className={s.tasks} data-list>
        {tasks.data?.map((task) => (
          <li key={task.key} className={s.task}>
            <div style={{ minWidth: 0 }}>
              <div className="m5">{task.title}</div>
              <div className="meta t2">{task.description}</div>
              {task.gate && <div className="meta muted">{task.gate.reason}</div>}
            </div>
            <div className="meta muted">
              {lastRunText(task)}
              {task.last_run?.outcome && (
                <>
                  <br />
                  {task.last_run.outcome}
                </>
              )}
              <br />
              {task.next_run_at && task.enabled
                ? `Next run ${formatRecent(task.next_run_at)}`
                : task.cron
                  ? 'Turned off'
                  : 'Runs on demand'}
            </div>
            <Schedule
              task={task}
              onSave={(change, done) => act.mutate({ run: () => operations.updateMaintenanceTask(task.key, change), done })}
            />
            <span className="num">
              {task.runnable && (
                <Button
                  size="s"
                  aria-label={`Run ${task.title} now`}
                  onClick={() => act.mutate({ run: () => operations.runMaintenanceTask(task.key), done: `${task.title} started` })}
                  disabled={act.isPending}
                >
                  <Play size={14} aria-hidden />
                  Run
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="row g2 wrap" style={{ marginTop: 12 }}>
        <Button
          size="s"
          onClick={() => act.mutate({ run: operations.retryAllExtracts, done: 'Unreadable files are queued for another attempt' })}
          disabled={act.isPending}
        >
          Retry unreadable files
        </Button>
        <Button size="s" onClick={() => setRebuilding(true)}>
          Rebuild search index…
        </Button>
      </div>
      <ConfirmDialog
        opened={rebuilding}
        title="Rebuild the search index?"
        confirm="Rebuild index"
        onConfirm={async () => {
          await operations.rebuildIndex();
          toast('Rebuilding the search index in the background');
          await refresh();
        }}
        onClose={() => setRebuilding(false)}
      >
        All files are written to a new index. Search keeps using the current one until the new one is complete.
      </ConfirmDialog>
    </Card>
  );
}

const RUN_STATUS: Record<string, string> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  doing: 'Started',
  aborting: 'Stopping since',
  todo: 'Queued',
};

function lastRunText({ last_run }: MaintenanceTask): string {
  return last_run ? `${RUN_STATUS[last_run.status] ?? last_run.status} ${timeAgo(last_run.at)}` : 'Never run';
}

/** The schedule in words, with a button that edits it. */
function Schedule({
  task,
  onSave,
}: {
  task: MaintenanceTask;
  onSave: (change: { cron?: string | null; enabled?: boolean }, done: string) => void;
}) {
  const [editing, setEditing] = useState(false);
  const words = task.cron ? cronWords(task.cron) : 'No schedule';
  if (!task.editable) return <span className="muted">{task.cron ? words : ''}</span>;
  return (
    <span className="row g2 wrap">
      <Button size="s" variant="ghost" aria-label={`Edit the schedule of ${task.title}: ${words}`} onClick={() => setEditing(true)}>
        {words}
      </Button>
      {editing && <ScheduleDialog task={task} onClose={() => setEditing(false)} />}
      {task.cron && (
        <Button
          size="s"
          variant="ghost"
          aria-label={`Turn ${task.enabled ? 'off' : 'on'} ${task.title}`}
          onClick={() => onSave({ enabled: !task.enabled }, `${task.title} turned ${task.enabled ? 'off' : 'on'}`)}
        >
          {task.enabled ? 'Turn off' : 'Turn on'}
        </Button>
      )}
    </span>
  );
}

function ScheduleDialog({ task, onClose }: { task: MaintenanceTask; onClose: () => void }) {
  const client = useQueryClient();
  const [cron, setCron] = useState(task.cron ?? '');
  return (
    <FormDialog
      title={`Schedule of ${task.title}`}
      submit="Save"
      ready
      save={() => operations.updateMaintenanceTask(task.key, { cron: cron.trim() || null })}
      onSaved={async () => {
        await client.invalidateQueries({ queryKey: ['maintenance'] });
        toast(`Schedule of ${task.title} saved`);
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <CronInput
          label="Run"
          never={task.default_cron ? `Default: ${cronWords(task.default_cron)}` : 'Only on demand'}
          value={cron}
          onChange={setCron}
          error={errorAt('cron')}
        />
      )}
    </FormDialog>
  );
}
