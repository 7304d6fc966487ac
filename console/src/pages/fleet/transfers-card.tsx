import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, Download, Hourglass, RefreshCw, X } from 'lucide-react';
import * as fleet from '../../api/fleet.ts';
import type { Transfer } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import s from './transfers-card.module.css';

const isOpen = ({ state }: Transfer): boolean => state === 'pending' || state === 'uploading' || state === 'verifying';

/** Files that people requested from agents, with their progress. */
export function TransfersCard() {
  const client = useQueryClient();
  const list = useQuery({
    queryKey: ['agents', 'transfers'],
    queryFn: fleet.transfers,
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? 1_000 : 10_000),
  });
  const cancel = useMutation({
    mutationFn: fleet.cancelTransfer,
    onSettled: () => client.invalidateQueries({ queryKey: ['agents', 'transfers'] }),
  });
  return (
    <Card headingId="transfers" title={t('Transfers')}>
      <ErrorNote error={list.error ?? cancel.error} />
      {list.data?.length === 0 && <p className="t2">{t('Nobody has requested a file from an agent lately.')}</p>}
      <ul className={s.list} data-list>
        {list.data?.map((transfer) => (
          <li key={transfer.transfer_id} data-row>
            <div className={s.file}>
              <a data-main href={`#/item/${transfer.item_id}`} className="anywhere" title={transfer.rel_path}>
                {transfer.filename}
              </a>
              <span className="t2">
                {t('from {agent}', { agent: transfer.agent_name })} · <span className="nw">{timeAgo(transfer.created_at)}</span>
              </span>
            </div>
            <div className={s.progress}>
              <TransferState transfer={transfer} />
              {isOpen(transfer) && <Bar transfer={transfer} />}
            </div>
            <span className={s.buttons}>
              {transfer.state === 'staged' && (
                <ButtonLink
                  size="s"
                  href={`/api/v1/transfers/${transfer.transfer_id}/download`}
                  download={transfer.filename}
                  aria-label={t('Download {name}', { name: transfer.filename })}
                >
                  <Download size={14} aria-hidden />
                  {t('Download')}
                </ButtonLink>
              )}
              {(isOpen(transfer) || transfer.state === 'staged') && (
                <Button
                  size="s"
                  onClick={() => cancel.mutate(transfer.transfer_id)}
                  disabled={cancel.isPending}
                  aria-label={
                    isOpen(transfer)
                      ? t('Cancel the transfer of {name}', { name: transfer.filename })
                      : t('Discard {name}', { name: transfer.filename })
                  }
                >
                  <X size={14} aria-hidden />
                  {isOpen(transfer) ? t('Cancel') : t('Discard')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TransferState({ transfer: { state, bytes_transferred, total_bytes, error, verified } }: { transfer: Transfer }) {
  switch (state) {
    case 'pending':
      return (
        <StatusText tone="idle" icon={Hourglass}>
          {t('Waiting for the agent')}
        </StatusText>
      );
    case 'uploading':
      return (
        <StatusText tone="active" icon={RefreshCw}>
          {t('{done} of {all}', { done: formatBytes(bytes_transferred), all: formatBytes(total_bytes ?? 0) })}
        </StatusText>
      );
    case 'verifying':
      return (
        <StatusText tone="active" icon={RefreshCw}>
          {t('Comparing with the catalog')}
        </StatusText>
      );
    case 'staged':
      return (
        <StatusText tone="ok" icon={CircleCheck}>
          {verified ? t('Ready, verified') : t('Ready')}
        </StatusText>
      );
    case 'failed':
      return (
        <StatusText tone="danger" icon={CircleX} className={s.wrap}>
          {error ? serverText(error) : t('Failed')}
        </StatusText>
      );
    default:
      return (
        <StatusText tone="idle" icon={Clock} className={s.wrap}>
          {error ? serverText(error) : t('Expired')}
        </StatusText>
      );
  }
}

function Bar({ transfer: { filename, bytes_transferred, total_bytes } }: { transfer: Transfer }) {
  const share = total_bytes ? Math.round((100 * bytes_transferred) / total_bytes) : 0;
  return (
    <span
      className={s.bar}
      role="progressbar"
      aria-label={t('Transfer of {name}', { name: filename })}
      aria-valuenow={share}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ inlineSize: `${share}%` }} />
    </span>
  );
}
