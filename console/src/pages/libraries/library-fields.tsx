import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Library } from '../../api/types.ts';
import type { ErrorAt } from '../../components/form.tsx';
import { t } from '../../language/text.ts';

const DEFAULTS = {
  name: '',
  root_path: '',
  enabled_categories: [] as string[],
  enabled_groups: [] as string[],
  enabled_presets: ['system_files', 'os_metadata', 'hidden_dotfiles'],
  include_globs: [] as string[],
  exclude_globs: [] as string[],
  scan_cron: '0 3 * * *' as string | null,
  watch_mode: false,
  hash_policy: 'auto' as Library['hash_policy'],
  hash_full_max_bytes: null as number | null,
  native_prefix: null as string | null,
  share_prefix: null as string | null,
  ocr_enabled: false,
  chunking_enabled: false,
  expose_gps: false,
  permissions_enabled: true,
  content_sniff_enabled: false,
  count_pruned_files: true,
  vanish_guard_pct: null as number | null,
  extract_overrides: null as Library['extract_overrides'],
  worker_labels: [] as string[],
  enabled: true,
};

/** The editable properties of a library. */
export type EditableFields = Pick<Library, keyof typeof DEFAULTS>;

const NAMES = Object.keys(DEFAULTS) as (keyof EditableFields)[];

export const editableFields = (library: Library | null): EditableFields =>
  library ? (Object.fromEntries(NAMES.map((name) => [name, library[name]])) as EditableFields) : DEFAULTS;

export interface TabProps {
  /** Null for a new library. */
  library: Library | null;
  fields: EditableFields;
  set: (patch: Partial<EditableFields>) => void;
  errorAt: ErrorAt;
}

interface LimitInputProps {
  label: string;
  unit: string;
  /** How many API units (bytes, seconds) one display unit is. */
  per: number;
  value: number | null;
  description?: string;
  /** Whether zero is a limit of its own, such as "no limit". */
  allowZero?: boolean;
  error?: string | undefined;
  onChange: (value: number | null) => void;
}

/** A limit that overrides the global default; empty means no override. Keeps the text as typed. */
export function LimitInput({ label, description, unit, per, value, allowZero = false, error, onChange }: LimitInputProps) {
  const [text, setText] = useState(() => (value === null ? '' : String(value / per)));
  const parse = (typed: string): number | null => {
    const number = parseNumber(typed);
    return number === 0 && !allowZero ? null : number;
  };
  const isWrong = (typed: string) => typed.trim() !== '' && parse(typed) === null;
  const problem = isWrong(text) && (allowZero ? t('Enter zero or a larger number.') : t('Enter a number greater than zero.'));
  return (
    <TextInput
      // The browser then does not submit the form.
      ref={(input) => input?.setCustomValidity(problem || '')}
      label={label}
      description={description}
      inputMode="decimal"
      placeholder={t('Default')}
      value={text}
      error={problem || error}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        if (isWrong(typed)) return;
        const number = parse(typed);
        onChange(number === null ? null : Math.round(number * per));
      }}
      rightSection={<span className="meta muted">{unit}</span>}
      rightSectionWidth={unit.length > 4 ? 88 : 56}
    />
  );
}

/** Accepts both comma and point as the decimal separator. */
function parseNumber(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : null;
}
