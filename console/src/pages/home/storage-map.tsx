import { useMemo, useState } from 'react';
import type { LibraryStats } from '../../api/types.ts';
import { Segmented } from '../../components/segmented.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { Treemap } from '../browse/treemap.tsx';
import type { TreemapNode } from '../browse/treemap-layout.ts';
import { searchHref } from '../search/search-state.ts';
import s from './home-page.module.css';

interface Kind {
  key: string;
  label: string;
  bytes: number;
}

const node = (path: string, name: string, bytes: number, category: string | null): TreemapNode => ({
  name,
  path,
  value: bytes,
  files: 0,
  bytes,
  category,
  newest: null,
});

/** What takes the space, as areas: file types or libraries. The lists below hold the same numbers. */
export function StorageMap({ kinds, libraries }: { kinds: readonly Kind[]; libraries: readonly LibraryStats[] }) {
  const [by, setBy] = useState<'type' | 'library'>('type');
  const root = useMemo(() => {
    const children =
      by === 'type'
        ? kinds.map(({ key, label, bytes }) => node(key, label, bytes, key))
        : libraries.map(({ library_id, name, total_bytes }) => node(library_id, name, total_bytes, null));
    return { ...node('', '', 0, null), children };
  }, [by, kinds, libraries]);
  const open = (path: string) => navigate(by === 'type' ? searchHref({ categories: [path] }) : `/browse/${path}`);
  return (
    <>
      <Segmented<'type' | 'library'>
        label={t('Show storage')}
        value={by}
        onChange={setBy}
        options={[
          { value: 'type', label: t('By file type') },
          { value: 'library', label: t('By library') },
        ]}
      />
      <div className={s.map}>
        <Treemap root={root} selected="" words={formatBytes} onSelect={open} onEnter={open} described={false} />
      </div>
    </>
  );
}
