import { NativeSelect, Switch, TextInput, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Principal } from '../../api/types.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatDate, formatTime } from '../../format/dates.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../../language/load.ts';
import { t } from '../../language/text.ts';
import { setPreference, usePreferences } from '../../shell/preferences.ts';
import s from './account-page.module.css';
import { PasswordDialog } from './password-dialog.tsx';

type Field = 'display_name' | 'email' | 'username';

/** Rows that each save by themselves. Without sign-in there is only what the browser keeps. */
export function ProfileCard({ me }: { me: Principal | null }) {
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [changing, setChanging] = useState(false);
  const onSaved = () => setSavedAt(new Date());
  const local = me?.auth_provider === 'local';
  return (
    <Card
      title={me ? t('Profile') : t('Appearance and shortcuts')}
      aside={
        <span role="status">
          {savedAt && (
            <StatusText tone="ok" icon={Check}>
              {t('Saved {time}', { time: formatTime(savedAt) })}
            </StatusText>
          )}
        </span>
      }
    >
      <dl className={s.profile}>
        {me && (
          <>
            <TextRow label={t('Name')} field="display_name" value={me.display_name ?? ''} autoComplete="name" onSaved={onSaved} />
            <TextRow label={t('Email')} field="email" value={me.email ?? ''} autoComplete="email" onSaved={onSaved} />
            {local && (
              <TextRow label={t('User name')} field="username" value={me.username} autoComplete="username" required onSaved={onSaved} />
            )}
            {me.auth_provider !== 'ldap' && me.auth_provider !== 'oidc' && (
              <Row label={t('Password')} action={<LinkButton onClick={() => setChanging(true)}>{t('Change')}</LinkButton>}>
                {me.password_changed_at
                  ? t('Changed {date}', { date: formatDate(me.password_changed_at) })
                  : t('The date of the last change is not known')}
              </Row>
            )}
          </>
        )}
        <BrowserRows onSaved={onSaved} />
      </dl>
      {changing && me && <PasswordDialog keys={me.api_keys} onSaved={onSaved} onClose={() => setChanging(false)} />}
    </Card>
  );
}

function Row({ label, children, action }: { label: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={s.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd className={s.action}>{action}</dd>
    </div>
  );
}

interface TextRowProps {
  label: string;
  field: Field;
  value: string;
  autoComplete: string;
  required?: boolean;
  onSaved: () => void;
}

/** Shows a value, or a field while it is edited. Enter and leaving the field save, Escape keeps the old value. */
function TextRow({ label, field, value, autoComplete, required = false, onSaved }: TextRowProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (text: string) => people.updateMe({ [field]: text || null }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['auth'] });
      setTyped(null);
      onSaved();
    },
  });
  if (typed === null)
    return (
      <Row
        label={label}
        action={
          <LinkButton aria-label={t('Edit {label}', { label })} onClick={() => setTyped(value)}>
            {t('Edit')}
          </LinkButton>
        }
      >
        {value || <span className="muted">{t('Not set')}</span>}
      </Row>
    );
  const text = typed.trim();
  const submit = () => {
    if (text === value) setTyped(null);
    else if (!(required && text === '') && !save.isPending) save.mutate(text);
  };
  return (
    <Row label={label}>
      <form
        className={s.edit}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) setTyped(null);
        }}
      >
        <TextInput
          aria-label={label}
          autoFocus
          value={typed}
          maxLength={field === 'username' ? 64 : field === 'email' ? 254 : 120}
          autoComplete={autoComplete}
          error={save.error ? errorMessage(save.error) : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="s" type="submit" disabled={save.isPending || (required && text === '')}>
          {t('Save')}
        </Button>
        <Button size="s" variant="ghost" onClick={() => setTyped(null)}>
          {t('Cancel')}
        </Button>
      </form>
    </Row>
  );
}

/** What this browser keeps. */
function BrowserRows({ onSaved }: { onSaved: () => void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { letterKeys, startPage } = usePreferences();
  return (
    <>
      <Row
        label={t('Start page')}
        action={
          <Segmented
            label={t('Start page')}
            value={startPage}
            onChange={(value) => {
              setPreference('startPage', value);
              onSaved();
            }}
            options={[
              { value: 'search', label: t('Search') },
              { value: 'home', label: t('Home') },
            ]}
          />
        }
      />
      <Row
        label={t('Appearance')}
        action={
          <Segmented
            label={t('Appearance')}
            value={colorScheme}
            onChange={(value) => {
              setColorScheme(value);
              onSaved();
            }}
            options={[
              { value: 'light', label: t('Light') },
              { value: 'dark', label: t('Dark') },
              { value: 'auto', label: t('System') },
            ]}
          />
        }
      />
      <Row
        label={t('Language')}
        action={
          <NativeSelect
            aria-label={t('Language')}
            value={chosenLanguage() ?? ''}
            onChange={(event) => chooseLanguage((event.currentTarget.value || null) as Language | null)}
            data={[{ value: '', label: t('Browser’s language') }, ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))]}
          />
        }
      />
      <Row
        label={t('Single-letter shortcuts')}
        action={
          <Switch
            aria-label={t('Single-letter shortcuts')}
            checked={letterKeys}
            onChange={(event) => {
              setPreference('letterKeys', event.currentTarget.checked);
              onSaved();
            }}
          />
        }
      >
        {t('T for tag, N for note')}
      </Row>
    </>
  );
}
