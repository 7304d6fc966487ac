import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpenText, Download, GitCompare, HardDrive, List, Pause, Play, RefreshCw, ShieldCheck, X } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { AgentCommand } from '../../api/types.ts';
import { Button, classNames } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';
import { InventoryDialog } from './inventory-dialog.tsx';

const titles: Record<AgentCommand['kind'], string> = {
  rescan: t('Scan'),
  inventory: t('File listing'),
  reconcile: t('Comparison'),
  stage_upload: t('File requested'),
  self_update: t('Update'),
  suspend: t('Pause of scans'),
  stat_check: t('Check of a file'),
  rehash_check: t('Check of the bytes of a file'),
  reextract: t('Reading of contents'),
  rehash_sweep: t('Check of all bytes'),
  agent_maintenance: t('Maintenance of the index'),
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

interface AgentCommandsProps {
  agentId: string;
  suspended: boolean;
  capabilities: Record<string, unknown>;
}

const listIn = (value: unknown): string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

/** What the agent was asked to do lately, and buttons to ask for more. */
export function AgentCommands({ agentId, suspended, capabilities }: AgentCommandsProps) {
  const client = useQueryClient();
  const list = useQuery({
    queryKey: ['agents', 'commands', agentId],
    queryFn: () => fleet.commands(agentId),
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? 1000 : 10_000),
  });
  const [listing, setListing] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['agents', 'commands', agentId] });
  const send = useMutation({
    mutationFn: (kind: 'rescan' | 'reconcile') => fleet.sendCommand(agentId, { kind }),
    onSettled: refresh,
  });
  const sweep = useMutation({
    mutationFn: (what: 'reextract' | 'rehash-sweep' | 'maintenance') => fleet.sweepAgent(agentId, what),
    onSettled: refresh,
  });
  const suspend = useMutation({ mutationFn: () => fleet.suspendAgent(agentId, !suspended), onSettled: refresh });
  const cancel = useMutation({ mutationFn: (id: string) => fleet.cancelCommand(id), onSettled: refresh });
  return (
    <section aria-label={t('Commands')} className={classNames('col g2', s.work)}>
      <div className={s.buttons}>
        <Button onClick={() => send.mutate('rescan')} disabled={send.isPending}>
          <RefreshCw size={16} aria-hidden />
          {t('Scan now')}
        </Button>
        <Button onClick={() => setListing(true)}>
          <List size={16} aria-hidden />
          {t('List all files…')}
        </Button>
        <Button onClick={() => send.mutate('reconcile')} disabled={send.isPending}>
          <GitCompare size={16} aria-hidden />
          {t('Compare')}
        </Button>
        <Button onClick={() => sweep.mutate('rehash-sweep')} disabled={sweep.isPending}>
          <ShieldCheck size={16} aria-hidden />
          {t('Check all bytes')}
        </Button>
        {listIn(capabilities['extractors']) && (
          <Button onClick={() => sweep.mutate('reextract')} disabled={sweep.isPending}>
            <BookOpenText size={16} aria-hidden />
            {t('Read contents again')}
          </Button>
        )}
        <Button onClick={() => sweep.mutate('maintenance')} disabled={sweep.isPending}>
          <HardDrive size={16} aria-hidden />
          {t('Tidy up the index')}
        </Button>
        <Button onClick={() => suspend.mutate()} disabled={suspend.isPending}>
          {suspended ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
          {suspended ? t('Resume scans') : t('Pause scans')}
        </Button>
      </div>
      {listing && (
        <InventoryDialog
          agentId={agentId}
          available={listIn(capabilities['inventory_collectors'])}
          onSent={refresh}
          onClose={() => setListing(false)}
        />
      )}
      <ErrorNote error={send.error ?? sweep.error ?? suspend.error ?? cancel.error} />
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
              <CommandResult command={command} />
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

/** What the agent reported, for those who want to know more than the outcome. */
function CommandResult({ command: { kind, status, result } }: { command: AgentCommand }) {
  if (status !== 'done' || !result || Object.keys(result).length === 0) return null;
  return (
    <details className={s.result}>
      <summary>
        {t('Result')}
        <span className="visually-hidden"> {titles[kind]}</span>
      </summary>
      {/* Long results scroll, so the box takes the focus. */}
      <pre className="mono" tabIndex={0}>
        {JSON.stringify(result, null, 2)}
      </pre>
    </details>
  );
}

function describe({ kind, status, progress, result }: AgentCommand): string {
  const error = result?.['error'];
  if (status === 'failed' && typeof error === 'string') return t('failed. {error}', { error });
  const done = progress?.['done'];
  if (status !== 'picked_up' || typeof done !== 'number') return states[status];
  return kind === 'stage_upload'
    ? t('running, {done} sent', { done: formatBytes(done) })
    : t('running, {done|# file|# files} so far', { done });
}
