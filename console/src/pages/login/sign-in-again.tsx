import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Building2, Fingerprint } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import * as factors from '../../api/factors.ts';
import * as people from '../../api/people.ts';
import { finishSignIn } from '../../api/session-ended.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';

/** Discards what the page holds, which belongs to the person who was signed in before. */
function leave(): void {
  finishSignIn(false);
  location.reload();
}

/** Shown over the page when the session ends, so that unsaved input is kept. */
export default function SignInAgain() {
  const { me, status } = useSession();
  const id = me?.id;
  const resume = useCallback(async () => {
    const now = await people.me();
    // Another person must neither see this page nor save its edits under their name.
    if (now.id !== id) return leave();
    // The password alone opened a session with which nothing can be saved.
    if (now.must_enrol)
      throw new Error(t('Your role requires a second factor. Sign in with your passkey, or set one up in another tab and come back.'));
    finishSignIn(true);
  }, [id]);
  // Somebody may have signed in in another tab, as with a provider, whose page cannot be shown here.
  useEffect(() => {
    const retry = () => void resume().catch(() => {});
    addEventListener('focus', retry);
    return () => removeEventListener('focus', retry);
  }, [resume]);
  const other = useMutation({ mutationFn: (signIn: () => Promise<unknown>) => signIn(), onSuccess: resume });
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      title={t('You were signed out')}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <p className="t2 read">{t('Sign in to continue. Your changes are kept and will be saved.')}</p>
      <div className={s.ways}>
        {status.header_user !== null && (
          <Button className={s.way} size="l" onClick={() => other.mutate(people.signInByProxy)} disabled={other.isPending}>
            <Building2 size={16} aria-hidden />
            {t('Continue as {header_user}', { header_user: status.header_user })}
          </Button>
        )}
        {status.oidc_providers.map(({ name, label }) => (
          <ButtonLink
            key={name}
            className={s.way}
            size="l"
            target="_blank"
            href={`/api/v1/auth/oidc/login?provider=${encodeURIComponent(name)}&return_to=${encodeURIComponent('/#/account')}`}
          >
            <Building2 size={16} aria-hidden />
            {t('Continue with {label} in a new tab', { label })}
          </ButtonLink>
        ))}
        {factors.passkeysWork() && (
          <Button className={s.way} size="l" onClick={() => other.mutate(factors.signInWithPasskey)} disabled={other.isPending}>
            <Fingerprint size={16} aria-hidden />
            {t('Sign in with a passkey')}
          </Button>
        )}
      </div>
      <ErrorNote error={other.error} />
      <SignInForm
        status={status}
        username={me?.username ?? ''}
        onSignedIn={resume}
        extra={<Button onClick={leave}>{t('Discard and leave')}</Button>}
      />
    </Modal>
  );
}
