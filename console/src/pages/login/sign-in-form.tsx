import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import * as people from '../../api/people.ts';
import { Problem } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import s from './login-page.module.css';

interface SignInFormProps {
  username?: string;
  onSignedIn: () => void;
  /** Set where the page shows errors itself; null when an attempt begins. */
  onError?: (error: Error | null) => void;
  extra?: ReactNode;
}

/** Used on the sign-in page, and over a page whose session ended during an edit. */
export function SignInForm({ username = '', onSignedIn, onError, extra }: SignInFormProps) {
  const passwordInput = useRef<HTMLInputElement>(null);
  const [capsLock, setCapsLock] = useState(false);
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const signIn = useMutation({
    mutationFn: () => people.login({ username: name.trim(), password, ...(asksCode ? { code: code.trim() } : {}) }),
    onMutate: () => onError?.(null),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof Problem && error.code === 'second_factor_required') setAsksCode(true);
      else {
        onError?.(error);
        if (!asksCode) passwordInput.current?.select();
      }
    },
  });
  // The first answer only asks for the code; it is no failure.
  const error = asksCode && signIn.error instanceof Problem && signIn.error.code === 'second_factor_required' ? null : signIn.error;
  return (
    <form
      className="col g4"
      style={{ marginTop: 24 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && password) signIn.mutate();
      }}
    >
      <TextInput
        label={t('Username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={!username || undefined}
        autoFocus={!username}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordInput}
        label={t('Password')}
        autoComplete="current-password"
        data-autofocus={username ? true : undefined}
        value={password}
        error={capsLock && t('Caps Lock is on.')}
        onKeyUp={(e) => setCapsLock(e.getModifierState('CapsLock'))}
        onChange={(e) => setPassword(e.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
      />
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
      {!onError && <ErrorNote error={error} />}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 8 }}>
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
