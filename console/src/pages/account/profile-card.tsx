import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';

/** How others see me, and where I am reached. */
export function ProfileCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const [name, setName] = useState(me.display_name ?? '');
  const [email, setEmail] = useState(me.email ?? '');
  const changed = name.trim() !== (me.display_name ?? '') || email.trim() !== (me.email ?? '');
  return (
    <Card title="You">
      <Form
        layout="card"
        submit="Save"
        ready={changed}
        save={() => people.updateMe({ display_name: name.trim() || null, email: email.trim() || null })}
        onSaved={() => {
          toast('Saved');
          void client.invalidateQueries({ queryKey: ['auth'] });
        }}
      >
        {(errorAt) => (
          <>
            <TextInput
              label="Name"
              value={name}
              maxLength={200}
              autoComplete="name"
              error={errorAt('display_name')}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <TextInput
              label="E-mail"
              value={email}
              autoComplete="email"
              error={errorAt('email')}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
