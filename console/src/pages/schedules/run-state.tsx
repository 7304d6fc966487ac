import { CircleCheck, CircleSlash, CircleX, Clock, RefreshCw } from 'lucide-react';
import type { ScheduleRun } from '../../api/types.ts';
import { StatusText, type Tone } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';

const STATES: Record<ScheduleRun['state'], { tone: Tone; icon: typeof Clock; label: string }> = {
  queued: { tone: 'active', icon: Clock, label: 'Waiting' },
  exporting: { tone: 'active', icon: RefreshCw, label: 'Being made' },
  delivering: { tone: 'active', icon: RefreshCw, label: 'Being sent' },
  delivered: { tone: 'ok', icon: CircleCheck, label: 'Sent' },
  stored: { tone: 'ok', icon: CircleCheck, label: 'Under Exports' },
  skipped: { tone: 'idle', icon: CircleSlash, label: 'Nothing to send' },
  failed: { tone: 'danger', icon: CircleX, label: 'Failed' },
};

export function RunState({ run }: { run: ScheduleRun | null }) {
  if (!run) return <span className="muted">Never</span>;
  const { tone, icon, label } = STATES[run.state];
  return (
    <StatusText tone={tone} icon={icon}>
      {label}, {formatRecent(run.started_at)}
    </StatusText>
  );
}
