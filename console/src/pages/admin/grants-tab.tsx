import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Plus } from 'lucide-react';
import { useState } from 'react';
import { libraries as loadLibraries } from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import type { Grant, Library } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { Note, StatusText } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import s from './admin-page.module.css';
import { ACTION_WORDS, actionWord, reasonWord } from './words.ts';

const actionData = Object.entries(ACTION_WORDS).map(([value, label]) => ({ value, label }));

/** Rules: who may do what in which folder. The most specific folder wins; of two equals the one that forbids. */
export function GrantsTab() {
  const client = useQueryClient();
  const grants = useQuery({ queryKey: ['grants'], queryFn: people.grants });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: loadLibraries });
  const remove = useMutation({
    mutationFn: (grant: Grant) => people.deleteGrant(grant.id),
    onSuccess: async (_done, grant) => {
      await client.invalidateQueries({ queryKey: ['grants'] });
      const { subject_kind, subject_id, library_id, action, effect } = grant;
      toast(
        'Rule removed',
        () =>
          void people
            .createGrant({ subject_kind, subject_id, library_id, action, effect, rel_path: grant.rel_path ?? '' })
            .then(() => client.invalidateQueries({ queryKey: ['grants'] })),
      );
    },
  });
  if (grants.error) return <ErrorState error={grants.error} retry={() => void grants.refetch()} />;
  if (!grants.data) return <Loading what="rules" />;
  const nameOf = (id: string) => libraries.data?.find((l) => l.id === id)?.name ?? 'a removed library';
  return (
    <div className="col g4">
      <NewGrant libraries={libraries.data ?? []} />
      <PreviewCard libraries={libraries.data ?? []} />
      <Card
        title={
          <>
            <h2 className="h3">Rules</h2>
            <span className="muted">{counted(grants.data.length, 'rule')}</span>
          </>
        }
      >
        {grants.data.length === 0 && <p className="muted">No rule yet. Viewers and users see nothing until one opens a folder.</p>}
        {grants.data.length > 0 && (
          <div className={s.scroll}>
            <table className={s.table}>
              <thead>
                <tr>
                  <th>Who</th>
                  <th>Effect</th>
                  <th>What</th>
                  <th>Where</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody data-list>
                {grants.data.map((grant) => (
                  <tr key={grant.id}>
                    <td className="m5">
                      {grant.subject_label ?? grant.subject_id} {grant.subject_kind === 'group' && <span className="muted">group</span>}
                    </td>
                    <td>
                      {grant.effect === 'allow' ? (
                        <StatusText tone="ok" icon={CircleCheck}>
                          Allowed
                        </StatusText>
                      ) : (
                        <StatusText tone="danger" icon={CircleSlash}>
                          Forbidden
                        </StatusText>
                      )}
                    </td>
                    <td>{actionWord(grant.action)}</td>
                    <td>
                      {nameOf(grant.library_id)}
                      <bdi className="mono muted">/{grant.rel_path ?? ''}</bdi>
                    </td>
                    <td>
                      <Button
                        size="s"
                        variant="danger"
                        onClick={() => remove.mutate(grant)}
                        aria-label={`Remove the rule of ${grant.subject_label}`}
                      >
                        Remove
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </div>
  );
}

function useSubjects() {
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  return { users: users.data ?? [], groups: groups.data ?? [] };
}

function NewGrant({ libraries }: { libraries: Library[] }) {
  const client = useQueryClient();
  const { users, groups } = useSubjects();
  const [subject, setSubject] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const [effect, setEffect] = useState<string | null>('allow');
  const create = useMutation({
    mutationFn: () => {
      const [kind, id] = subject!.split(':') as ['principal' | 'group', string];
      return people.createGrant({
        subject_kind: kind,
        subject_id: id,
        library_id: library!,
        rel_path: path.trim().replace(/^\/+|\/+$/g, ''),
        action: action!,
        effect: effect as 'allow' | 'deny',
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['grants'] });
      toast('Rule added');
    },
  });
  return (
    <Card title="New rule">
      <form
        className={s.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Select
          label="Who"
          searchable
          value={subject}
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
        <Select label="What" allowDeselect={false} value={action} onChange={setAction} data={actionData} />
        <Select label="Library" value={library} onChange={setLibrary} data={libraries.map((l) => ({ value: l.id, label: l.name }))} />
        <TextInput label="Folder" placeholder="all of it" value={path} onChange={(e) => setPath(e.currentTarget.value)} />
        <Button type="submit" disabled={!subject || !library || create.isPending}>
          <Plus size={16} aria-hidden />
          Add rule
        </Button>
      </form>
      {create.error && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {sentence(create.error)}
          </Note>
        </div>
      )}
    </Card>
  );
}

function PreviewCard({ libraries }: { libraries: Library[] }) {
  const { users, groups } = useSubjects();
  const subjectName = ({ subject_kind, subject_id }: { subject_kind: string; subject_id: string }) =>
    subject_kind === 'group'
      ? `group ${groups.find((one) => one.id === subject_id)?.name ?? ''}`
      : (users.find((one) => one.id === subject_id)?.username ?? 'this person');
  const [who, setWho] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const preview = useMutation({
    mutationFn: () => people.previewGrant({ principal: who!, library: library!, path: path.trim().replace(/^\/+/, ''), action: action! }),
  });
  return (
    <Card title="What would happen?">
      <form
        className={s.form}
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate();
        }}
      >
        <Select label="Person" searchable value={who} onChange={setWho} data={users.map((u) => ({ value: u.id, label: u.username }))} />
        <Select label="Wants to" allowDeselect={false} value={action} onChange={setAction} data={actionData} />
        <Select label="In library" value={library} onChange={setLibrary} data={libraries.map((l) => ({ value: l.id, label: l.name }))} />
        <TextInput label="Path" placeholder="2023/Private/letter.pdf" value={path} onChange={(e) => setPath(e.currentTarget.value)} />
        <Button type="submit" disabled={!who || !library || preview.isPending}>
          Try
        </Button>
      </form>
      <div aria-live="polite" style={{ marginTop: preview.data || preview.error ? 12 : 0 }}>
        {preview.error && (
          <Note tone="danger" icon={CircleX}>
            {sentence(preview.error)}
          </Note>
        )}
        {preview.data && (
          <Note tone={preview.data.allowed ? 'ok' : 'danger'} icon={preview.data.allowed ? CircleCheck : CircleSlash}>
            <b className="b">{preview.data.allowed ? 'Allowed.' : 'Refused.'}</b>{' '}
            <span className="t2">
              {reasonWord(preview.data.reason)} Role: {preview.data.role}.
            </span>
            {preview.data.winning_grant && (
              <p className="meta t2" style={{ marginTop: 4 }}>
                The rule that decides: {subjectName(preview.data.winning_grant)}{' '}
                {preview.data.winning_grant.effect === 'allow' ? 'may' : 'may not'} {actionWord(preview.data.winning_grant.action)} in{' '}
                <bdi className="mono">{preview.data.winning_grant.scope || 'the whole library'}</bdi>.
              </p>
            )}
          </Note>
        )}
      </div>
    </Card>
  );
}
