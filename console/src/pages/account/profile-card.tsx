import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Problem, sentence } from '../../api/problem.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';

/** How others see me, and where I am reached. */
export function ProfileCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const [name, setName] = useState(me.display_name ?? '');
  const [email, setEmail] = useState(me.email ?? '');
  const changed = name.trim() !== (me.display_name ?? '') || email.trim() !== (me.email ?? '');
  const save = useMutation({
    mutationFn: () => people.updateMe({ display_name: name.trim() || null, email: email.trim() || null }),
    onSuccess: () => {
      toast('Saved');
      void client.invalidateQueries({ queryKey: ['auth'] });
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Card title="You">
      <form
        className="col g3"
        style={{ marginTop: 8, maxWidth: 360 }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput label="Name" value={name} maxLength={200} autoComplete="name" onChange={(e) => setName(e.currentTarget.value)} />
        <TextInput
          label="E-mail"
          value={email}
          autoComplete="email"
          error={problem?.field('email')}
          onChange={(e) => setEmail(e.currentTarget.value)}
        />
        {save.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(save.error)}
          </Note>
        )}
        <div>
          <Button type="submit" disabled={!changed || save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}
