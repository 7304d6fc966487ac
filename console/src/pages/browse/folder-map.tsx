import { useMemo } from 'react';
import type { TreeResponse } from '../../api/types.ts';
import { LinkButton } from '../../components/button.tsx';
import { Loading } from '../../components/states.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './browse-page.module.css';
import { Treemap } from './treemap.tsx';
import { categoriesByArea, type TreemapNode } from './treemap-layout.ts';

/** Folders by size or file count. */
export function FolderMap({
  root,
  tree,
  path,
  by,
  onSelect,
  onEnter,
}: {
  root: TreemapNode;
  tree: TreeResponse | undefined;
  path: string;
  by: 'size' | 'count';
  onSelect: (path: string) => void;
  onEnter: (path: string) => void;
}) {
  if (!tree) return <Loading what={t('folders')} />;
  if (!root.children?.length)
    return (
      <p className="muted" style={{ padding: 16 }}>
        {t('No subfolders. {total_items|# file|# files}.', { total_items: tree.total_items })}
      </p>
    );
  return (
    <>
      <div className={s.legend} aria-hidden>
        {categoriesByArea(root)
          .slice(0, 6)
          .map(categoryStyle)
          .map(({ color, label }) => (
            <span key={label}>
              <i style={{ background: color }} />
              {label}
            </span>
          ))}
      </div>
      <Treemap
        root={root}
        selected={path}
        words={(n) => (by === 'count' ? t('{n|# file|# files}', { n }) : formatBytes(n))}
        onSelect={onSelect}
        onEnter={onEnter}
      />
    </>
  );
}

/** What takes the space in the open folder, below the tree. */
export function SmallMap({
  root,
  path,
  onSelect,
  onEnter,
  onOpen,
}: {
  root: TreemapNode;
  path: string;
  onSelect: (path: string) => void;
  onEnter: (path: string) => void;
  /** Shows the treemap at full size. */
  onOpen: () => void;
}) {
  const shown = useMemo(() => ({ ...root, children: topLevel(root) }), [root]);
  if (shown.children.length === 0) return null;
  return (
    <section className={s.space} aria-labelledby="space-heading">
      <div className="row g2 wrap">
        <h2 className="b" id="space-heading">
          {t('What takes the space')}
        </h2>
        <span className="grow" />
        <LinkButton onClick={onOpen}>{t('Open treemap')}</LinkButton>
      </div>
      <Treemap root={shown} selected={path} words={formatBytes} onSelect={onSelect} onEnter={onEnter} />
    </section>
  );
}

/** Tiles below the first level would be too small to read. */
const topLevel = ({ children = [] }: TreemapNode): TreemapNode[] => children.map(({ children: _, ...node }) => node);
