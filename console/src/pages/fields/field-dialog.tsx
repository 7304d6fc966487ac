import { Checkbox, MultiSelect, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { CustomField, Library } from '../../api/types.ts';
import { CATEGORIES } from '../../format/categories.ts';
import { slugify } from '../../format/slugify.ts';
import { FormDialog, NameField } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';

type DataType = CustomField['data_type'];

export const TYPE_WORDS: Record<DataType, string> = {
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
            data={Object.entries(TYPE_WORDS).map(([value, words]) => ({ value, label: words }))}
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
