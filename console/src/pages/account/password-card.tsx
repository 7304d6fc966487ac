import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { strengthOf } from '../first-visit/password.ts';

const EYE = { 'aria-label': 'Show password' };

export function PasswordCard() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const strength = strengthOf(next);
  const change = useMutation({
    mutationFn: () => people.changePassword({ current_password: current, new_password: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setAgain('');
      toast('Password changed; other sessions have ended');
    },
  });
  return (
    <Card title="Password">
      <form
        className="col g3"
        style={{ marginTop: 8, maxWidth: 360 }}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <PasswordInput
          label="Password now"
          autoComplete="current-password"
          value={current}
          onChange={(e) => setCurrent(e.currentTarget.value)}
          visibilityToggleButtonProps={EYE}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          description={strength.words}
          value={next}
          onChange={(e) => setNext(e.currentTarget.value)}
          visibilityToggleButtonProps={EYE}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          value={again}
          error={again && again !== next ? 'The two differ.' : undefined}
          onChange={(e) => setAgain(e.currentTarget.value)}
          visibilityToggleButtonProps={EYE}
        />
        {change.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(change.error)}
          </Note>
        )}
        <div>
          <Button type="submit" disabled={!current || !strength.enough || again !== next || change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
