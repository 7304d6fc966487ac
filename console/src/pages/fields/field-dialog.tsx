import { Checkbox, Modal, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { Problem, sentence } from '../../api/problem.ts';
import type { CustomField, Library } from '../../api/types.ts';
import { CATEGORIES } from '../../format/categories.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';

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

/** The name a query uses, from the label people see. */
export const nameFrom = (label: string): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);

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
  const save = useMutation({
    mutationFn: () => {
      const fields = {
        label: label.trim(),
        applies_to: kinds,
        library_ids: libraries,
        required,
        ...(type === 'select' ? { select_options: list } : {}),
      };
      return field
        ? catalog.updateCustomField(field.id, fields)
        : catalog.createCustomField({ ...fields, name: nameFrom(label), data_type: type });
    },
    onSuccess: (saved) => {
      toast(`Field ${saved.label} saved`);
      props.onDone();
      props.onClose();
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={field ? `Change ${field.label}` : 'New field'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          description={label ? `Searched as cf.${field?.name ?? nameFrom(label)}:` : 'As people read it beside a file.'}
          value={label}
          maxLength={128}
          error={problem?.field('name') ?? problem?.field('label')}
          onChange={(e) => setLabel(e.currentTarget.value)}
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
        {save.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(save.error)}
          </Note>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button
            type="submit"
            variant="primary"
            size="l"
            disabled={!nameFrom(label) || (type === 'select' && list.length === 0) || save.isPending}
          >
            Save field
          </Button>
        </div>
      </form>
    </Modal>
  );
}
