import { Checkbox, NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Send } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertChannel } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, type ErrorAt, FormDialog, NameField } from '../../components/form.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { t } from '../../language/text.ts';

type ChannelType = AlertChannel['type'];
type Config = NonNullable<api.ChannelFields['config']>;

const EMPTY: Record<ChannelType, Config> = {
  webhook: { url: '', webhook_format: 'auto', secret: '' },
  smtp: { host: '', port: 587, security: 'starttls', allow_insecure: false, username: '', password: '', from_addr: '', to: '' },
  gateway: { url: '' },
};

/** What the form starts with: secrets are empty, because an empty field keeps the stored value. */
export function configOf(channel: AlertChannel | null, type: ChannelType): Config {
  if (!channel) return EMPTY[type];
  const stored = channel.config as Record<string, unknown>;
  const blank =
    type === 'webhook'
      ? { url: '', secret: '' }
      : type === 'smtp'
        ? { password: '', to: (stored['to'] as string[]).join(', ') }
        : { url: '' };
  return { ...EMPTY[type], ...(stored as Config), ...blank };
}

export function ChannelDialog({ channel, onClose }: { channel: AlertChannel | null; onClose: () => void }) {
  const client = useQueryClient();
  const [type, setType] = useState<ChannelType>(channel?.type ?? 'smtp');
  const [name, setName] = useState(channel?.name ?? '');
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [config, setConfig] = useState<Config>(configOf(channel, type));
  const [removing, setRemoving] = useState(false);
  const set = (change: Config) => setConfig((before) => ({ ...before, ...change }));
  const test = useMutation({ mutationFn: () => api.testChannel(channel?.id ?? null, type, config) });
  const refresh = () => client.invalidateQueries({ queryKey: ['alert-channels'] });
  const save = () => {
    if (!channel) return api.createChannel({ name, type, enabled, config });
    const changed = { name, enabled, config: changedOnly(configOf(channel, type), config) };
    return api.updateChannel(channel.id, changedOnly({ ...channel, config: {} }, changed));
  };
  return (
    <>
      <FormDialog
        title={channel ? t('Edit channel') : t('Add channel')}
        submit={channel ? t('Save channel') : t('Add channel')}
        size={560}
        ready={name.trim() !== ''}
        save={save}
        onSaved={refresh}
        onClose={onClose}
        onCancel={onClose}
        aside={
          <>
            <Button size="l" variant="ghost" onClick={() => test.mutate()} disabled={test.isPending}>
              <Send size={16} aria-hidden />
              {test.isPending ? t('Sending…') : t('Send a test')}
            </Button>
            {channel && (
              <Button size="l" variant="danger" onClick={() => setRemoving(true)}>
                {t('Delete')}
              </Button>
            )}
          </>
        }
      >
        {(errorAt) => (
          <div className="col g4">
            {!channel && (
              <Segmented
                label={t('Type')}
                value={type}
                onChange={(next) => {
                  setType(next);
                  setConfig(EMPTY[next]);
                  test.reset();
                }}
                options={[
                  { value: 'smtp', label: t('Email') },
                  { value: 'webhook', label: t('Webhook') },
                  { value: 'gateway', label: t('Services') },
                ]}
              />
            )}
            <NameField value={name} onChange={setName} maxLength={200} error={errorAt('name')} />
            <ChannelFieldsForm type={type} config={config} set={set} errorAt={errorAt} stored={channel !== null} />
            <Switch
              label={t('Messages are sent through this channel')}
              checked={enabled}
              onChange={(event) => setEnabled(event.currentTarget.checked)}
            />
            <ErrorNote error={test.error} />
            {test.data && (
              <Note tone={test.data.ok ? 'ok' : 'danger'} icon={test.data.ok ? CircleCheck : CircleX} live>
                {test.data.detail}
              </Note>
            )}
          </div>
        )}
      </FormDialog>
      {channel && (
        <ConfirmDialog
          opened={removing}
          title={t('Delete the channel {name}?', { name: channel.name })}
          confirm={t('Delete channel')}
          danger
          onConfirm={async () => {
            await api.deleteChannel(channel.id);
            await refresh();
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          {t('A channel that rules or report schedules still use is not deleted.')}
        </ConfirmDialog>
      )}
    </>
  );
}

function ChannelFieldsForm({
  type,
  config,
  set,
  errorAt,
  stored,
}: {
  type: ChannelType;
  config: Config;
  set: (change: Config) => void;
  errorAt: ErrorAt;
  stored: boolean;
}) {
  const kept = stored ? t('Leave empty to keep the stored value.') : undefined;
  if (type === 'gateway')
    return (
      <Textarea
        label={t('Services, one address per line')}
        description={
          kept ??
          t(
            'For example ntfys://ntfy.example.org/alerts, gotifys://push.example.org/token or tgram://bot-token/chat. The manual lists all.',
          )
        }
        autosize
        minRows={3}
        value={config.url ?? ''}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={errorAt('url')}
        spellCheck={false}
      />
    );
  if (type === 'webhook')
    return (
      <>
        <TextInput
          label={t('Address')}
          description={kept}
          placeholder={stored ? `https://${config.host ?? ''}/…` : 'https://'}
          value={config.url ?? ''}
          onChange={(event) => set({ url: event.currentTarget.value })}
          error={errorAt('url')}
        />
        <NativeSelect
          label={t('Format')}
          value={config.webhook_format ?? 'auto'}
          onChange={(event) => set({ webhook_format: event.currentTarget.value as 'auto' })}
          data={[
            { value: 'auto', label: t('Detect from the address') },
            { value: 'generic', label: 'JSON' },
            { value: 'discord', label: t('Discord') },
            { value: 'slack', label: t('Slack') },
          ]}
          error={errorAt('webhook_format')}
        />
        <PasswordInput
          label={t('Signing secret')}
          description={kept ?? t('Optional. The receiver checks X-Svc-Signature with it.')}
          value={config.secret ?? ''}
          onChange={(event) => set({ secret: event.currentTarget.value })}
          error={errorAt('secret')}
          autoComplete="off"
        />
      </>
    );
  return (
    <>
      <div className="row g2">
        <TextInput
          className="grow"
          label={t('Mail server')}
          value={config.host ?? ''}
          onChange={(event) => set({ host: event.currentTarget.value })}
          error={errorAt('host')}
        />
        <NumberInput
          label={t('Port')}
          w={96}
          min={1}
          max={65535}
          // Not controlled, so that the field can be empty while another port is typed.
          defaultValue={config.port ?? 587}
          placeholder="587"
          onChange={(value) => set({ port: Number(value) || 587 })}
          error={errorAt('port')}
        />
        <NativeSelect
          label={t('Encryption')}
          value={config.security ?? 'starttls'}
          onChange={(event) => set({ security: event.currentTarget.value as 'starttls' })}
          data={[
            { value: 'starttls', label: 'STARTTLS' },
            { value: 'ssl', label: 'TLS' },
            { value: 'plain', label: t('None') },
          ]}
          error={errorAt('security')}
        />
      </div>
      {config.security === 'plain' && (
        <Checkbox
          label={t('Send without encryption; others on the network can read it')}
          checked={config.allow_insecure ?? false}
          onChange={(event) => set({ allow_insecure: event.currentTarget.checked })}
        />
      )}
      <div className="row g2">
        <TextInput
          className="grow"
          label={t('User name')}
          value={config.username ?? ''}
          onChange={(event) => set({ username: event.currentTarget.value })}
          error={errorAt('username')}
          autoComplete="off"
        />
        <PasswordInput
          className="grow"
          label={t('Password')}
          value={config.password ?? ''}
          placeholder={stored ? t('Unchanged') : ''}
          onChange={(event) => set({ password: event.currentTarget.value })}
          error={errorAt('password')}
          autoComplete="new-password"
        />
      </div>
      <TextInput
        label={t('Sender')}
        value={config.from_addr ?? ''}
        onChange={(event) => set({ from_addr: event.currentTarget.value })}
        error={errorAt('from_addr')}
      />
      <TextInput
        label={t('Recipients')}
        description={t('Separate several with commas.')}
        value={typeof config.to === 'string' ? config.to : (config.to ?? []).join(', ')}
        onChange={(event) => set({ to: event.currentTarget.value })}
        error={errorAt('to')}
      />
    </>
  );
}
