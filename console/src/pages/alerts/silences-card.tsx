import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertRule, AlertSilence } from '../../api/types.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { changedOnly, FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatDuration } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './alerts-page.module.css';

export function SilencesCard({ rules }: { rules: AlertRule[] }) {
  const silences = useQuery({ queryKey: ['alert-silences'], queryFn: api.alertSilences, refetchInterval: 30_000 });
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={t('Silences')}
      headingId="alerts-silences"
      aside={
        <Button size="s" onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden />
          {t('Add silence')}
        </Button>
      }
    >
      <ErrorNote error={silences.error} />
      {silences.data?.length === 0 && <p className="t2">{t('No alert is silenced.')}</p>}
      <ul className={s.list}>
        {silences.data?.map((silence) => (
          <SilenceRow key={silence.id} silence={silence} rules={rules} />
        ))}
      </ul>
      {adding && <SilenceDialog rules={rules} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function SilenceRow({ silence, rules }: { silence: AlertSilence; rules: AlertRule[] }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.endSilence(silence.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert-silences'] }),
  });
  /** As it was when the dialog was opened, because the list is fetched again meanwhile. */
  const [editing, setEditing] = useState<AlertSilence | null>(null);
  const daily = silence.ends_at === null;
  const what = rules.find(({ id }) => id === silence.rule_id)?.name ?? t('All alerts');
  const Icon = daily ? CalendarClock : BellOff;
  return (
    <li className={s.withIcon}>
      <Icon size={18} aria-hidden />
      <span>
        <span>
          {daily
            ? t('Every day, {daily_from} – {daily_to}', { daily_from: silence.daily_from, daily_to: silence.daily_to })
            : silence.reason || what}
        </span>
        <span className={s.small} style={{ display: 'block' }}>
          {daily ? `${what} · ${silence.time_zone}` : t('Until {ends_at} · {what}', { ends_at: formatRecent(silence.ends_at ?? ''), what })}
          {daily && silence.reason && ` · ${silence.reason}`}, {t('by {name}', { name: silence.created_by })}
        </span>
        <ErrorNote error={end.error} />
      </span>
      {daily ? (
        <LinkButton onClick={() => setEditing(silence)}>{t('Edit')}</LinkButton>
      ) : (
        <LinkButton onClick={() => end.mutate()}>{t('End now')}</LinkButton>
      )}
      {editing && <SilenceDialog rules={rules} silence={editing} onClose={() => setEditing(null)} />}
    </li>
  );
}

const HOURS = [1, 2, 4, 8, 24, 72, 168];

interface SilenceDialogProps {
  rules: AlertRule[];
  /** Quiet hours to change. */
  silence?: AlertSilence;
  onClose: () => void;
}

export function SilenceDialog({ rules, silence, onClose }: SilenceDialogProps) {
  const client = useQueryClient();
  const [kind, setKind] = useState<'once' | 'daily'>(silence ? 'daily' : 'once');
  const [rule, setRule] = useState(silence?.rule_id ?? '');
  const [hours, setHours] = useState('2');
  const [from, setFrom] = useState(silence?.daily_from ?? '22:00');
  const [to, setTo] = useState(silence?.daily_to ?? '06:00');
  const [reason, setReason] = useState(silence?.reason ?? '');
  const refresh = () => client.invalidateQueries({ queryKey: ['alert-silences'] });
  const save = () => {
    const what = { rule_id: rule === '' ? null : rule, reason };
    if (silence) return api.changeSilence(silence.id, changedOnly(silence, { ...what, daily_from: from, daily_to: to }));
    if (kind === 'once') return api.createSilence({ ...what, ends_at: new Date(Date.now() + Number(hours) * 3_600_000).toISOString() });
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return api.createSilence({ ...what, daily_from: from, daily_to: to, time_zone });
  };
  const remove = useMutation({
    mutationFn: (id: string) => api.endSilence(id),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      title={silence ? t('Edit quiet hours') : t('Silence alerts')}
      submit={silence ? t('Save') : t('Silence')}
      ready
      save={save}
      onSaved={refresh}
      onClose={onClose}
      onCancel={onClose}
      aside={silence && <LinkButton onClick={() => remove.mutate(silence.id)}>{t('Remove')}</LinkButton>}
    >
      {(errorAt) => (
        <div className="col g4">
          {!silence && (
            <Segmented
              label={t('How long')}
              value={kind}
              onChange={setKind}
              options={[
                { value: 'once', label: t('For a time') },
                { value: 'daily', label: t('Quiet hours, daily') },
              ]}
            />
          )}
          <p className="t2">
            {kind === 'once'
              ? t('Messages are not sent until the silence ends. Conditions that still last are sent then.')
              : t('Messages that come during quiet hours are sent when they end.')}
          </p>
          {kind === 'once' ? (
            <NativeSelect
              label={t('Duration')}
              value={hours}
              onChange={(event) => setHours(event.currentTarget.value)}
              data={HOURS.map((each) => ({
                value: String(each),
                label: each < 24 ? formatDuration(each * 3600) : t('{n|# day|# days}', { n: each / 24 }),
              }))}
              error={errorAt('ends_at')}
            />
          ) : (
            <div className="row g2">
              <TextInput
                type="time"
                label={silence ? t('From ({time_zone})', { time_zone: silence.time_zone }) : t('From')}
                value={from}
                onChange={(event) => setFrom(event.currentTarget.value)}
                error={errorAt('daily_from')}
              />
              <TextInput
                type="time"
                label={t('To')}
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
                error={errorAt('daily_to')}
              />
            </div>
          )}
          <NativeSelect
            label={t('Rule')}
            value={rule}
            onChange={(event) => setRule(event.currentTarget.value)}
            data={[{ value: '', label: t('All rules') }, ...rules.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          <ErrorNote error={remove.error} />
          <TextInput label={t('Reason')} value={reason} maxLength={500} onChange={(event) => setReason(event.currentTarget.value)} />
        </div>
      )}
    </FormDialog>
  );
}
