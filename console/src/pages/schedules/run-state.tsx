import { CircleCheck, CircleSlash, CircleX, Clock, RefreshCw } from 'lucide-react';
import type { ScheduleRun } from '../../api/types.ts';
import { StatusText, type Tone } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';

const STATES: Record<ScheduleRun['state'], { tone: Tone; icon: typeof Clock; label: string }> = {
  queued: { tone: 'active', icon: Clock, label: t('Waiting') },
  exporting: { tone: 'active', icon: RefreshCw, label: t('Being made') },
  delivering: { tone: 'active', icon: RefreshCw, label: t('Being sent') },
  delivered: { tone: 'ok', icon: CircleCheck, label: t('Sent') },
  stored: { tone: 'ok', icon: CircleCheck, label: t('Under Exports') },
  skipped: { tone: 'idle', icon: CircleSlash, label: t('Nothing to send') },
  failed: { tone: 'danger', icon: CircleX, label: t('Failed') },
};

export function RunState({ run }: { run: ScheduleRun | null }) {
  if (!run) return <span className="muted">{t('Never')}</span>;
  const { tone, icon, label } = STATES[run.state];
  return (
    <StatusText tone={tone} icon={icon}>
      {label}, {formatRecent(run.started_at)}
    </StatusText>
  );
}
