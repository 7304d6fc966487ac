import { CircleArrowUp, Pause, RefreshCw } from 'lucide-react';
import type { Agent } from '../../api/types.ts';
import { StatusText } from '../../components/status.tsx';
import { serverText, t } from '../../language/text.ts';
import s from './agents-tab.module.css';

/** What an agent runs, and the newer version that it gets, waits for or installs. */
export function VersionCell({ agent }: { agent: Agent }) {
  return (
    <span className={s.version} title={agent.update_hold === null ? undefined : serverText(agent.update_hold)}>
      {agent.agent_version ?? '–'}
      <UpdateBadge agent={agent} />
    </span>
  );
}

export function UpdateBadge({ agent: { update_available, update_target, update_hold, update_pending } }: { agent: Agent }) {
  if (update_pending)
    return (
      <StatusText tone="active" icon={RefreshCw}>
        {update_target === null ? t('updating') : t('updating to {version}', { version: update_target })}
      </StatusText>
    );
  if (!update_available) return null;
  return update_hold === null ? (
    <StatusText tone="active" icon={CircleArrowUp}>
      {t('{version} available', { version: update_target })}
    </StatusText>
  ) : (
    <StatusText tone="idle" icon={Pause}>
      {t('{version} held back', { version: update_target })}
    </StatusText>
  );
}
