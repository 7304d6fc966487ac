import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { CustomField } from '../../api/types.ts';
import { categoryStyle } from '../../format/categories.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { useSession } from '../../shell/session.tsx';
import { FieldDialog, TYPE_WORDS } from './field-dialog.tsx';

const holds = (field: CustomField): string =>
  TYPE_WORDS[field.data_type] + (field.select_options?.length ? `: ${field.select_options.join(', ')}` : '');

/** Fields people fill in themselves, beside what is read out of the files. */
export default function FieldsPage() {
  const { can } = useSession();
  const client = useQueryClient();
  const fields = useQuery({ queryKey: ['custom-fields'], queryFn: catalog.allCustomFields });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const [editing, setEditing] = useState<CustomField | 'new' | null>(null);
  const [deleting, setDeleting] = useState<CustomField | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['custom-fields'] });
  if (fields.error) return <ErrorState error={fields.error} retry={() => void fields.refetch()} />;
  if (!fields.data) return <Loading what="fields" />;
  const where = (field: CustomField) =>
    [
      ...field.applies_to.map((kind) => categoryStyle(kind).label),
      ...field.library_ids.map((id) => libraries.data?.find((one) => one.id === id)?.name ?? 'a library'),
    ].join(', ') || 'every file';
  const add = can('admin') && (
    <Button onClick={() => setEditing('new')}>
      <Plus size={16} aria-hidden />
      New field
    </Button>
  );
  return (
    <Page title="Fields" lead="What people fill in about files themselves. A scan never changes it." actions={add}>
      {fields.data.length === 0 ? (
        <EmptyState title="No field yet">
          A field such as “Project” or “Rating” appears in the details of every file it belongs to, and can be searched: cf.project:harbour.
        </EmptyState>
      ) : (
        <Card>
          <Table
            rows={fields.data}
            keyOf={(field) => field.id}
            columns={[
              { head: 'Field', className: 'm5', cell: (field) => <bdi>{field.label}</bdi> },
              { head: 'Holds', className: 't2', cell: holds },
              { head: 'For', className: 't2', cell: where },
              { head: 'Search', cell: (field) => <code className="mono">cf.{field.name}:</code> },
            ]}
            {...(can('admin') && {
              actions: (field: CustomField) => (
                <RowActions name={`field ${field.label}`} onEdit={() => setEditing(field)} onRemove={() => setDeleting(field)} />
              ),
            })}
          />
        </Card>
      )}
      {editing && (
        <FieldDialog
          field={editing === 'new' ? null : editing}
          libraries={libraries.data ?? []}
          onClose={() => setEditing(null)}
          onDone={() => void refresh()}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Remove field “${deleting?.label}”?`}
        confirm="Remove field"
        danger
        onConfirm={async () => {
          await catalog.deleteCustomField(deleting!.id);
          await refresh();
          toast(`Field ${deleting!.label} removed`);
        }}
        onClose={() => setDeleting(null)}
      >
        It is no longer offered. What people wrote in it stays with the files and comes back with a field of the same name.
      </ConfirmDialog>
    </Page>
  );
}
