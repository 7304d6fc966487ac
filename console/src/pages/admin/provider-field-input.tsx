import { NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ConfigValue } from '../../api/providers.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import s from './admin-page.module.css';
import type { ProviderField } from './provider-fields.ts';

interface FieldInputProps {
  field: ProviderField;
  value: ConfigValue;
  /** The value before it was changed. */
  stored: ConfigValue;
  /** A secret is stored; its value is never sent to the console. Emptying the field keeps it: "Remove" removes it. */
  isStored: boolean;
  isChanged: boolean;
  source: 'gui' | 'env' | 'unset';
  error: string | undefined;
  onChange: (value: ConfigValue) => void;
}

const unchanged = '__unchanged__';

type Entry = Record<string, string>;
const entriesOf = (value: ConfigValue): Entry[] => (Array.isArray(value) ? (value as Entry[]) : []);

export function ProviderFieldInput({ field, value, stored, isStored, isChanged, source, error, onChange }: FieldInputProps) {
  const description = (
    <>
      {field.description} {sourceText(source, isChanged)}
      {source === 'gui' && !isChanged && (
        <>
          {' '}
          <LinkButton onClick={() => onChange(null)}>{t('Remove')}</LinkButton>
        </>
      )}
    </>
  );
  const shared = { label: field.label, description, error };
  switch (field.kind) {
    case 'boolean':
      return <Switch {...shared} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
    case 'integer':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          min={1}
          onChange={(next) => onChange(next === '' ? null : Number(next))}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...shared}
          autoComplete="off"
          placeholder={isStored ? t('Stored. Type to replace it.') : undefined}
          value={isChanged && typeof value === 'string' && value !== unchanged ? value : ''}
          visibilityToggleButtonProps={{ 'aria-label': t('Show the secret') }}
          onChange={(event) => onChange(event.currentTarget.value || (isStored ? unchanged : ''))}
        />
      );
    case 'list':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          value={Array.isArray(value) ? (value as string[]).join('\n') : ''}
          onChange={(event) =>
            onChange(event.currentTarget.value.split('\n').filter((line, at, all) => line !== '' || at === all.length - 1))
          }
          onBlur={() => Array.isArray(value) && (value as string[]).includes('') && onChange((value as string[]).filter(Boolean))}
        />
      );
    case 'lines':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      );
    case 'entries':
      return <EntriesInput field={field} entries={entriesOf(value)} stored={entriesOf(stored)} onChange={onChange} />;
    default:
      return (
        <TextInput
          {...shared}
          value={typeof value === 'string' ? value : ''}
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      );
  }
}

function sourceText(source: FieldInputProps['source'], isChanged: boolean): string {
  if (isChanged) return t('Not saved yet.');
  return source === 'gui' ? t('Saved here.') : source === 'env' ? t('From the environment.') : '';
}

function EntriesInput({
  field,
  entries,
  stored,
  onChange,
}: {
  field: ProviderField;
  entries: Entry[];
  stored: Entry[];
  onChange: (value: ConfigValue) => void;
}) {
  const key = field.entryFields?.[0]?.name ?? '';
  const hasStored = (entry: Entry, name: string) => stored.some((each) => each[key] === entry[key] && each[name] === unchanged);
  const set = (at: number, name: string, value: string) =>
    onChange(entries.map((entry, n) => (n === at ? { ...entry, [name]: value } : entry)));
  return (
    <div className="col g2">
      {field.description && <p className="muted meta">{field.description}</p>}
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity while their name is typed.
        <div key={at} className={s.entry}>
          {field.entryFields?.map(({ name, label, secret }) =>
            secret ? (
              <PasswordInput
                key={name}
                label={label}
                autoComplete="off"
                placeholder={entry[name] === unchanged ? t('Stored. Type to replace it.') : undefined}
                value={entry[name] === unchanged ? '' : (entry[name] ?? '')}
                visibilityToggleButtonProps={{ 'aria-label': t('Show the secret') }}
                onChange={(event) => set(at, name, event.currentTarget.value || (hasStored(entry, name) ? unchanged : ''))}
              />
            ) : (
              <TextInput
                key={name}
                label={label}
                value={entry[name] ?? ''}
                onChange={(event) => set(at, name, event.currentTarget.value)}
              />
            ),
          )}
          <Button size="s" variant="danger" onClick={() => onChange(entries.filter((_, n) => n !== at))}>
            {t('Remove')}
          </Button>
        </div>
      ))}
      <div>
        <Button size="s" onClick={() => onChange([...entries, {}])}>
          <Plus size={16} aria-hidden />
          {field.addLabel}
        </Button>
      </div>
    </div>
  );
}
