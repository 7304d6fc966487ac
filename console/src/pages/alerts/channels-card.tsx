import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Mail, Plus, Send, Webhook } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertChannel } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './alerts-page.module.css';
import { ChannelDialog } from './channel-dialog.tsx';

const ICONS = { smtp: Mail, webhook: Webhook, gateway: Send };

export function ChannelsCard() {
  const channels = useQuery({ queryKey: ['alert-channels'], queryFn: api.alertChannels, refetchInterval: 30_000 });
  const [edited, setEdited] = useState<AlertChannel | 'new' | null>(null);
  return (
    <Card
      title="Channels"
      headingId="alerts-channels"
      aside={
        <Button size="s" onClick={() => setEdited('new')}>
          <Plus size={14} aria-hidden />
          Add channel
        </Button>
      }
    >
      <ErrorNote error={channels.error} />
      {channels.data?.length === 0 && <p className="t2">Add a channel to receive alerts by mail, webhook or a notification service.</p>}
      <ul className={s.list} {...listProps}>
        {channels.data?.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
        ))}
      </ul>
      {edited !== null && <ChannelDialog channel={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}

/** "Email to 3 people · last sent today 09:25", or what went wrong. */
export function channelSummary({ type, config, failures, last_error, last_delivered_at }: AlertChannel): string {
  const kind =
    type === 'smtp'
      ? `Email to ${pluralize((config['to'] as string[] | undefined)?.length ?? 0, 'person', 'people')}`
      : type === 'webhook'
        ? 'Webhook'
        : 'Notification services';
  if (failures > 0) return `${kind} · the last ${failures === 1 ? 'message' : `${failures} messages`} failed: ${last_error ?? ''}`;
  return last_delivered_at ? `${kind} · last sent ${formatRecent(last_delivered_at)}` : `${kind} · nothing sent yet`;
}

function ChannelRow({ channel, onEdit }: { channel: AlertChannel; onEdit: () => void }) {
  const Icon = ICONS[channel.type];
  const failing = channel.failures > 0;
  return (
    <li className={s.withIcon}>
      <Icon size={18} aria-hidden />
      <span style={{ minWidth: 0 }}>
        <button type="button" className={s.name} onClick={onEdit} data-main>
          {channel.name}
        </button>
        <span className={`${s.small} cut`} style={{ display: 'block' }} title={channelSummary(channel)}>
          {channelSummary(channel)}
        </span>
      </span>
      <StatusText
        tone={!channel.enabled ? 'idle' : failing ? 'danger' : 'ok'}
        icon={!channel.enabled ? CircleSlash : failing ? CircleX : CircleCheck}
      >
        {!channel.enabled ? 'Off' : failing ? 'Failing' : channel.last_delivered_at ? 'Works' : 'Ready'}
      </StatusText>
    </li>
  );
}
