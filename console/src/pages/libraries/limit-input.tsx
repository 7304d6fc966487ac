import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface LimitInputProps {
  label: string;
  unit: string;
  /** How many of the service's own units (bytes, seconds) one of these is. */
  per: number;
  value: number | null;
  error?: string | undefined;
  onChange: (value: number | null) => void;
}

/** A number somebody may set; empty leaves what is set for all. The text is kept as typed while it is typed. */
export function LimitInput({ label, unit, per, value, error, onChange }: LimitInputProps) {
  const [text, setText] = useState(() => (value === null ? '' : String(value / per)));
  const wrong = text.trim() !== '' && numberIn(text) === null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      placeholder="as set for all"
      value={text}
      error={wrong ? 'Give a number above zero.' : error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const number = numberIn(event.currentTarget.value);
        onChange(number === null ? null : Math.round(number * per));
      }}
      rightSection={<span className="meta muted">{unit}</span>}
      rightSectionWidth={56}
    />
  );
}

/** A comma is a decimal point in half of the world. */
function numberIn(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) && number > 0 ? number : null;
}
