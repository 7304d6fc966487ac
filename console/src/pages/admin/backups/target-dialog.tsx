import { Checkbox, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as operations from '../../../api/operations.ts';
import type { BackupTarget } from '../../../api/types.ts';
import { changedOnly, FormDialog } from '../../../components/form.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { t } from '../../../language/text.ts';

type Kind = BackupTarget['kind'];
type Config = BackupTarget['config'];

const FIELDS: Record<Kind, { name: keyof Config; label: string; description?: string; placeholder?: string; optional?: boolean }[]> = {
  folder: [
    {
      name: 'path',
      label: t('Folder'),
      description: t('A drive of another machine that is mounted on this server. It must exist.'),
      placeholder: '/mnt/backup/catalog',
    },
  ],
  s3: [
    { name: 'endpoint', label: t('Address'), placeholder: 'https://s3.example.org' },
    { name: 'bucket', label: t('Bucket'), placeholder: 'catalog-backups' },
    { name: 'prefix', label: t('Folder in the bucket'), optional: true },
    { name: 'region', label: t('Region'), placeholder: 'us-east-1', optional: true },
    { name: 'access_key_id', label: t('Access key') },
  ],
  sftp: [
    { name: 'host', label: t('Server'), placeholder: 'backup.example.org' },
    { name: 'port', label: t('Port'), placeholder: '22', optional: true },
    { name: 'username', label: t('User name') },
    { name: 'path', label: t('Folder on the server'), placeholder: '/srv/catalog' },
    {
      name: 'host_keys',
      label: t('Fingerprints of the host keys'),
      description: t('On the server, run ssh-keygen -lf for each file /etc/ssh/ssh_host_*.pub, and paste what it prints.'),
      placeholder: 'SHA256:…',
    },
  ],
};

const SECRETS = { folder: 'secret_access_key', s3: 'secret_access_key', sftp: 'password' } as const;

/** Adds or changes a place for copies of backups. */
export function TargetDialog({ target, onClose, onSaved }: { target: BackupTarget | null; onClose: () => void; onSaved: () => void }) {
  const [kind, setKind] = useState<Kind>(target?.kind ?? 'folder');
  const [name, setName] = useState(target?.name ?? '');
  const [config, setConfig] = useState<Config>(target?.config ?? {});
  const [secret, setSecret] = useState('');
  const [keep, setKeep] = useState<number | string>(target?.keep ?? 7);
  const [enabled, setEnabled] = useState(target?.enabled ?? true);
  const filled = FIELDS[kind].every((field) => field.optional || (config[field.name] ?? '').trim() !== '');
  return (
    <FormDialog
      title={target ? t('Edit {name}', { name: target.name }) : t('Copy backups to another place')}
      submit={target ? t('Save') : t('Add place')}
      ready={name.trim() !== '' && filled && Number(keep) >= 1 && (kind !== 's3' || target !== null || secret !== '')}
      save={() => {
        const own = (all: Config): Config => Object.fromEntries(FIELDS[kind].map((field) => [field.name, all[field.name] ?? '']));
        const common = { name: name.trim(), keep: Number(keep), enabled, ...(secret ? { [SECRETS[kind]]: secret } : {}) };
        if (!target) return operations.addBackupTarget({ kind, config: own(config), ...common });
        const changed = { config: changedOnly(own(target.config), own(config)), ...common };
        return operations.changeBackupTarget(target.id, changedOnly({ ...target, config: {} }, changed));
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          {!target && (
            <Segmented
              label={t('Kind of place')}
              value={kind}
              onChange={setKind}
              options={[
                { value: 'folder', label: t('Network folder') },
                { value: 's3', label: t('S3 storage') },
                { value: 'sftp', label: t('SFTP server') },
              ]}
            />
          )}
          <TextInput
            label={t('Name')}
            value={name}
            error={errorAt('name')}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          {FIELDS[kind].map((field) => (
            <TextInput
              key={field.name}
              label={field.label}
              description={field.description}
              placeholder={field.placeholder ?? ''}
              value={config[field.name] ?? ''}
              error={errorAt(field.name)}
              required={!field.optional}
              onChange={(event) => setConfig({ ...config, [field.name]: event.currentTarget.value })}
            />
          ))}
          {kind === 's3' && (
            <PasswordInput
              label={t('Secret key')}
              description={target ? t('Leave empty to keep the stored one.') : t('Stored encrypted and never shown again.')}
              value={secret}
              error={errorAt('secret_access_key')}
              autoComplete="off"
              required={!target}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          )}
          {kind === 'sftp' && (
            <PasswordInput
              label={t('Password')}
              description={t('Leave empty to sign in with a key: the place then shows the line for authorized_keys.')}
              value={secret}
              error={errorAt('password')}
              autoComplete="off"
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          )}
          <NumberInput label={t('Backups to keep there')} min={1} max={1000} value={keep} error={errorAt('keep')} onChange={setKeep} />
          <Checkbox label={t('Copy every new backup')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
        </>
      )}
    </FormDialog>
  );
}
