import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { CustomField, Item } from '../../api/types.ts';
import { ErrorNote } from '../../components/states.tsx';
import { t } from '../../language/text.ts';

interface CustomFieldsProps {
  item: Item;
  readOnly: boolean;
  /** Saves a value over the one that was shown. */
  onSave: (change: Record<string, unknown>, shown: Record<string, unknown>) => void;
}

/** The custom fields of a file. Each is saved when it loses focus. */
export function CustomFields({ item, readOnly, onSave }: CustomFieldsProps) {
  const fields = useQuery({
    queryKey: ['custom-fields', item.file_category, item.library_id],
    queryFn: () => catalog.customFields(item.file_category, item.library_id),
    staleTime: 300_000,
    retry: false,
  });
  return (
    <>
      {fields.error && !fields.data && <ErrorNote error={fields.error} />}
      {(fields.data ?? []).map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          value={item.user_metadata[field.name]}
          readOnly={readOnly}
          onSave={(value) => onSave({ [field.name]: value }, { [field.name]: item.user_metadata[field.name] ?? null })}
        />
      ))}
    </>
  );
}

/** Converts the text to the type of the field; null clears the field. Text that does not fit is returned as it is, for the server to reject. */
export function parseFieldValue(field: Pick<CustomField, 'data_type'>, text: string): unknown {
  const clean = text.trim();
  if (clean === '') return null;
  if (field.data_type === 'integer') return Number.isInteger(Number(clean)) ? Number(clean) : clean;
  if (field.data_type === 'float') return Number.isFinite(Number(clean)) ? Number(clean) : clean;
  return clean;
}

function FieldInput({
  field,
  value,
  readOnly,
  onSave,
}: {
  field: CustomField;
  value: unknown;
  readOnly: boolean;
  onSave: (value: unknown) => void;
}) {
  const stored = value === null || value === undefined ? '' : String(value);
  const [text, setText] = useState(stored);
  const [seen, setSeen] = useState(stored);
  const [kept, setKept] = useState(false);
  // What is typed stays while another value is stored.
  if (stored !== seen) {
    const isTyped = text !== seen && String(parseFieldValue(field, text) ?? '') !== stored;
    setSeen(stored);
    setKept(isTyped);
    if (!isTyped) setText(stored);
  }
  if (field.data_type === 'boolean')
    return (
      <Checkbox
        mt={8}
        label={field.label}
        checked={value === true}
        disabled={readOnly}
        onChange={(event) => onSave(event.currentTarget.checked)}
      />
    );
  if (field.data_type === 'select')
    return (
      <Select
        mt={8}
        label={field.label}
        clearable
        data={field.select_options ?? []}
        value={stored || null}
        disabled={readOnly}
        onChange={onSave}
      />
    );
  return (
    <TextInput
      mt={8}
      label={field.label}
      type={field.data_type === 'date' ? 'date' : field.data_type === 'url' ? 'url' : 'text'}
      inputMode={field.data_type === 'integer' ? 'numeric' : field.data_type === 'float' ? 'decimal' : undefined}
      description={kept && text !== stored && stored !== '' ? t('Saved value: {value}', { value: stored }) : undefined}
      value={text}
      readOnly={readOnly}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={(event) => {
        // The browser reports an incomplete date as empty, which would clear the field.
        if (event.currentTarget.validity.badInput) setText(stored);
        else if (text !== stored) onSave(parseFieldValue(field, text));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
      }}
    />
  );
}
