import { useReducedMotion } from '@mantine/hooks';
import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { thumbUrl, turntableUrl } from '../../api/catalog.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import s from './turntable.module.css';
import { BarGroup, ViewerBar } from './viewer-bar.tsx';

/** The server renders 24 views of a model into one image of six columns and four rows, row by row. */
const COLUMNS = 6;
const ROWS = 4;
const VIEWS = COLUMNS * ROWS;

export function tilePosition(view: number): { column: number; row: number } {
  return { column: view % COLUMNS, row: Math.floor(view / COLUMNS) };
}

export const rotateView = (view: number, by: number): number => (((view + by) % VIEWS) + VIEWS) % VIEWS;

interface TurntableProps {
  id: string;
  name: string;
  hasThumb: boolean;
  /** In the inspector: the views load only on demand. */
  small?: boolean;
  /** Called when the server cannot render this file. */
  onUnavailable: () => void;
  /** Version of the thumbnail, for its address. */
  version?: string | undefined;
  children?: ReactNode;
}

/** Dragging this far rotates the model by one view. */
const PIXELS_PER_VIEW = 14;
const ROTATE_MS = 120;

/** A 3D model that is rotated by dragging or with the arrow keys. It rotates automatically only on demand, and never with reduced motion. */
export function Turntable({ id, name, hasThumb, version, small = false, onUnavailable, children }: TurntableProps) {
  const [requested, setRequested] = useState(!small);
  const [ready, setReady] = useState(false);
  const [view, setView] = useState(0);
  const [rotating, setRotating] = useState(false);
  const reducedMotion = useReducedMotion();
  const drag = useRef<{ x: number; view: number } | null>(null);
  const latest = useRef(onUnavailable);
  latest.current = onUnavailable;

  useEffect(() => {
    if (!requested) return;
    const image = new Image();
    image.onload = () => setReady(true);
    image.onerror = () => latest.current();
    image.src = turntableUrl(id);
    return () => {
      image.onload = null;
      image.onerror = null;
    };
  }, [requested, id]);
  useEffect(() => {
    if (!rotating || reducedMotion) return;
    const timer = setInterval(() => setView((v) => rotateView(v, 1)), ROTATE_MS);
    return () => clearInterval(timer);
  }, [rotating, reducedMotion]);

  const rotate = (by: number) => {
    setRotating(false);
    setView((v) => rotateView(v, by));
  };
  useKeys({ 'in dialog': () => false, ',': () => rotate(-1), '.': () => rotate(1) }, ready && !small);
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0;
    if (event.key === 'Home') setView(0);
    else if (by !== 0) rotate(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (event: PointerEvent) => {
    const start = drag.current;
    if (start) setView(rotateView(start.view, Math.round((event.clientX - start.x) / PIXELS_PER_VIEW)));
  };
  const { column, row } = tilePosition(view);
  const degrees = Math.round((view * 360) / VIEWS);

  return (
    <>
      <div className={s.stage}>
        {ready ? (
          <div
            className={s.model}
            role="slider"
            tabIndex={0}
            aria-label={t('Rotate {name}', { name })}
            aria-valuemin={0}
            aria-valuemax={359}
            aria-valuenow={degrees}
            aria-valuetext={t('{degrees} degrees', { degrees })}
            style={{
              backgroundImage: `url("${turntableUrl(id)}")`,
              backgroundSize: `${COLUMNS * 100}% ${ROWS * 100}%`,
              backgroundPosition: `${(column / (COLUMNS - 1)) * 100}% ${(row / (ROWS - 1)) * 100}%`,
            }}
            onKeyDown={keys}
            onPointerDown={(event) => {
              setRotating(false);
              drag.current = { x: event.clientX, view };
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={move}
            onPointerUp={() => {
              drag.current = null;
            }}
            onPointerCancel={() => {
              drag.current = null;
            }}
          />
        ) : (
          <div className={s.model} data-waiting>
            {hasThumb && <img src={thumbUrl(id, 'preview', version)} alt={name} draggable={false} />}
            {requested && (
              <p className={s.word} role="status">
                {t('Rendering 24 views…')}
              </p>
            )}
          </div>
        )}
      </div>
      {(ready || small || children) && (
        <ViewerBar label={t('Preview controls')}>
          {ready ? (
            <BarGroup>
              <IconButton label={t('Rotate left')} onClick={() => rotate(-1)}>
                <RotateCcw size={16} aria-hidden />
              </IconButton>
              <span className={s.degrees}>{degrees}°</span>
              <IconButton label={t('Rotate right')} onClick={() => rotate(1)}>
                <RotateCw size={16} aria-hidden />
              </IconButton>
              {!reducedMotion && (
                <IconButton label={rotating ? t('Stop rotation') : t('Rotate automatically')} onClick={() => setRotating(!rotating)}>
                  {rotating ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
                </IconButton>
              )}
            </BarGroup>
          ) : (
            !requested && (
              <Button size="s" variant="ghost" onClick={() => setRequested(true)}>
                <RotateCw size={14} aria-hidden />
                {t('Rotate model')}
              </Button>
            )
          )}
          {children}
        </ViewerBar>
      )}
    </>
  );
}
