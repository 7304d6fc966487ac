import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { thumbUrl } from '../../api/catalog.ts';
import { categoryLook } from '../../format/categories.ts';
import { IconButton } from '../../parts/button.tsx';
import s from './preview.module.css';

const MOST = 8;

interface ImageZoomProps {
  id: string;
  category: string | null;
  name: string;
  /** The file itself, when a browser can draw it. */
  original: string | null;
  hasThumb: boolean;
}

/** A picture that can be magnified with the wheel or the buttons and moved by dragging. */
export function ImageZoom({ id, category, name, original, hasThumb }: ImageZoomProps) {
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 });
  const [broken, setBroken] = useState(!hasThumb && original === null);
  const [plain, setPlain] = useState(!hasThumb);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const look = categoryLook(category);
  const zoom = (factor: number) =>
    setView((v) => {
      const scale = Math.min(MOST, Math.max(1, v.scale * factor));
      return scale === 1 ? { scale, x: 0, y: 0 } : { scale, x: (v.x * scale) / v.scale, y: (v.y * scale) / v.scale };
    });
  const move = (event: PointerEvent) => {
    const start = drag.current;
    if (!start || view.scale === 1) return;
    setView((v) => ({ ...v, x: v.x + event.clientX - start.x, y: v.y + event.clientY - start.y }));
    drag.current = { x: event.clientX, y: event.clientY };
  };
  if (broken)
    return (
      <div className={s.fill}>
        <div className={s.none}>
          <look.icon size={64} aria-hidden style={{ color: look.color }} />
          <p>No picture of this file yet. It appears when extraction reaches it.</p>
        </div>
      </div>
    );
  return (
    <>
      <div
        className={`${s.fill} ${s.zoomable}`}
        data-zoomed={view.scale > 1}
        onWheel={(event) => zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2)}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = null;
        }}
        onDoubleClick={() => zoom(view.scale > 1 ? 0 : 2)}
      >
        <img
          src={original !== null && (plain || view.scale > 1) ? original : thumbUrl(id, 'preview')}
          alt={name}
          draggable={false}
          onError={() => (original !== null && !plain ? setPlain(true) : setBroken(true))}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        />
      </div>
      <div className={s.bar} role="toolbar" aria-label="Zoom">
        <IconButton label="Zoom out" onClick={() => zoom(1 / 1.5)} disabled={view.scale <= 1}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <span className="muted" style={{ width: 48, textAlign: 'center' }}>
          {Math.round(view.scale * 100)} %
        </span>
        <IconButton label="Zoom in" onClick={() => zoom(1.5)} disabled={view.scale >= MOST}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label="Fit to the page" onClick={() => setView({ scale: 1, x: 0, y: 0 })}>
          <Maximize2 size={16} aria-hidden />
        </IconButton>
      </div>
    </>
  );
}
