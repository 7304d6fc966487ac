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
import { t } from '../../language/text.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './alerts-page.module.css';
import { ChannelDialog } from './channel-dialog.tsx';

const ICONS = { smtp: Mail, webhook: Webhook, gateway: Send };

export function ChannelsCard() {
  const channels = useQuery({ queryKey: ['alert-channels'], queryFn: api.alertChannels, refetchInterval: 30_000 });
  const [edited, setEdited] = useState<AlertChannel | 'new' | null>(null);
  return (
    <Card
      title={t('Channels')}
      headingId="alerts-channels"
      aside={
        <Button size="s" onClick={() => setEdited('new')}>
          <Plus size={14} aria-hidden />
          {t('Add channel')}
        </Button>
      }
    >
      <ErrorNote error={channels.error} />
      {channels.data?.length === 0 && (
        <p className="t2">{t('Add a channel to receive alerts by mail, webhook or a notification service.')}</p>
      )}
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
      ? t('Email to {config|# person|# people}', { config: (config['to'] as string[] | undefined)?.length ?? 0 })
      : type === 'webhook'
        ? t('Webhook')
        : t('Notification services');
  if (failures > 0) return `${kind} · ${t('the last {n|message|# messages} failed: {error}', { n: failures, error: last_error ?? '' })}`;
  return last_delivered_at
    ? `${kind} · ${t('last sent {time}', { time: formatRecent(last_delivered_at) })}`
    : `${kind} · ${t('nothing sent yet')}`;
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
        {!channel.enabled ? t('Off') : failing ? t('Failing') : channel.last_delivered_at ? t('Works') : t('Ready')}
      </StatusText>
    </li>
  );
}
