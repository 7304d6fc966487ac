import { Checkbox, MultiSelect, Select, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { CustomField, Library } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { CATEGORIES, categoryStyle } from '../../format/categories.ts';
import { slugify } from '../../format/slugify.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';

const typeLabel = (field: CustomField): string =>
  TYPE_LABELS[field.data_type] + (field.select_options?.length ? `: ${field.select_options.join(', ')}` : '');

/** Custom fields that people fill in for files. */
export default function FieldsPage() {
  const { can } = useSession();
  const client = useQueryClient();
  const fields = useQuery({ queryKey: ['custom-fields'], queryFn: catalog.allCustomFields });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const [editing, setEditing] = useState<CustomField | 'new' | null>(null);
  const [deleting, setDeleting] = useState<CustomField | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['custom-fields'] });
  if (fields.error && !fields.data) return <ErrorState error={fields.error} retry={() => void fields.refetch()} />;
  if (!fields.data) return <Loading what={t('fields')} />;
  const where = (field: CustomField) =>
    [
      ...field.applies_to.map((category) => categoryStyle(category).label),
      ...field.library_ids.map((id) => libraries.data?.find((one) => one.id === id)?.name ?? t('Removed library')),
    ].join(', ') || t('All files');
  const add = can('admin') && (
    <Button onClick={() => setEditing('new')}>
      <Plus size={16} aria-hidden />
      {t('New field')}
    </Button>
  );
  return (
    <Page title={t('Fields')} lead={t('Custom fields for your files. Scans never change their values.')} actions={add}>
      {fields.data.length === 0 ? (
        <EmptyState title={t('No fields yet')}>
          {t(
            'Add a field such as “Project” or “Rating”. It appears in the file details and can be searched, for example cf.project:harbour.',
          )}
        </EmptyState>
      ) : (
        <Card>
          <Table
            rows={fields.data}
            keyOf={(field) => field.id}
            columns={[
              { head: t('Field'), className: 'm5', cell: (field) => <bdi>{field.label}</bdi> },
              { head: t('Type'), className: 't2', cell: typeLabel },
              { head: t('Applies to'), className: 't2', cell: where },
              { head: t('Search key'), cell: (field) => <code className="mono">{`cf.${field.name}:`}</code> },
            ]}
            {...(can('admin') && {
              actions: (field: CustomField) => (
                <RowActions
                  name={t('field {name}', { name: field.label })}
                  onEdit={() => setEditing(field)}
                  onRemove={() => setDeleting(field)}
                />
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
        title={t('Remove field “{label}”?', { label: deleting?.label })}
        confirm={t('Remove field')}
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await catalog.deleteCustomField(deleting.id);
          await refresh();
          toast(t('Field {label} removed', { label: deleting.label }));
        }}
        onClose={() => setDeleting(null)}
      >
        {t('The field is hidden. Its values stay with the files and reappear if you create a field with the same name.')}
      </ConfirmDialog>
    </Page>
  );
}

type DataType = CustomField['data_type'];

const TYPE_LABELS: Record<DataType, string> = {
  string: t('Text'),
  integer: t('Whole number'),
  float: t('Number'),
  boolean: t('Yes or no'),
  date: t('Date'),
  url: 'URL',
  select: t('Single choice'),
};

function FieldDialog(props: { field: CustomField | null; libraries: Library[]; onClose: () => void; onDone: () => void }) {
  const { field } = props;
  const [label, setLabel] = useState(field?.label ?? '');
  const [type, setType] = useState<DataType>(field?.data_type ?? 'string');
  const [options, setOptions] = useState((field?.select_options ?? []).join('\n'));
  const [categories, setCategories] = useState(field?.applies_to ?? []);
  const [libraries, setLibraries] = useState(field?.library_ids ?? []);
  const [required, setRequired] = useState(field?.required ?? false);
  const list = options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const save = () => {
    const fields = {
      label: label.trim(),
      applies_to: categories,
      library_ids: libraries,
      required,
      ...(type === 'select' ? { select_options: list } : {}),
    };
    return field
      ? catalog.updateCustomField(field.id, changedOnly(field, fields))
      : catalog.createCustomField({ ...fields, name: slugify(label, '_'), data_type: type });
  };
  return (
    <FormDialog
      title={field ? t('Edit {label}', { label: field.label }) : t('New field')}
      submit={t('Save field')}
      ready={slugify(label, '_') !== '' && (type !== 'select' || list.length > 0)}
      save={save}
      onSaved={(saved) => {
        toast(t('Field {label} saved', { label: saved.label }));
        props.onDone();
      }}
      onClose={props.onClose}
    >
      {(errorAt) => (
        <>
          <NameField
            description={
              label ? t('Search key: {key}', { key: `cf.${field?.name ?? slugify(label, '_')}:` }) : t('Shown in the file details.')
            }
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('name', 'label')}
          />
          <Select
            label={t('Type')}
            allowDeselect={false}
            disabled={field !== null}
            description={field ? t('The type of an existing field cannot be changed.') : undefined}
            data={Object.entries(TYPE_LABELS).map(([value, text]) => ({ value, label: text }))}
            value={type}
            onChange={(value) => value && setType(value as DataType)}
          />
          {type === 'select' && (
            <Textarea
              label={t('Options')}
              description={t('One per line.')}
              autosize
              minRows={3}
              value={options}
              error={errorAt('select_options')}
              onChange={(e) => setOptions(e.currentTarget.value)}
            />
          )}
          <MultiSelect
            label={t('File types')}
            placeholder={categories.length ? undefined : t('All file types')}
            data={CATEGORIES.map((one) => ({ value: one.key, label: one.label }))}
            value={categories}
            onChange={setCategories}
            clearButtonProps={{ 'aria-label': t('Clear file types') }}
          />
          <MultiSelect
            label={t('Libraries')}
            placeholder={libraries.length ? undefined : t('All libraries')}
            data={props.libraries.map((one) => ({ value: one.id, label: one.name }))}
            value={libraries}
            onChange={setLibraries}
            clearButtonProps={{ 'aria-label': t('Clear libraries') }}
          />
          <Checkbox label={t('Required')} checked={required} onChange={(e) => setRequired(e.currentTarget.checked)} />
        </>
      )}
    </FormDialog>
  );
}
