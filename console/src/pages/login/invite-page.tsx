import { PasswordInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Form } from '../../components/form.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import { passwordStrength } from '../first-visit/password.ts';
import s from './login-page.module.css';

/** An invited person chooses a password. */
export default function InvitePage({ token }: { token: string }) {
  usePageTitle(t('Choose a password'));
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const strength = passwordStrength(password);
  const invited = useQuery({ queryKey: ['invitation', token], queryFn: () => people.invitation(token), retry: false });
  return (
    <div className={s.frame}>
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          {t('Welcome to Catalog')}
        </h1>
        {invited.error ? (
          <ErrorState error={invited.error} retry={() => void invited.refetch()} />
        ) : !invited.data ? (
          <Loading what={t('invitation')} />
        ) : (
          <>
            <p className="t2 read">{t('Choose a password for {username}.', { username: invited.data.username })}</p>
            <Form
              layout="card"
              submit={t('Start')}
              ready={strength.isEnough}
              save={() => people.acceptInvitation(token, password)}
              onSaved={() => {
                client.clear();
                location.replace('/');
              }}
            >
              {(errorAt) => (
                <PasswordInput
                  label={t('Password')}
                  autoComplete="new-password"
                  description={strength.text}
                  value={password}
                  error={errorAt('password')}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
                />
              )}
            </Form>
          </>
        )}
      </main>
    </div>
  );
}
