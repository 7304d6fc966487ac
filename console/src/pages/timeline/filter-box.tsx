import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../language/text.ts';
import s from './timeline-page.module.css';

interface FilterBoxProps {
  box: RefObject<HTMLInputElement | null>;
  q: string;
  onChange: (q: string) => void;
}

/** Filters the timeline while typing, with the syntax of the search box. */
export function FilterBox({ box, q, onChange }: FilterBoxProps) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const later = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next);
  }, 200);
  // The filter was changed elsewhere, such as by the address.
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);
  return (
    <TextInput
      ref={box}
      className={s.box}
      aria-label={t('Filter the timeline')}
      placeholder={t('Filter, for example boats or camera:sony*')}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
