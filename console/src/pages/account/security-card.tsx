import { PasswordInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fingerprint, Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import * as factors from '../../api/factors.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form, FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './account-page.module.css';
import { deviceName } from './device-name.ts';
import { QrCode } from './qr-code.tsx';

type Asking = 'app' | 'remove-app' | 'codes' | 'passkey' | { removePasskey: string } | null;

/** Passkeys and the authenticator app of a local account. Every change asks for the password. */
export function SecurityCard() {
  const client = useQueryClient();
  const state = useQuery({ queryKey: ['second-factors'], queryFn: factors.secondFactors });
  const [asking, setAsking] = useState<Asking>(null);
  const [setup, setSetup] = useState<{ secret: string; url: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['second-factors'] });
  const proceed = async (password: string) => {
    if (asking === 'app') setSetup(await factors.startTotp(password));
    if (asking === 'remove-app') await factors.removeTotp(password);
    if (asking === 'codes') setCodes(await factors.newRecoveryCodes(password));
    if (asking === 'passkey') await factors.addPasskey(password, deviceName(navigator.userAgent));
    if (asking && typeof asking === 'object') await factors.removePasskey(asking.removePasskey, password);
  };
  const { data } = state;
  return (
    <Card
      title={t('Passkeys and codes')}
      aside={
        factors.passkeysWork() && (
          <Button size="s" onClick={() => setAsking('passkey')}>
            <Plus size={16} aria-hidden />
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <ErrorNote error={state.error} />
      {!data && !state.error && <Loading what={t('passkeys')} />}
      {data && (
        <ul className={s.rows} data-list>
          {data.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <Fingerprint size={16} aria-hidden />
              <div className="grow">
                <div className="m5">{passkey.name}</div>
                <div className="meta muted">
                  {t('Added {created_at}', { created_at: formatRecent(passkey.created_at) })}
                  {' · '}
                  {passkey.last_used_at
                    ? t('last used {last_used_at}', { last_used_at: timeAgo(passkey.last_used_at) })
                    : t('not used yet')}
                </div>
              </div>
              <Button size="s" onClick={() => setAsking({ removePasskey: passkey.id })}>
                {t('Remove')}
              </Button>
            </li>
          ))}
          {data.passkeys.length === 0 && <li className="muted">{t('No passkeys. Add one to sign in without a password.')}</li>}
          <li>
            <Smartphone size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{t('Authenticator app')}</div>
              <div className="meta muted">
                {data.totp
                  ? t('Asked for after the password. {recovery_codes_left|# recovery code|# recovery codes} left.', {
                      recovery_codes_left: data.recovery_codes_left,
                    })
                  : data.required
                    ? t('Your role requires a second factor. Set up an app or add a passkey.')
                    : t('A code from your phone in addition to the password.')}
              </div>
            </div>
            {data.totp ? (
              <>
                <Button size="s" onClick={() => setAsking('codes')}>
                  {t('New recovery codes')}
                </Button>
                {!data.required && (
                  <Button size="s" onClick={() => setAsking('remove-app')}>
                    {t('Remove')}
                  </Button>
                )}
              </>
            ) : (
              <Button size="s" onClick={() => setAsking('app')}>
                {t('Set up')}
              </Button>
            )}
          </li>
        </ul>
      )}
      {setup && (
        <ConfirmCode
          setup={setup}
          onConfirmed={(next) => {
            setSetup(null);
            setCodes(next);
            void refresh();
          }}
        />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(null);
            // Where the role required a second factor, the console replaces this page now.
            void client.invalidateQueries({ queryKey: ['auth'] });
          }}
        />
      )}
      {asking && (
        <PasswordDialog
          onProceed={proceed}
          onDone={() => {
            void refresh();
            if (asking === 'passkey') {
              toast(t('Passkey added'));
              void client.invalidateQueries({ queryKey: ['auth'] });
            }
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </Card>
  );
}

function PasswordDialog({
  onProceed,
  onDone,
  onClose,
}: {
  onProceed: (password: string) => Promise<void>;
  onDone: () => void;
  onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={t('Confirm your password')}
      submit={t('Continue')}
      ready={password !== ''}
      save={() => onProceed(password)}
      onSaved={onDone}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <PasswordInput
          data-autofocus
          label={t('Current password')}
          autoComplete="current-password"
          value={password}
          error={errorAt('current_password')}
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

function ConfirmCode({ setup, onConfirmed }: { setup: { secret: string; url: string }; onConfirmed: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  return (
    <div className={s.setup}>
      <QrCode text={setup.url} />
      <p>
        {rich(
          'Scan the code with your authenticator app, enter this key there, or <link>open the app on this device</link>. Then enter the code that it shows.',
          { link: (text) => <a href={setup.url}>{text}</a> },
        )}
      </p>
      <div className={s.key}>
        <code className="grow">{setup.secret.match(/.{4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} label={t('Copy the key')} />
      </div>
      <Form
        layout="line"
        submit={t('Confirm')}
        ready={/^\d{3}\s?\d{3}$/.test(code.trim())}
        save={() => factors.confirmTotp(code)}
        onSaved={onConfirmed}
      >
        {(errorAt) => (
          <TextInput
            label={t('Code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            error={errorAt('code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Form>
    </div>
  );
}

/** Shown once. */
function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <div className={s.setup}>
      <p className="m5">{t('Keep these recovery codes. They are shown only once.')}</p>
      <p className="meta muted">{t('Each lets you sign in once without your phone.')}</p>
      <ul className={s.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row g2">
        <CopyButton text={codes.join('\n')} label={t('Copy all codes')} />
        <Button size="s" onClick={onClose}>
          {t('I have saved them')}
        </Button>
      </div>
    </div>
  );
}
