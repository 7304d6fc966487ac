import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { LinkButton } from '../../components/button.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';

/** On which machine a file is, and whether it is still there as catalogued. */
export function AgentFacts({ item }: { item: Item }) {
  const [checked, setChecked] = useState<string | null>(null);
  const agent = useQuery({
    queryKey: ['item', item.id, 'agent'],
    queryFn: () => fleet.agentOfItem(item.id),
    refetchInterval: checked === null ? 30_000 : 5_000,
    retry: false,
  });
  const check = useMutation({
    mutationFn: (mode: 'stat' | 'rehash') => fleet.verifyItem(item.id, mode),
    onSuccess: ({ id }) => setChecked(id),
  });
  const result = useQuery({
    queryKey: ['agents', 'command', checked],
    queryFn: () => fleet.command(checked ?? ''),
    enabled: checked !== null,
    refetchInterval: (query) => (query.state.data && query.state.data.completed_at !== null ? false : 1000),
  });
  if (!agent.data?.agent_hosted) return null;
  const { agent_name, online, last_seen_at, agent_status, last_verified_at } = agent.data;
  const running = check.isPending || (checked !== null && result.data?.completed_at === null);
  return (
    <>
      <dt>{t('Machine')}</dt>
      <dd>
        <bdi>{agent_name}</bdi>{' '}
        <span className="muted">
          {online ? t('connected') : last_seen_at === null ? t('never seen') : t('seen {when}', { when: timeAgo(last_seen_at) })}
        </span>
      </dd>
      {agent_status === 'active' && (
        <>
          <dt>{t('Check')}</dt>
          <dd>
            <LinkButton onClick={() => check.mutate('stat')} disabled={running}>
              {t('Is it still there?')}
            </LinkButton>
            {' · '}
            <LinkButton onClick={() => check.mutate('rehash')} disabled={running}>
              {t('Compare all bytes')}
            </LinkButton>
            <span role="status" className="muted">
              {' '}
              {running ? t('The machine is asked…') : outcome(result.data)}
              {!running && checked === null && last_verified_at !== null && t('compared {time}', { time: timeAgo(last_verified_at) })}
            </span>
            {check.error && <span role="alert"> {errorMessage(check.error)}</span>}
          </dd>
        </>
      )}
    </>
  );
}

function outcome(command: Awaited<ReturnType<typeof fleet.command>> | undefined): string {
  if (!command) return '';
  if (command.status !== 'done') return t('The machine did not answer the question.');
  if (command.result?.['exists'] === false) return t('The file is gone. The library is scanned again.');
  return command.result?.['matches'] === true ? t('The file is as catalogued.') : t('The file is different. The library is scanned again.');
}
