import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, Plus } from 'lucide-react';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { libraries as loadLibraries } from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import type { Grant, Library } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText, Note } from '../../components/status.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { Form } from '../../components/form.tsx';
import { actionLabel, ACTION_LABELS, reasonText } from './labels.ts';

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
      <GrantPreview libraries={libraries.data ?? []} />
      <Card
        title={
          <>
            <h2 className="h3">Rules</h2>
            <span className="muted">{pluralize(grants.data.length, 'rule')}</span>
          </>
        }
      >
        {grants.data.length === 0 && <p className="muted">No rule yet. Viewers and users see nothing until one opens a folder.</p>}
        <ErrorNote error={remove.error} />
        {grants.data.length > 0 && (
          <Table
            rows={grants.data}
            keyOf={(grant) => grant.id}
            columns={[
              {
                head: 'Who',
                className: 'm5',
                cell: (grant) => (
                  <>
                    {grant.subject_label ?? grant.subject_id} {grant.subject_kind === 'group' && <span className="muted">group</span>}
                  </>
                ),
              },
              { head: 'Effect', cell: (grant) => <Effect allow={grant.effect === 'allow'} /> },
              { head: 'What', cell: (grant) => actionLabel(grant.action) },
              {
                head: 'Where',
                cell: (grant) => (
                  <>
                    {nameOf(grant.library_id)}
                    <bdi className="mono muted">/{grant.rel_path ?? ''}</bdi>
                  </>
                ),
              },
            ]}
            actions={(grant) => <RowActions name={`the rule of ${grant.subject_label}`} onRemove={() => remove.mutate(grant)} />}
          />
        )}
      </Card>
    </div>
  );
}

function Effect({ allow }: { allow: boolean }) {
  return allow ? (
    <StatusText tone="ok" icon={CircleCheck}>
      Allowed
    </StatusText>
  ) : (
    <StatusText tone="danger" icon={CircleSlash}>
      Forbidden
    </StatusText>
  );
}

/** Everybody a rule can be about. */
export function useSubjects() {
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  return { users: users.data ?? [], groups: groups.data ?? [] };
}

export const actionOptions = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }));

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
            <Select label="What" allowDeselect={false} value={action} error={errorAt('action')} onChange={setAction} data={actionOptions} />
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

type Decision = Awaited<ReturnType<typeof people.previewGrant>>;

/** Asks the service what it would decide, and by which rule. */
export function GrantPreview({ libraries }: { libraries: Library[] }) {
  const { users } = useSubjects();
  const [who, setWho] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <Card title="What would happen?">
      <Form
        layout="line"
        submit="Try"
        ready={who !== null && library !== null}
        save={() => people.previewGrant({ principal: who!, library: library!, path: path.trim().replace(/^\/+/, ''), action: action! })}
        onSaved={setDecision}
      >
        {(errorAt) => (
          <>
            <Select label="Person" searchable value={who} onChange={setWho} data={users.map((u) => ({ value: u.id, label: u.username }))} />
            <Select label="Wants to" allowDeselect={false} value={action} onChange={setAction} data={actionOptions} />
            <Select
              label="In library"
              value={library}
              onChange={setLibrary}
              data={libraries.map((l) => ({ value: l.id, label: l.name }))}
            />
            <TextInput
              label="Path"
              placeholder="2023/Private/letter.pdf"
              value={path}
              error={errorAt('path')}
              onChange={(e) => setPath(e.currentTarget.value)}
            />
          </>
        )}
      </Form>
      <div aria-live="polite">{decision && <DecisionNote decision={decision} />}</div>
    </Card>
  );
}

function DecisionNote({ decision: { allowed, reason, role, winning_grant: rule } }: { decision: Decision }) {
  const { users, groups } = useSubjects();
  const subjectName = (kind: string, id: string) =>
    kind === 'group'
      ? `group ${groups.find((one) => one.id === id)?.name ?? ''}`
      : (users.find((one) => one.id === id)?.username ?? 'this person');
  return (
    <Note tone={allowed ? 'ok' : 'danger'} icon={allowed ? CircleCheck : CircleSlash}>
      <b className="b">{allowed ? 'Allowed.' : 'Refused.'}</b>{' '}
      <span className="t2">
        {reasonText(reason)} Role: {role}.
      </span>
      {rule && (
        <p className="meta t2" style={{ marginTop: 4 }}>
          The rule that decides: {subjectName(rule.subject_kind, rule.subject_id)} {rule.effect === 'allow' ? 'may' : 'may not'}{' '}
          {actionLabel(rule.action)} in <bdi className="mono">{rule.scope || 'the whole library'}</bdi>.
        </p>
      )}
    </Note>
  );
}
