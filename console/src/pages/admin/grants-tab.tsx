import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash } from 'lucide-react';
import { libraries as loadLibraries } from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import type { Grant } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { GrantPreview } from './grant-preview.tsx';
import { NewGrant } from './new-grant.tsx';
import { actionWord } from './words.ts';

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
              { head: 'What', cell: (grant) => actionWord(grant.action) },
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
