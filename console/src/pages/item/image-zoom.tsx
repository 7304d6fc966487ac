import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { thumbUrl } from '../../api/catalog.ts';
import { categoryStyle } from '../../format/categories.ts';
import { IconButton } from '../../components/button.tsx';
import { useKeys } from '../../shell/keys.ts';
import s from './preview.module.css';
import { BarGroup, ViewerBar } from './viewer-bar.tsx';
import b from './viewer-bar.module.css';

/** How a picture lies in its frame: magnified about the centre, then moved. Pure: view in, view out. */
export interface ZoomState {
  scale: number;
  x: number;
  y: number;
}

export interface FrameSize {
  width: number;
  height: number;
}

export const FITTED: ZoomState = { scale: 1, x: 0, y: 0 };
const MAX_ZOOM = 8;

/** A picture never leaves its frame: at least its edge stays where the frame's edge is. */
function clampPan({ scale, x, y }: ZoomState, frame: FrameSize): ZoomState {
  const reach = { x: ((scale - 1) * frame.width) / 2, y: ((scale - 1) * frame.height) / 2 };
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value)) || 0;
  return { scale, x: within(x, reach.x), y: within(y, reach.y) };
}

/** Magnifies by a factor and keeps the point under the pointer where it is; the point is counted from the frame's centre. */
export function zoomAt(view: ZoomState, factor: number, frame: FrameSize, point = { x: 0, y: 0 }): ZoomState {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor));
  if (scale === 1) return FITTED;
  const grown = scale / view.scale;
  return clampPan({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, frame);
}

export function panBy(view: ZoomState, dx: number, dy: number, frame: FrameSize): ZoomState {
  return view.scale === 1 ? view : clampPan({ ...view, x: view.x + dx, y: view.y + dy }, frame);
}

export const canZoomIn = (view: ZoomState): boolean => view.scale < MAX_ZOOM;

interface ImageZoomProps {
  id: string;
  category: string | null;
  name: string;
  /** The file itself, when a browser can draw it. */
  original: string | null;
  hasThumb: boolean;
  /** Further controls for the bar. */
  /** Which state of the file the picture shows, where it is known. */
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

/** A picture that can be magnified with the wheel, two fingers, keys or the buttons, and moved by dragging or with the arrow keys. */
export function ImageZoom({ id, category, name, original, hasThumb, version, children }: ImageZoomProps) {
  const [view, setView] = useState(FITTED);
  const [broken, setBroken] = useState(!hasThumb && original === null);
  const [plain, setPlain] = useState(!hasThumb);
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const frame = () => ({ width: stage.current?.clientWidth ?? 1, height: stage.current?.clientHeight ?? 1 });
  const zoom = (factor: number, point?: { x: number; y: number }) => setView((v) => zoomAt(v, factor, frame(), point));
  const fromCentre = (event: { clientX: number; clientY: number }) => {
    const box = stage.current!.getBoundingClientRect();
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  };

  useKeys({ 'in dialog': () => false, '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), '0': () => setView(FITTED) });

  // React listens to the wheel passively; the page must not scroll while one zooms.
  // biome-ignore lint/correctness/useExhaustiveDependencies: bound once for the element that is there
  useEffect(() => {
    const element = stage.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), fromCentre(event));
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [broken]);

  const move = (event: PointerEvent) => {
    const last = fingers.current.get(event.pointerId);
    if (!last) return;
    const here = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([pointer]) => pointer !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(here.x - other.x, here.y - other.y);
      if (before > 0) zoom(after / before, fromCentre({ clientX: (here.x + other.x) / 2, clientY: (here.y + other.y) / 2 }));
    } else setView((v) => panBy(v, here.x - last.x, here.y - last.y, frame()));
    fingers.current.set(event.pointerId, here);
  };
  const release = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const keys = (event: KeyboardEvent) => {
    const step = ARROWS[event.key];
    if (!step || view.scale === 1) return;
    event.preventDefault();
    setView((v) => panBy(v, step[0], step[1], frame()));
  };
  const look = categoryStyle(category);
  if (broken)
    return (
      <>
        <div className={s.fill}>
          <div className={s.none}>
            <look.icon size={64} aria-hidden style={{ color: look.color }} />
            <p>No picture of this file yet. It appears when extraction reaches it.</p>
          </div>
        </div>
        {children && <ViewerBar label="ZoomState">{children}</ViewerBar>}
      </>
    );
  return (
    <>
      <div
        ref={stage}
        className={`${s.fill} ${s.zoomable}`}
        data-zoomed={view.scale > 1}
        role="group"
        aria-label="Picture. Plus and minus zoom, arrow keys move it when it is zoomed."
        tabIndex={0}
        onKeyDown={keys}
        onPointerDown={(event) => {
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
        onDoubleClick={(event) => zoom(view.scale > 1 ? 0 : 2.5, fromCentre(event))}
      >
        <img
          src={original !== null && (plain || view.scale > 1) ? original : thumbUrl(id, 'preview', version)}
          alt={name}
          draggable={false}
          onError={() => (original !== null && !plain ? setPlain(true) : setBroken(true))}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        />
      </div>
      <ViewerBar label="ZoomState">
        <BarGroup>
          <IconButton label="Zoom out" onClick={() => zoom(1 / 1.5)} disabled={view.scale <= 1}>
            <ZoomOut size={16} aria-hidden />
          </IconButton>
          <span className={b.percent}>{Math.round(view.scale * 100)} %</span>
          <IconButton label="Zoom in" onClick={() => zoom(1.5)} disabled={!canZoomIn(view)}>
            <ZoomIn size={16} aria-hidden />
          </IconButton>
          <IconButton label="Fit to the page" onClick={() => setView(FITTED)} disabled={view.scale === 1}>
            <Maximize2 size={16} aria-hidden />
          </IconButton>
        </BarGroup>
        {children}
      </ViewerBar>
    </>
  );
}
