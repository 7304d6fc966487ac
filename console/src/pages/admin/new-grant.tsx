import { Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Library } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { actionChoices, useSubjects } from './use-subjects.ts';

/** One rule: who may, or may not, do what in which folder. */
export function NewGrant({ libraries }: { libraries: Library[] }) {
  const client = useQueryClient();
  const { users, groups } = useSubjects();
  const [subject, setSubject] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const [effect, setEffect] = useState<string | null>('allow');
  const create = () => {
    const [kind, id] = subject!.split(':') as ['principal' | 'group', string];
    return people.createGrant({
      subject_kind: kind,
      subject_id: id,
      library_id: library!,
      rel_path: path.trim().replace(/^\/+|\/+$/g, ''),
      action: action!,
      effect: effect as 'allow' | 'deny',
    });
  };
  return (
    <Card title="New rule">
      <Form
        layout="line"
        ready={subject !== null && library !== null}
        submit={
          <>
            <Plus size={16} aria-hidden />
            Add rule
          </>
        }
        save={create}
        onSaved={async () => {
          await client.invalidateQueries({ queryKey: ['grants'] });
          toast('Rule added');
        }}
      >
        {(errorAt) => (
          <>
            <Select
              label="Who"
              searchable
              value={subject}
              error={errorAt('subject_id')}
              onChange={setSubject}
              data={[
                { group: 'People', items: users.map((u) => ({ value: `principal:${u.id}`, label: u.username })) },
                { group: 'Groups', items: groups.map((g) => ({ value: `group:${g.id}`, label: g.name })) },
              ]}
            />
            <Select
              label="Effect"
              allowDeselect={false}
              value={effect}
              onChange={setEffect}
              data={[
                { value: 'allow', label: 'May' },
                { value: 'deny', label: 'May not' },
              ]}
            />
            <Select label="What" allowDeselect={false} value={action} error={errorAt('action')} onChange={setAction} data={actionChoices} />
            <Select
              label="Library"
              value={library}
              error={errorAt('library_id')}
              onChange={setLibrary}
              data={libraries.map((l) => ({ value: l.id, label: l.name }))}
            />
            <TextInput
              label="Folder"
              placeholder="all of it"
              value={path}
              error={errorAt('rel_path')}
              onChange={(e) => setPath(e.currentTarget.value)}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
