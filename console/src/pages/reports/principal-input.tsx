import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchPrincipals } from '../../api/permissions.ts';

interface PrincipalInputProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** A person or group, with those that permissions name offered while typing. */
export function PrincipalInput({ label, placeholder, value, onChange }: PrincipalInputProps) {
  const [text, setText] = useState(value);
  const [typed] = useDebouncedValue(text, 200);
  const known = useQuery({ queryKey: ['principals', typed], queryFn: () => searchPrincipals(typed), staleTime: 30_000 });
  return (
    <Autocomplete
      label={label}
      w={220}
      placeholder={placeholder}
      value={text}
      data={(known.data ?? []).map((each) => each.value)}
      filter={({ options }) => options}
      onChange={setText}
      onOptionSubmit={onChange}
      onBlur={() => text.trim() !== value && onChange(text.trim())}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
