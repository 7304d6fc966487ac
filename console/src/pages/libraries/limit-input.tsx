import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface LimitInputProps {
  label: string;
  unit: string;
  /** How many API units (bytes, seconds) one display unit is. */
  per: number;
  value: number | null;
  error?: string | undefined;
  onChange: (value: number | null) => void;
}

/** A limit that overrides the global default; empty means no override. Keeps the text as typed. */
export function LimitInput({ label, unit, per, value, error, onChange }: LimitInputProps) {
  const [text, setText] = useState(() => (value === null ? '' : String(value / per)));
  const wrong = text.trim() !== '' && parseNumber(text) === null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      placeholder="Default"
      value={text}
      error={wrong ? 'Enter a number greater than zero.' : error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const number = parseNumber(event.currentTarget.value);
        onChange(number === null ? null : Math.round(number * per));
      }}
      rightSection={<span className="meta muted">{unit}</span>}
      rightSectionWidth={56}
    />
  );
}

/** Accepts both comma and point as the decimal separator. */
function parseNumber(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) && number > 0 ? number : null;
}
