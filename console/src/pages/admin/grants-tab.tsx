import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import { libraries as loadLibraries } from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import type { Grant, Library } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { actionLabel, reasonText } from './labels.ts';
import { actionOptions, NewRule, useSubjects } from './new-rule.tsx';

/** Rules for access to folders. The most specific folder wins; among equals a deny wins. */
export function GrantsTab() {
  const client = useQueryClient();
  const grants = useQuery({ queryKey: ['grants'], queryFn: people.grants });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: loadLibraries });
  const remove = useMutation({
    mutationFn: (grant: Grant) => people.deleteGrant(grant.id),
    onSuccess: async (_done, grant) => {
      await client.invalidateQueries({ queryKey: ['grants'] });
      const { subject_kind, subject_id, library_id, action, effect } = grant;
      toast(t('Rule removed'), () =>
        people
          .createGrant({ subject_kind, subject_id, library_id, action, effect, rel_path: grant.rel_path ?? '' })
          .then(() => client.invalidateQueries({ queryKey: ['grants'] })),
      );
    },
  });
  if (grants.error && !grants.data) return <ErrorState error={grants.error} retry={() => void grants.refetch()} />;
  if (!grants.data) return <Loading what={t('rules')} />;
  const nameOf = (id: string) => libraries.data?.find((l) => l.id === id)?.name ?? t('Removed library');
  return (
    <div className="col g4">
      <NewRule libraries={libraries.data ?? []} />
      <GrantPreview libraries={libraries.data ?? []} />
      <Card
        title={
          <>
            <h2 className="h3">{t('Rules')}</h2>
            <span className="muted">{t('{n|# rule|# rules}', { n: grants.data.length })}</span>
          </>
        }
      >
        {grants.data.length === 0 && (
          <p className="muted">{t('No rules yet. Users and viewers see nothing until a rule gives them access to a folder.')}</p>
        )}
        <ErrorNote error={remove.error} />
        {grants.data.length > 0 && (
          <Table
            rows={grants.data}
            keyOf={(grant) => grant.id}
            columns={[
              {
                head: t('Who'),
                className: 'm5',
                cell: (grant) => (
                  <>
                    {grant.subject_label ?? grant.subject_id}{' '}
                    {grant.subject_kind === 'group' && <span className="muted">{t('group')}</span>}
                  </>
                ),
              },
              { head: t('Effect'), cell: (grant) => <Effect allow={grant.effect === 'allow'} /> },
              { head: t('Permission'), cell: (grant) => actionLabel(grant.action) },
              {
                head: t('Folder'),
                cell: (grant) => (
                  <>
                    {nameOf(grant.library_id)}
                    <bdi className="mono muted">/{grant.rel_path ?? ''}</bdi>
                  </>
                ),
              },
            ]}
            actions={(grant) => (
              <RowActions name={t('rule for {name}', { name: grant.subject_label })} onRemove={() => remove.mutate(grant)} />
            )}
          />
        )}
      </Card>
    </div>
  );
}

function Effect({ allow }: { allow: boolean }) {
  return allow ? (
    <StatusText tone="ok" icon={CircleCheck}>
      {t('Allowed')}
    </StatusText>
  ) : (
    <StatusText tone="danger" icon={CircleSlash}>
      {t('Denied')}
    </StatusText>
  );
}

type Decision = Awaited<ReturnType<typeof people.previewGrant>>;

/** Shows how the server would decide a request, and by which rule. */
function GrantPreview({ libraries }: { libraries: Library[] }) {
  const { users } = useSubjects();
  const [who, setWho] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <Card title={t('Check access')}>
      <Form
        layout="line"
        submit={t('Check')}
        ready={who !== null && library !== null}
        save={async () =>
          who && library && action ? people.previewGrant({ principal: who, library, path: path.trim().replace(/^\/+/, ''), action }) : null
        }
        onSaved={setDecision}
      >
        {(errorAt) => (
          <>
            <Select
              label={t('Person')}
              searchable
              value={who}
              onChange={setWho}
              data={users.map((u) => ({ value: u.id, label: u.username }))}
            />
            <Select label={t('Permission')} allowDeselect={false} value={action} onChange={setAction} data={actionOptions} />
            <Select
              label={t('Library')}
              value={library}
              onChange={setLibrary}
              data={libraries.map((l) => ({ value: l.id, label: l.name }))}
            />
            <TextInput
              label={t('Path')}
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
      ? t('group “{name}”', { name: groups.find((one) => one.id === id)?.name ?? '' })
      : (users.find((one) => one.id === id)?.username ?? t('this person'));
  return (
    <Note tone={allowed ? 'ok' : 'danger'} icon={allowed ? CircleCheck : CircleSlash}>
      <b className="b">{allowed ? t('Allowed.') : t('Denied.')}</b>{' '}
      <span className="t2">{t('{reasonText} Role: {role}.', { reasonText: reasonText(reason), role })}</span>
      {rule && (
        <p className="meta t2" style={{ marginTop: 4 }}>
          {rich(
            rule.effect === 'allow'
              ? 'Deciding rule: allow “{action}” for {subject} in {scope}.'
              : 'Deciding rule: deny “{action}” for {subject} in {scope}.',
            {
              action: actionLabel(rule.action),
              subject: subjectName(rule.subject_kind, rule.subject_id),
              scope: <bdi className="mono">{rule.scope || t('the entire library')}</bdi>,
            },
          )}
        </p>
      )}
    </Note>
  );
}
