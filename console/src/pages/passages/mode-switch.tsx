import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { Segmented } from '../../components/segmented.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';

const MODES = [
  { value: 'files', label: t('Files') },
  { value: 'passages', label: t('Passages') },
] as const;

const anyWithPassages = (libraries: Library[]): boolean => libraries.some((library) => library.chunking_enabled);

/** Switches between files and passages with the same words. Absent while no library has passage search. */
export function ModeSwitch({ mode, q }: { mode: 'files' | 'passages'; q: string }) {
  const { data: available } = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    staleTime: 30_000,
    select: anyWithPassages,
  });
  if (!available && mode === 'files') return null;
  const query = q ? `?q=${encodeURIComponent(q)}` : '';
  return (
    <Segmented
      label={t('Search in')}
      value={mode}
      options={MODES}
      onChange={(next) => navigate(next === 'passages' ? `/passages${query}` : `/${query}`)}
    />
  );
}
