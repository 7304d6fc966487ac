import { Modal } from '@mantine/core';
import { answerSignIn, useSessionEnded } from '../api/session-ended.ts';
import { SignInForm } from '../pages/login/sign-in-form.tsx';
import { Button } from '../parts/button.tsx';
import { useSession } from './session.tsx';

/** Asked in place when the session ended, so that what was typed is still there and still saved. */
export function SignInAgain() {
  const ended = useSessionEnded();
  const { me } = useSession();
  const leave = () => {
    answerSignIn(false);
    location.reload();
  };
  return (
    <Modal
      opened={ended}
      onClose={() => {}}
      withCloseButton={false}
      title="You were signed out"
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <p className="t2 read">Sign in to continue. What you typed is still here and is saved then.</p>
      <SignInForm username={me?.username ?? ''} onSignedIn={() => answerSignIn(true)} extra={<Button onClick={leave}>Leave</Button>} />
    </Modal>
  );
}
