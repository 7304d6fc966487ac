import { useReducedMotion } from '@mantine/hooks';
import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { thumbUrl, turntableUrl } from '../../api/catalog.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useKeys } from '../../shell/keys.ts';
import s from './turntable.module.css';
import { BarGroup, ViewerBar } from './viewer-bar.tsx';

/** The service draws a model from 24 sides into one picture: six tiles wide, four high, left to right, then down. */
export const COLUMNS = 6;
export const ROWS = 4;
export const VIEWS = COLUMNS * ROWS;

export function tilePosition(view: number): { column: number; row: number } {
  return { column: view % COLUMNS, row: Math.floor(view / COLUMNS) };
}

/** Going on past the last view comes round to the first. */
export const rotateView = (view: number, by: number): number => (((view + by) % VIEWS) + VIEWS) % VIEWS;

interface TurntableProps {
  id: string;
  name: string;
  hasThumb: boolean;
  /** Beside the list: the views are fetched only when asked for. */
  small?: boolean;
  /** The service can make no views of this file. */
  onNone: () => void;
  /** Which state of the file its still picture shows, where it is known. */
  version?: string | undefined;
  children?: ReactNode;
}

/** Dragging this far turns the model by one view. */
const PIXELS_A_VIEW = 14;
const TURN_MS = 120;

/** A model on a turntable: 24 views around it. Dragging or the arrow keys turn it; it turns by itself only when asked, and never with reduced motion. */
export function Turntable({ id, name, hasThumb, version, small = false, onNone, children }: TurntableProps) {
  const [asked, setAsked] = useState(!small);
  const [ready, setReady] = useState(false);
  const [view, setView] = useState(0);
  const [turning, setTurning] = useState(false);
  const still = useReducedMotion();
  const drag = useRef<{ x: number; view: number } | null>(null);
  const latest = useRef(onNone);
  latest.current = onNone;

  useEffect(() => {
    if (!asked) return;
    const image = new Image();
    image.onload = () => setReady(true);
    image.onerror = () => latest.current();
    image.src = turntableUrl(id);
    return () => {
      image.onload = null;
      image.onerror = null;
    };
  }, [asked, id]);
  useEffect(() => {
    if (!turning || still) return;
    const timer = setInterval(() => setView((v) => rotateView(v, 1)), TURN_MS);
    return () => clearInterval(timer);
  }, [turning, still]);

  const turn = (by: number) => {
    setTurning(false);
    setView((v) => rotateView(v, by));
  };
  useKeys({ 'in dialog': () => false, ',': () => turn(-1), '.': () => turn(1) }, ready && !small);
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0;
    if (event.key === 'Home') setView(0);
    else if (by !== 0) turn(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (event: PointerEvent) => {
    const start = drag.current;
    if (start) setView(rotateView(start.view, Math.round((event.clientX - start.x) / PIXELS_A_VIEW)));
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
            aria-label={`Turn ${name}`}
            aria-valuemin={0}
            aria-valuemax={359}
            aria-valuenow={degrees}
            aria-valuetext={`${degrees} degrees`}
            style={{
              backgroundImage: `url("${turntableUrl(id)}")`,
              backgroundSize: `${COLUMNS * 100}% ${ROWS * 100}%`,
              backgroundPosition: `${(column / (COLUMNS - 1)) * 100}% ${(row / (ROWS - 1)) * 100}%`,
            }}
            onKeyDown={keys}
            onPointerDown={(event) => {
              setTurning(false);
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
            {asked && (
              <p className={s.word} role="status">
                Drawing 24 views of the model…
              </p>
            )}
          </div>
        )}
      </div>
      {(ready || small || children) && (
        <ViewerBar label="View">
          {ready ? (
            <BarGroup>
              <IconButton label="Turn left" onClick={() => turn(-1)}>
                <RotateCcw size={16} aria-hidden />
              </IconButton>
              <span className={s.degrees}>{degrees}°</span>
              <IconButton label="Turn right" onClick={() => turn(1)}>
                <RotateCw size={16} aria-hidden />
              </IconButton>
              {!still && (
                <IconButton label={turning ? 'Stop turning' : 'Turn by itself'} onClick={() => setTurning(!turning)}>
                  {turning ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
                </IconButton>
              )}
            </BarGroup>
          ) : (
            !asked && (
              <Button size="s" variant="ghost" onClick={() => setAsked(true)}>
                <RotateCw size={14} aria-hidden />
                Turn the model
              </Button>
            )
          )}
          {children}
        </ViewerBar>
      )}
    </>
  );
}
