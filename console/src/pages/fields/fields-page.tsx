import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Checkbox, MultiSelect, Select, Textarea } from '@mantine/core';
import * as catalog from '../../api/catalog.ts';
import type { CustomField, Library } from '../../api/types.ts';
import { categoryStyle, CATEGORIES } from '../../format/categories.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { useSession } from '../../shell/session.tsx';
import { slugify } from '../../format/slugify.ts';
import { FormDialog, NameField } from '../../components/form.tsx';

const typeLabel = (field: CustomField): string =>
  TYPE_LABELS[field.data_type] + (field.select_options?.length ? `: ${field.select_options.join(', ')}` : '');

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
              { head: 'Holds', className: 't2', cell: typeLabel },
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

type DataType = CustomField['data_type'];

export const TYPE_LABELS: Record<DataType, string> = {
  string: 'words',
  integer: 'a whole number',
  float: 'a number',
  boolean: 'yes or no',
  date: 'a date',
  url: 'an address',
  select: 'one of a list',
};

/** What a field is called, what it holds and which files it is for. */
export function FieldDialog(props: { field: CustomField | null; libraries: Library[]; onClose: () => void; onDone: () => void }) {
  const { field } = props;
  const [label, setLabel] = useState(field?.label ?? '');
  const [type, setType] = useState<DataType>(field?.data_type ?? 'string');
  const [options, setOptions] = useState((field?.select_options ?? []).join('\n'));
  const [kinds, setKinds] = useState(field?.applies_to ?? []);
  const [libraries, setLibraries] = useState(field?.library_ids ?? []);
  const [required, setRequired] = useState(field?.required ?? false);
  const list = options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const save = () => {
    const fields = {
      label: label.trim(),
      applies_to: kinds,
      library_ids: libraries,
      required,
      ...(type === 'select' ? { select_options: list } : {}),
    };
    return field
      ? catalog.updateCustomField(field.id, fields)
      : catalog.createCustomField({ ...fields, name: slugify(label, '_'), data_type: type });
  };
  return (
    <FormDialog
      title={field ? `Change ${field.label}` : 'New field'}
      submit="Save field"
      ready={slugify(label, '_') !== '' && (type !== 'select' || list.length > 0)}
      save={save}
      onSaved={(saved) => {
        toast(`Field ${saved.label} saved`);
        props.onDone();
      }}
      onClose={props.onClose}
    >
      {(errorAt) => (
        <>
          <NameField
            description={label ? `Searched as cf.${field?.name ?? slugify(label, '_')}:` : 'As people read it beside a file.'}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('name', 'label')}
          />
          <Select
            label="Holds"
            allowDeselect={false}
            disabled={field !== null}
            description={field ? 'What is written already keeps its type.' : undefined}
            data={Object.entries(TYPE_LABELS).map(([value, words]) => ({ value, label: words }))}
            value={type}
            onChange={(value) => value && setType(value as DataType)}
          />
          {type === 'select' && (
            <Textarea
              label="Choices"
              description="One on each line."
              autosize
              minRows={3}
              value={options}
              error={errorAt('select_options')}
              onChange={(e) => setOptions(e.currentTarget.value)}
            />
          )}
          <MultiSelect
            label="For these kinds"
            placeholder={kinds.length ? undefined : 'every kind'}
            data={CATEGORIES.map((one) => ({ value: one.key, label: one.label }))}
            value={kinds}
            onChange={setKinds}
            clearButtonProps={{ 'aria-label': 'Clear kinds' }}
          />
          <MultiSelect
            label="In these libraries"
            placeholder={libraries.length ? undefined : 'every library'}
            data={props.libraries.map((one) => ({ value: one.id, label: one.name }))}
            value={libraries}
            onChange={setLibraries}
            clearButtonProps={{ 'aria-label': 'Clear libraries' }}
          />
          <Checkbox label="Must be filled in" checked={required} onChange={(e) => setRequired(e.currentTarget.checked)} />
        </>
      )}
    </FormDialog>
  );
}
