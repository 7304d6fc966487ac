import { Checkbox, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { passwordStrength } from '../first-visit/password.ts';

const EMPTY = { current: '', next: '', repeat: '' };

/** Changing the password also ends all other sessions. API keys stay valid unless the person revokes them here. */
export function PasswordDialog({ keys, onSaved, onClose }: { keys: number; onSaved: () => void; onClose: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const strength = passwordStrength(typed.next);
  const field = (name: keyof typeof EMPTY) => ({
    value: typed[name],
    autoComplete: name === 'current' ? 'current-password' : 'new-password',
    visibilityToggleButtonProps: { 'aria-label': t('Show password') },
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setTyped((all) => ({ ...all, [name]: value })),
  });
  return (
    <FormDialog
      title={t('Change your password')}
      submit={t('Change password')}
      ready={typed.current !== '' && strength.isEnough && typed.repeat === typed.next}
      save={() => people.changePassword({ current_password: typed.current, new_password: typed.next, revoke_api_keys: revokeKeys })}
      onSaved={() => {
        for (const queryKey of [['auth'], ['api-keys'], ['sessions'], ['activity']]) void client.invalidateQueries({ queryKey });
        toast(t('Password changed. You were signed out on all other devices.'));
        onSaved();
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <>
          <PasswordInput data-autofocus label={t('Current password')} error={errorAt('current_password')} {...field('current')} />
          <PasswordInput label={t('New password')} description={strength.text} error={errorAt('new_password')} {...field('next')} />
          <PasswordInput
            label={t('Confirm new password')}
            error={typed.repeat && typed.repeat !== typed.next ? t('The passwords do not match.') : undefined}
            {...field('repeat')}
          />
          {keys > 0 && (
            <Checkbox
              label={t('Also revoke {n|my API key|my # API keys}', { n: keys })}
              description={t('Otherwise scripts that use them keep working.')}
              checked={revokeKeys}
              onChange={(e) => setRevokeKeys(e.currentTarget.checked)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
