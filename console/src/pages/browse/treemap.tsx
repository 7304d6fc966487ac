import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useMemo, useState } from 'react';
import { Kbd } from '../../components/button.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { formatDate } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './treemap.module.css';
import { isRemainder, type TreemapNode, type TreemapTile, treemapTiles } from './treemap-layout.ts';

interface TreemapProps {
  root: TreemapNode;
  selected: string;
  words: (value: number) => string;
  onSelect: (path: string) => void;
  onEnter: (path: string) => void;
  /** Whether a tile under the pointer is described. */
  described?: boolean;
}

/** Folders by size or file count, two levels deep. The tree beside it is the accessible alternative. */
export function Treemap({ root, selected, words, onSelect, onEnter, described = true }: TreemapProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const tiles = useMemo(() => treemapTiles(root, width, height), [root, width, height]);
  const parents = useMemo(() => new Set(tiles.filter((t) => t.depth === 2).map((t) => t.path.slice(0, t.path.lastIndexOf('/')))), [tiles]);
  // Stored by key, because the tiles are replaced with every response while the pointer stays.
  const [hovered, setHovered] = useState<string | null>(null);
  const hoveredTile = described ? tiles.find((tile) => keyOf(tile) === hovered) : undefined;
  return (
    <div className={s.map} ref={ref} role="group" aria-label={t('Treemap')} onPointerLeave={() => setHovered(null)}>
      {tiles.map((tile) => {
        const leaf = !parents.has(tile.path);
        const tiny = tile.w < 40 || tile.h < 22;
        const style = {
          left: tile.x,
          top: tile.y,
          width: tile.w,
          height: tile.h,
          '--c': categoryStyle(tile.category).color,
        } as CSSProperties;
        // Too small for a touch target; the tree beside it opens the folder.
        if (tile.w < 24 || tile.h < 24)
          return (
            <div key={keyOf(tile)} className={s.tile} style={style} data-depth={tile.depth} data-leaf={leaf} data-tiny aria-hidden="true" />
          );
        return (
          <button
            key={keyOf(tile)}
            type="button"
            className={s.tile}
            style={style}
            data-depth={tile.depth}
            data-remainder={isRemainder(tile)}
            data-leaf={leaf}
            data-on={tile.path === selected}
            data-tiny={tiny}
            tabIndex={tile.depth === 1 ? 0 : -1}
            aria-label={tiny ? `${tile.name}, ${words(tile.value)}` : undefined}
            aria-describedby={hoveredTile === tile ? 'treemap-card' : undefined}
            onPointerEnter={() => setHovered(keyOf(tile))}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && setHovered(keyOf(tile))}
            onBlur={() => setHovered(null)}
            onClick={() => onSelect(folderOf(tile))}
            onDoubleClick={() => onEnter(folderOf(tile))}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                event.stopPropagation();
                onEnter(folderOf(tile));
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
      {hoveredTile && <TileCard tile={hoveredTile} within={{ width, height }} root={root.path} />}
    </div>
  );
}

const keyOf = ({ depth, path }: TreemapTile): string => `${depth}${path}`;

/** The remainder tile opens its folder. */
const folderOf = (tile: TreemapTile): string => (isRemainder(tile) ? tile.path.slice(0, -1) : tile.path);

const CARD = { width: 232, height: 112 };

/** Details of the hovered or focused folder. */
function TileCard({ tile, within, root }: { tile: TreemapTile; within: { width: number; height: number }; root: string }) {
  const left = Math.max(0, Math.min(within.width - CARD.width, tile.x + tile.w / 2 - CARD.width / 2));
  // Below the name of the folder, so that it stays visible.
  const top = Math.max(0, Math.min(within.height - CARD.height, tile.y + Math.min(64, tile.h + 4)));
  const name = isRemainder(tile)
    ? tile.name
    : tile.path
        .slice(root ? root.length + 1 : 0)
        .split('/')
        .join(' / ');
  return (
    <div className={s.card} id="treemap-card" role="tooltip" style={{ left, top, width: CARD.width }}>
      <b className="b">{name}</b>
      <span>
        {tile.bytes !== null && `${t('{bytes} in', { bytes: formatBytes(tile.bytes) })} `}
        {t('{n|# file|# files}', { n: tile.files })}
      </span>
      {tile.category && (
        <span className="muted meta">
          {t('Mostly {plural}', { plural: categoryStyle(tile.category).plural })}
          {tile.newest !== null && (
            <>
              {' · '}
              <span style={{ whiteSpace: 'nowrap' }}>{t('newest {newest}', { newest: formatDate(tile.newest) })}</span>
            </>
          )}
        </span>
      )}
      <span className={s.keys}>
        <Kbd>{t('Enter')}</Kbd> {t('open')} <Kbd>{t('Backspace')}</Kbd> {t('go up')}
      </span>
    </div>
  );
}
