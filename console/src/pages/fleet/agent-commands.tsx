import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, GitCompare, List, RefreshCw, X } from 'lucide-react';
import * as fleet from '../../api/fleet.ts';
import type { AgentCommand } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';

const titles: Record<AgentCommand['kind'], string> = {
  rescan: t('Scan'),
  inventory: t('File listing'),
  reconcile: t('Comparison'),
  stage_upload: t('File requested'),
};
const states: Record<AgentCommand['status'], string> = {
  pending: t('waiting for the agent'),
  picked_up: t('running'),
  done: t('done'),
  failed: t('failed'),
  expired: t('not carried out in time'),
  cancelled: t('cancelled'),
};
const isOpen = ({ status }: AgentCommand): boolean => status === 'pending' || status === 'picked_up';

/** What the agent was asked to do lately, and buttons to ask for more. */
export function AgentCommands({ agentId }: { agentId: string }) {
  const client = useQueryClient();
  const list = useQuery({
    queryKey: ['agents', 'commands', agentId],
    queryFn: () => fleet.commands(agentId),
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? 1000 : 10_000),
  });
  const refresh = () => client.invalidateQueries({ queryKey: ['agents', 'commands', agentId] });
  const send = useMutation({
    mutationFn: (kind: Exclude<AgentCommand['kind'], 'stage_upload'>) => fleet.sendCommand(agentId, { kind }),
    onSettled: refresh,
  });
  const cancel = useMutation({ mutationFn: (id: string) => fleet.cancelCommand(id), onSettled: refresh });
  return (
    <section aria-label={t('Commands')} className="col g2">
      <div className={s.buttons}>
        <Button onClick={() => send.mutate('rescan')} disabled={send.isPending}>
          <RefreshCw size={16} aria-hidden />
          {t('Scan now')}
        </Button>
        <Button onClick={() => send.mutate('inventory')} disabled={send.isPending}>
          <List size={16} aria-hidden />
          {t('List all files')}
        </Button>
        <Button onClick={() => send.mutate('reconcile')} disabled={send.isPending}>
          <GitCompare size={16} aria-hidden />
          {t('Compare')}
        </Button>
      </div>
      <ErrorNote error={send.error ?? cancel.error} />
      {(list.data?.length ?? 0) > 0 && (
        <ul className={s.commands}>
          {list.data?.map((command) => (
            <li key={command.id}>
              <span className={s.what}>
                {titles[command.kind]}: {describe(command)} <span className="muted nw">{timeAgo(command.created_at)}</span>
              </span>
              {isOpen(command) && (
                <Button onClick={() => cancel.mutate(command.id)} disabled={cancel.isPending}>
                  <X size={16} aria-hidden />
                  {t('Cancel')}
                </Button>
              )}
              {command.kind === 'inventory' && command.status === 'done' && (
                <a href={`/api/v1/agent-commands/${command.id}/inventory`} download={`files-${command.id}.ndjson`}>
                  <Download size={16} aria-hidden /> {t('Download')}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function describe({ kind, status, progress, result }: AgentCommand): string {
  const error = result?.['error'];
  if (status === 'failed' && typeof error === 'string') return t('failed. {error}', { error });
  const done = progress?.['done'];
  if (status !== 'picked_up' || typeof done !== 'number') return states[status];
  return kind === 'stage_upload' ? t('running, {done} sent', { done: formatBytes(done) }) : t('running, {done} files so far', { done });
}
