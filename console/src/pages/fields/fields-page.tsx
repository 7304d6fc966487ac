import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { CustomField } from '../../api/types.ts';
import { categoryLook } from '../../format/categories.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSession } from '../../shell/session.tsx';
import t from '../admin/admin-page.module.css';
import { FieldDialog, TYPE_WORDS } from './field-dialog.tsx';

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
      ...field.applies_to.map((kind) => categoryLook(kind).label),
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
          <div className={t.scroll}>
            <table className={t.table}>
              <thead>
                <tr>
                  <th>Field</th>
                  <th>Holds</th>
                  <th>For</th>
                  <th>Search</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody data-list>
                {fields.data.map((field) => (
                  <tr key={field.id}>
                    <td className="m5">
                      <bdi>{field.label}</bdi>
                    </td>
                    <td className="t2">
                      {TYPE_WORDS[field.data_type]}
                      {field.select_options && field.select_options.length > 0 && `: ${field.select_options.join(', ')}`}
                    </td>
                    <td className="t2">{where(field)}</td>
                    <td>
                      <code className="mono">cf.{field.name}:</code>
                    </td>
                    <td>
                      {can('admin') && (
                        <span className={t.actions}>
                          <Button data-main size="s" onClick={() => setEditing(field)} aria-label={`Change field ${field.label}`}>
                            Change
                          </Button>
                          <Button size="s" variant="danger" onClick={() => setDeleting(field)} aria-label={`Remove field ${field.label}`}>
                            Remove
                          </Button>
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
