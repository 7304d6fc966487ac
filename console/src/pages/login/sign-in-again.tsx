import { Modal } from '@mantine/core';
import { finishSignIn } from '../../api/session-ended.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Shown over the page when the session ends, so that unsaved input is kept. */
export default function SignInAgain() {
  const { me, status } = useSession();
  const leave = () => {
    finishSignIn(false);
    location.reload();
  };
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
      <SignInForm
        status={status}
        username={me?.username ?? ''}
        onSignedIn={() => finishSignIn(true)}
        extra={<Button onClick={leave}>{t('Discard and leave')}</Button>}
      />
    </Modal>
  );
}
