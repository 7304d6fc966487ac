import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { pluralize } from '../../format/numbers.ts';
import s from './account-page.module.css';
import { deviceName } from './device-name.ts';
import { QrCode } from './qr-code.tsx';

type Asking = 'app' | 'remove-app' | 'codes' | 'passkey' | null;

/** Passkeys and the authenticator app of a local account. Every change asks for the password. */
export function SecurityCard() {
  const client = useQueryClient();
  const state = useQuery({ queryKey: ['second-factors'], queryFn: factors.secondFactors });
  const [asking, setAsking] = useState<Asking>(null);
  const [setup, setSetup] = useState<{ secret: string; url: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['second-factors'] });
  const remove = useMutation({ mutationFn: factors.removePasskey, onSuccess: refresh });
  const proceed = async (password: string) => {
    if (asking === 'app') setSetup(await factors.startTotp(password));
    if (asking === 'remove-app') await factors.removeTotp(password);
    if (asking === 'codes') setCodes(await factors.newRecoveryCodes(password));
    if (asking === 'passkey') await factors.addPasskey(password, deviceName(navigator.userAgent));
  };
  const { data } = state;
  return (
    <Card
      title="Passkeys and codes"
      aside={
        factors.passkeysWork() && (
          <Button size="s" onClick={() => setAsking('passkey')}>
            <Plus size={16} aria-hidden />
            Add a passkey
          </Button>
        )
      }
    >
      <ErrorNote error={state.error ?? remove.error} />
      {!data && !state.error && <Loading what="passkeys" />}
      {data && (
        <ul className={s.rows} data-list>
          {data.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <Fingerprint size={16} aria-hidden />
              <div className="grow">
                <div className="m5">{passkey.name}</div>
                <div className="meta muted">
                  Added {formatRecent(passkey.created_at)} ·{' '}
                  {passkey.last_used_at ? `last used ${timeAgo(passkey.last_used_at)}` : 'not used yet'}
                </div>
              </div>
              <Button size="s" onClick={() => remove.mutate(passkey.id)} disabled={remove.isPending}>
                Remove
              </Button>
            </li>
          ))}
          {data.passkeys.length === 0 && <li className="muted">No passkeys. Add one to sign in without a password.</li>}
          <li>
            <Smartphone size={16} aria-hidden />
            <div className="grow">
              <div className="m5">Authenticator app</div>
              <div className="meta muted">
                {data.totp
                  ? `Asked for after the password. ${pluralize(data.recovery_codes_left, 'recovery code')} left.`
                  : data.required
                    ? 'Your role requires a second factor. Set up an app or add a passkey.'
                    : 'A code from your phone in addition to the password.'}
              </div>
            </div>
            {data.totp ? (
              <>
                <Button size="s" onClick={() => setAsking('codes')}>
                  New recovery codes
                </Button>
                {!data.required && (
                  <Button size="s" onClick={() => setAsking('remove-app')}>
                    Remove
                  </Button>
                )}
              </>
            ) : (
              <Button size="s" onClick={() => setAsking('app')}>
                Set up
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
            void client.invalidateQueries({ queryKey: ['auth'] });
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {asking && (
        <PasswordDialog
          onProceed={proceed}
          onDone={() => {
            void refresh();
            if (asking === 'passkey') {
              toast('Passkey added');
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
      title="Confirm your password"
      submit="Continue"
      ready={password !== ''}
      save={() => onProceed(password)}
      onSaved={onDone}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <PasswordInput
          data-autofocus
          label="Current password"
          autoComplete="current-password"
          value={password}
          error={errorAt('current_password')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
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
        Scan the code with your authenticator app, enter this key there, or <a href={setup.url}>open the app on this device</a>. Then enter
        the code that it shows.
      </p>
      <div className={s.key}>
        <code className="grow">{setup.secret.match(/.{4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} label="Copy the key" />
      </div>
      <Form
        layout="line"
        submit="Confirm"
        ready={/^\d{3}\s?\d{3}$/.test(code.trim())}
        save={() => factors.confirmTotp(code)}
        onSaved={onConfirmed}
      >
        {(errorAt) => (
          <TextInput
            label="Code"
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
      <p className="m5">Keep these recovery codes. They are shown only once.</p>
      <p className="meta muted">Each lets you sign in once without your phone.</p>
      <ul className={s.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row g2">
        <CopyButton text={codes.join('\n')} label="Copy all codes" />
        <Button size="s" onClick={onClose}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}
