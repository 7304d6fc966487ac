import { useQuery } from '@tanstack/react-query';
import { search } from '../../api/search.ts';
import { LinkButton } from '../../components/button.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import type { FilterChip } from './chips.ts';
import { type SearchState, toParams } from './search-state.ts';

const MOST = 3;

/** The folders above these files whose path ends with this name, for example "Documents/International" for "international". */
export function foldersNamed(name: string, paths: readonly string[]): string[] {
  const wanted = name.split('/').filter(Boolean).join('/').toLowerCase();
  const found = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let end = 1; wanted && end <= parts.length; end += 1) {
      const folder = parts.slice(0, end).join('/');
      if (`/${folder}`.toLowerCase().endsWith(`/${wanted}`)) found.add(folder);
    }
  }
  return [...found].slice(0, MOST);
}

/** Offers folders of the same name deeper in the tree when nothing is in the folder that was typed. */
export function FolderOffer({ chip, onChange }: { chip: FilterChip; onChange: (state: SearchState) => void }) {
  const name = chip.values[0] ?? '';
  const word = name.split('/').findLast(Boolean) ?? '';
  const params = {
    ...toParams({ ...chip.without, q: `${chip.without.q} "${word.replaceAll('"', '')}"`, sort: '' }),
    limit: 50,
    facets: false,
  };
  const { data } = useQuery({
    queryKey: ['folders-named', JSON.stringify(params)],
    queryFn: ({ signal }) => search(params, signal),
    enabled: word !== '',
    staleTime: 30_000,
    retry: false,
  });
  const folders = foldersNamed(
    name,
    (data?.hits ?? []).map((hit) => hit.rel_path),
  ).filter((folder) => folder !== name);
  if (folders.length === 0) return null;
  return (
    <p>
      {rich('Did you mean {suggestions}?', {
        suggestions: folders.map((folder, i) => (
          <span key={folder}>
            {i > 0 && ` ${t('or')} `}
            <LinkButton onClick={() => onChange({ ...chip.without, path: folder })}>{folder}</LinkButton>
          </span>
        )),
      })}
    </p>
  );
}
