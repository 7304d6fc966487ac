import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchTags } from '../../api/search.ts';
import { FacetRow, FacetSection } from '../../parts/facet.tsx';
import s from './facet-panel.module.css';

/** Tags: the most frequent ones of these results, and any other by typing; the list never loads whole. */
export function TagFacet({
  chosen,
  counts,
  onChange,
}: {
  chosen: string[];
  counts: Record<string, number>;
  onChange: (tags: string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const [slow] = useDebouncedValue(typed.trim(), 150);
  const found = useQuery({
    queryKey: ['tags', slow],
    queryFn: ({ signal }) => searchTags(slow, signal),
    enabled: slow.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const top = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  const rows: [string, number][] = slow ? (found.data ?? []).map((t) => [t.value, counts[t.value] ?? t.count]) : top.slice(0, 6);
  const shown = [...chosen.filter((t) => !rows.some(([v]) => v === t)).map((t): [string, number] => [t, counts[t] ?? 0]), ...rows];
  const most = shown.reduce((m, [, n]) => Math.max(m, n), 0);
  return (
    <FacetSection title="Tags" onClear={chosen.length ? () => onChange([]) : undefined}>
      {shown.map(([tag, n]) => (
        <FacetRow
          key={tag}
          label={tag}
          count={n}
          most={most}
          checked={chosen.includes(tag)}
          onChange={(on) => onChange(on ? [...chosen, tag] : chosen.filter((t) => t !== tag))}
        />
      ))}
      <div className={s.tagSearch}>
        <TextInput
          size="sm"
          aria-label="Find a tag"
          placeholder="Find a tag"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {slow && found.data?.length === 0 && <p className={`${s.tagSearch} muted meta`}>No tag has “{slow}” in it.</p>}
    </FacetSection>
  );
}
