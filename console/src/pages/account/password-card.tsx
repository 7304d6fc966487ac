import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { strengthOf } from '../first-visit/password.ts';

const EMPTY = { now: '', next: '', again: '' };

/** A new password; all other sessions end with the old one. */
export function PasswordCard() {
  const [typed, setTyped] = useState(EMPTY);
  const strength = strengthOf(typed.next);
  const field = (name: keyof typeof EMPTY) => ({
    value: typed[name],
    autoComplete: name === 'now' ? 'current-password' : 'new-password',
    visibilityToggleButtonProps: { 'aria-label': 'Show password' },
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setTyped((all) => ({ ...all, [name]: value })),
  });
  return (
    <Card title="Password">
      <Form
        layout="card"
        submit="Change password"
        ready={typed.now !== '' && strength.enough && typed.again === typed.next}
        save={() => people.changePassword({ current_password: typed.now, new_password: typed.next })}
        onSaved={() => {
          setTyped(EMPTY);
          toast('Password changed; other sessions have ended');
        }}
      >
        {(errorAt) => (
          <>
            <PasswordInput label="Password now" error={errorAt('current_password')} {...field('now')} />
            <PasswordInput label="New password" description={strength.words} error={errorAt('new_password')} {...field('next')} />
            <PasswordInput
              label="New password again"
              error={typed.again && typed.again !== typed.next ? 'The two differ.' : undefined}
              {...field('again')}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
