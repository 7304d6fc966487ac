import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useMemo } from 'react';
import { categoryLook } from '../../format/categories.ts';
import { type Node, treemapTiles } from './treemap-layout.ts';
import s from './treemap.module.css';

interface TreemapProps {
  root: Node;
  selected: string;
  words: (value: number) => string;
  onSelect: (path: string) => void;
  onEnter: (path: string) => void;
}

/** Folders by size or count, two levels deep. The tree beside it is the same data for those who cannot see it. */
export function Treemap({ root, selected, words, onSelect, onEnter }: TreemapProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const tiles = useMemo(() => treemapTiles(root, width, height), [root, width, height]);
  const parents = useMemo(() => new Set(tiles.filter((t) => t.depth === 2).map((t) => t.path.slice(0, t.path.lastIndexOf('/')))), [tiles]);
  return (
    <div className={s.map} ref={ref} role="group" aria-label="Treemap">
      {tiles.map((tile) => {
        const leaf = !parents.has(tile.path);
        const tiny = tile.w < 40 || tile.h < 22;
        const style = {
          left: tile.x,
          top: tile.y,
          width: tile.w,
          height: tile.h,
          '--c': categoryLook(tile.category).color,
        } as CSSProperties;
        // Too small to hit with a finger: a stripe of colour; the tree beside it opens the folder.
        if (tile.w < 24 || tile.h < 24)
          return (
            <div
              key={`${tile.depth}${tile.path}`}
              className={s.tile}
              style={style}
              data-depth={tile.depth}
              data-leaf={leaf}
              data-tiny
              aria-hidden="true"
            />
          );
        return (
          <button
            key={`${tile.depth}${tile.path}`}
            type="button"
            className={s.tile}
            style={style}
            data-depth={tile.depth}
            data-leaf={leaf}
            data-on={tile.path === selected}
            data-tiny={tiny}
            tabIndex={tile.depth === 1 ? 0 : -1}
            aria-label={tiny ? `${tile.name}, ${words(tile.value)}` : undefined}
            title={`${tile.path}\n${words(tile.value)}${tile.category ? `, mostly ${categoryLook(tile.category).label.toLowerCase()}` : ''}`}
            onClick={() => onSelect(tile.path)}
            onDoubleClick={() => onEnter(tile.path)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                event.stopPropagation();
                onEnter(tile.path);
              }
            }}
          >
            {tiny ? null : tile.depth === 1 && !leaf ? (
              <span className={s.head}>
                <span className="cut">{tile.name}</span>
                {tile.w > 176 && <small>{words(tile.value)}</small>}
              </span>
            ) : (
              <span className={s.text}>
                {tile.name}
                {tile.h > 40 && <small>{words(tile.value)}</small>}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
