import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  maxLength: number;
  error: ReactNode;
  description?: ReactNode;
  placeholder?: string;
}

/** The name of a thing: the first field of its dialog, where the typing begins. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return <TextInput data-autofocus label="Name" {...field} onChange={(event) => onChange(event.currentTarget.value)} />;
}
