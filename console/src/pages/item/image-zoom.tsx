import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { thumbUrl } from '../../api/catalog.ts';
import { IconButton } from '../../components/button.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import s from './preview.module.css';
import b from './viewer-bar.module.css';
import { BarGroup, ViewerBar } from './viewer-bar.tsx';

/** An image is scaled about the center of its frame, then moved by x and y. */
interface ZoomState {
  scale: number;
  x: number;
  y: number;
}

interface FrameSize {
  width: number;
  height: number;
}

export const FITTED: ZoomState = { scale: 1, x: 0, y: 0 };
const MAX_ZOOM = 8;

/** Keeps the edges of the image outside the frame. */
function clampPan({ scale, x, y }: ZoomState, frame: FrameSize): ZoomState {
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) || 0;
  return { scale, x: clamp(x, ((scale - 1) * frame.width) / 2), y: clamp(y, ((scale - 1) * frame.height) / 2) };
}

/** Scales by a factor and keeps a point, given relative to the center of the frame, where it is. */
export function zoomAt(view: ZoomState, factor: number, frame: FrameSize, point = { x: 0, y: 0 }): ZoomState {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor));
  if (scale === 1) return FITTED;
  const grown = scale / view.scale;
  return clampPan({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, frame);
}

export function panBy(view: ZoomState, dx: number, dy: number, frame: FrameSize): ZoomState {
  return view.scale === 1 ? view : clampPan({ ...view, x: view.x + dx, y: view.y + dy }, frame);
}

const canZoomIn = (view: ZoomState): boolean => view.scale < MAX_ZOOM;

interface ImageZoomProps {
  id: string;
  category: string | null;
  name: string;
  /** The address of the file, if browsers can show it. */
  original: string | null;
  hasThumb: boolean;
  /** Shown when there is no picture. */
  noPreview: string;
  /** Version of the thumbnail, for its address. */
  version?: string | undefined;
  children?: ReactNode;
}

const STEP = 48;
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** An image that can be zoomed with the wheel, two fingers, keys or buttons, and panned by dragging or with the arrow keys. */
export function ImageZoom({ id, category, name, original, hasThumb, noPreview, version, children }: ImageZoomProps) {
  const [view, setView] = useState(FITTED);
  const wanted = hasThumb || original !== null;
  const [broken, setBroken] = useState(!wanted);
  const [showOriginal, setShowOriginal] = useState(!hasThumb);
  // A browser shows the name in place of a picture that it cannot load, until the next picture or the reason is shown.
  const [loaded, setLoaded] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const frame = () => ({ width: stage.current?.clientWidth ?? 1, height: stage.current?.clientHeight ?? 1 });
  const zoom = (factor: number, point?: { x: number; y: number }) => setView((v) => zoomAt(v, factor, frame(), point));
  const fromCenter = (event: { clientX: number; clientY: number }) => {
    const box = stage.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  };

  useKeys({ 'in dialog': () => false, '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), '0': () => setView(FITTED) });

  // React registers passive wheel listeners, which cannot keep the page from scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element changes only with `broken`
  useEffect(() => {
    const element = stage.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), fromCenter(event));
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [broken]);

  const move = (event: PointerEvent) => {
    const last = pointers.current.get(event.pointerId);
    if (!last) return;
    const here = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([pointer]) => pointer !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(here.x - other.x, here.y - other.y);
      if (before > 0) zoom(after / before, fromCenter({ clientX: (here.x + other.x) / 2, clientY: (here.y + other.y) / 2 }));
    } else setView((v) => panBy(v, here.x - last.x, here.y - last.y, frame()));
    pointers.current.set(event.pointerId, here);
  };
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  const keys = (event: KeyboardEvent) => {
    const step = ARROWS[event.key];
    if (!step || view.scale === 1) return;
    event.preventDefault();
    setView((v) => panBy(v, step[0], step[1], frame()));
  };
  const style = categoryStyle(category);
  const buttons = (
    <BarGroup>
      <IconButton label={t('Zoom out')} onClick={() => zoom(1 / 1.5)} disabled={broken || view.scale <= 1}>
        <ZoomOut size={16} aria-hidden />
      </IconButton>
      <span className={b.percent}>{Math.round(view.scale * 100)}%</span>
      <IconButton label={t('Zoom in')} onClick={() => zoom(1.5)} disabled={broken || !canZoomIn(view)}>
        <ZoomIn size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('Fit to window')} onClick={() => setView(FITTED)} disabled={broken || view.scale === 1}>
        <Maximize2 size={16} aria-hidden />
      </IconButton>
    </BarGroup>
  );
  if (broken)
    return (
      <>
        <div className={s.fill}>
          <div className={s.none}>
            <style.icon size={64} aria-hidden style={{ color: style.color }} />
            <p>{noPreview}</p>
          </div>
        </div>
        {/* A picture that turns out to be gone keeps its buttons, so that nothing moves. */}
        {(wanted || children) && (
          <ViewerBar label={t('Preview controls')}>
            {wanted && buttons}
            {children}
          </ViewerBar>
        )}
      </>
    );
  return (
    <>
      <div
        ref={stage}
        className={`${s.fill} ${s.zoomable}`}
        data-zoomed={view.scale > 1}
        role="group"
        aria-label={t('Image. Use plus and minus to zoom and the arrow keys to pan.')}
        tabIndex={0}
        onKeyDown={keys}
        onPointerDown={(event) => {
          pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
        onDoubleClick={(event) => zoom(view.scale > 1 ? 0 : 2.5, fromCenter(event))}
      >
        <img
          src={original !== null && (showOriginal || view.scale > 1) ? original : thumbUrl(id, 'preview', version)}
          alt={name}
          draggable={false}
          onLoad={() => setLoaded(true)}
          onError={() => (original !== null && !showOriginal ? setShowOriginal(true) : setBroken(true))}
          style={{
            transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
            visibility: loaded ? 'visible' : 'hidden',
          }}
        />
      </div>
      <ViewerBar label={t('Preview controls')}>
        {buttons}
        {children}
      </ViewerBar>
    </>
  );
}
