import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import * as people from '../../api/people.ts';
import { Problem } from '../../api/problem.ts';
import type { AuthStatus } from '../../api/types.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { Note } from '../../components/status.tsx';
import { t } from '../../language/text.ts';
import s from './login-page.module.css';
import { SignInNote } from './sign-in-note.tsx';

interface SignInFormProps {
  status: AuthStatus;
  username?: string;
  onSignedIn: () => unknown;
  /** Set where the page shows errors itself; null when an attempt begins. */
  onError?: (error: Error | null, name: string) => void;
  extra?: ReactNode;
}

const isCodeRequest = (error: Error | null): boolean => error instanceof Problem && error.code === 'second_factor_required';

/** Used on the sign-in page, and over a page whose session ended during an edit. */
export function SignInForm({ status, username = '', onSignedIn, onError, extra }: SignInFormProps) {
  const passwordInput = useRef<HTMLInputElement>(null);
  const [capsLock, setCapsLock] = useState(false);
  const [forgot, setForgot] = useState(false);
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const signIn = useMutation({
    mutationFn: () => people.login({ username: name.trim(), password, remember, ...(asksCode ? { code: code.trim() } : {}) }),
    onMutate: () => onError?.(null, name.trim()),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (isCodeRequest(error)) setAsksCode(true);
      else {
        onError?.(error, name.trim());
        if (!asksCode) passwordInput.current?.select();
      }
    },
  });
  // The first answer only asks for the code; it is no failure.
  const error = isCodeRequest(signIn.error) ? null : signIn.error;
  const refused = error instanceof Problem && error.code === 'login_failed';
  return (
    <form
      className={s.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && password) signIn.mutate();
      }}
    >
      {!onError && error && <SignInNote error={error} name={name.trim()} />}
      <TextInput
        label={t('User name or email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={!username || undefined}
        autoFocus={!username}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
      />
      <div className={s.password}>
        <PasswordInput
          ref={passwordInput}
          label={t('Password')}
          autoComplete="current-password"
          data-autofocus={username ? true : undefined}
          value={password}
          error={capsLock ? t('Caps Lock is on.') : refused}
          onKeyUp={(e) => setCapsLock(e.getModifierState('CapsLock'))}
          onChange={(e) => setPassword(e.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        />
        <LinkButton className={s.forgot} aria-expanded={forgot} onClick={() => setForgot(!forgot)}>
          {t('Forgot password?')}
        </LinkButton>
      </div>
      {forgot && (
        <Note tone="idle" icon={Info} live>
          {t('An administrator can set a new password for you, under Admin, People. Catalog sends no mail about passwords.')}{' '}
          {(status.ldap_enabled || status.oidc_enabled) && t('The password of your organisation is changed there, not here.')}
        </Note>
      )}
      {asksCode && (
        <TextInput
          label={t('Code')}
          description={t('From your authenticator app, or a recovery code.')}
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={(e) => setCode(e.currentTarget.value)}
        />
      )}
      <Checkbox
        label={
          status.session_hours >= 48
            ? t('Stay signed in on this device for up to {days|# day|# days}', { days: Math.round(status.session_hours / 24) })
            : t('Stay signed in on this device for up to {hours|# hour|# hours}', { hours: Math.max(1, Math.round(status.session_hours)) })
        }
        checked={remember}
        onChange={(e) => setRemember(e.currentTarget.checked)}
      />
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 4 }}>
        {extra}
        <Button
          type="submit"
          variant="primary"
          size="l"
          className={extra ? undefined : s.submit}
          disabled={!name.trim() || !password || (asksCode && !code.trim()) || signIn.isPending}
        >
          {signIn.isPending ? t('Signing in…') : t('Sign in')}
        </Button>
      </div>
    </form>
  );
}
