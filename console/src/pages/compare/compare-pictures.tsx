import { Minus, Plus } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { fileUrl, thumbUrl } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { CategoryIcon, thumbVersion } from '../../components/thumb.tsx';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { isBrowserImage } from '../item/preview-kind.ts';
import s from './compare-page.module.css';

type Mode = 'side' | 'swipe' | 'difference';
interface View {
  zoom: number;
  x: number;
  y: number;
}

const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8];
const FIT: View = { zoom: 1, x: 0, y: 0 };

/** The letter by which the page refers to a file. */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);

/** Pictures side by side or over each other. Zoom and position are the same in all of them. */
export function ComparePictures({ items }: { items: readonly Item[] }) {
  const two = items.length === 2;
  const [chosen, setMode] = useState<Mode>('side');
  const mode = two ? chosen : 'side';
  const [view, setView] = useState<View>(FIT);
  const [split, setSplit] = useState(50);
  const drag = useRef<{ x: number; y: number } | null>(null);

  const zoomBy = (by: 1 | -1) => {
    const at = ZOOMS.findIndex((zoom) => zoom >= view.zoom);
    const zoom = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + by))] ?? 1;
    setView(zoom === 1 ? FIT : { ...view, zoom });
  };
  useKeys({
    d: () => (two ? setMode(mode === 'difference' ? 'side' : 'difference') : false),
    s: () => (two ? setMode(mode === 'swipe' ? 'side' : 'swipe') : false),
    z: () => setView(view.zoom === 1 ? { ...FIT, zoom: 3 } : FIT),
    '+': () => zoomBy(1),
    '-': () => zoomBy(-1),
  });
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (view.zoom === 1) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX - view.x, y: event.clientY - view.y };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag.current && event.buttons === 1) setView({ ...view, x: event.clientX - drag.current.x, y: event.clientY - drag.current.y });
    },
    onPointerUp: () => {
      drag.current = null;
    },
  };
  const transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
  const picture = (item: Item, index: number, label = true) => (
    <figure key={item.id} className={s.pane} {...handlers} data-zoomed={view.zoom > 1}>
      <Picture item={item} transform={transform} original={view.zoom > 1} />
      {label && (
        <figcaption>
          <b>{letterOf(index)}</b> <bdi>{visibleName(item.filename)}</bdi>
        </figcaption>
      )}
    </figure>
  );
  const [a, b] = items;
  return (
    <section className={s.pictures} aria-label={t('Pictures')}>
      <div className={s.panes}>
        {mode === 'side' || !a || !b ? (
          items.map((item, index) => picture(item, index))
        ) : (
          <div className={s.stack} {...handlers} data-zoomed={view.zoom > 1}>
            <Picture item={a} transform={transform} original={view.zoom > 1} />
            <div className={s.over} style={mode === 'swipe' ? { clipPath: `inset(0 0 0 ${split}%)` } : { mixBlendMode: 'difference' }}>
              <Picture item={b} transform={transform} original={view.zoom > 1} />
            </div>
            {mode === 'swipe' && (
              <>
                <i className={s.edge} style={{ left: `${split}%` }} />
                <input
                  className={s.handle}
                  type="range"
                  min={0}
                  max={100}
                  value={split}
                  aria-label={t('How much of B is shown')}
                  aria-valuetext={t('{value} % of B', { value: 100 - split })}
                  onChange={(event) => setSplit(Number(event.currentTarget.value))}
                />
              </>
            )}
          </div>
        )}
      </div>
      <div className={s.bar} role="toolbar" aria-label={t('View')}>
        <IconButton label={t('Zoom out')} onClick={() => zoomBy(-1)} disabled={view.zoom <= 1}>
          <Minus size={16} aria-hidden />
        </IconButton>
        <span className="num nw" role="status">
          {Math.round(view.zoom * 100)} %
        </span>
        <IconButton label={t('Zoom in')} onClick={() => zoomBy(1)} disabled={view.zoom >= 8}>
          <Plus size={16} aria-hidden />
        </IconButton>
        {view.zoom > 1 && (
          <Button variant="ghost" size="s" onClick={() => setView(FIT)}>
            {t('Fit')}
          </Button>
        )}
        {two && (
          <Segmented<Mode>
            label={t('Arrange')}
            value={mode}
            onChange={setMode}
            options={[
              { value: 'side', label: t('Side by side') },
              { value: 'swipe', label: t('Swipe') },
              { value: 'difference', label: t('Difference') },
            ]}
          />
        )}
      </div>
    </section>
  );
}

/** The preview of a file, and the original once somebody zooms in, if the browser can show it. */
function Picture({ item, transform, original }: { item: Item; transform: string; original: boolean }) {
  if (!item.has_thumb && !isBrowserImage(item))
    return (
      <span className={s.none}>
        <CategoryIcon category={item.file_category} size={48} />
      </span>
    );
  const src = (original || !item.has_thumb) && isBrowserImage(item) ? fileUrl(item.id) : thumbUrl(item.id, 'preview', thumbVersion(item));
  return <img src={src} alt={visibleName(item.filename)} style={{ transform }} draggable={false} />;
}
