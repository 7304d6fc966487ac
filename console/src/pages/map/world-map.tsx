import { useElementSize } from '@mantine/hooks';
import { Minus, Plus, SquareDashedMousePointer } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import type { GeoBox } from '../search/search-state.ts';
import { clusterPoints, clusterSize, fitView, type MapView, projectionFor, WORLD_VIEW, worldPaths } from './map-geometry.ts';
import s from './world-map.module.css';

interface MapPoint {
  id: string;
  lat: number;
  lng: number;
}

interface WorldMapProps {
  places: MapPoint[];
  box: GeoBox | null;
  boxCount: number | null;
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onBox: (box: GeoBox | null) => void;
  children?: ReactNode;
}

interface Corner {
  x: number;
  y: number;
}

/** A world map with clusters of files and a selectable area. It works offline and loads no map tiles. */
export function WorldMap({ places, box, boxCount, chosen, onChoose, onBox, children }: WorldMapProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [view, setView] = useState<MapView>(WORLD_VIEW);
  const [drawing, setDrawing] = useState(false);
  const [drawn, setDrawn] = useState<[Corner, Corner] | null>(null);
  const drag = useRef<{ x: number; y: number; view: MapView } | null>(null);
  const fitted = useRef('');

  // The first response with locations sets the view; afterwards only the user changes it.
  useEffect(() => {
    const key = `${places.length > 0}`;
    if (width > 0 && places.length > 0 && fitted.current !== key) {
      fitted.current = key;
      setView(fitView(places, width, height));
    }
  }, [places, width, height]);

  const w = Math.max(1, Math.round(width));
  const h = Math.max(1, Math.round(height));
  const paths = useMemo(() => worldPaths(view, w, h), [view, w, h]);
  const projection = useMemo(() => projectionFor(view, w, h), [view, w, h]);
  const clusters = useMemo(() => {
    // Before the first measurement, all points would be in one corner.
    if (width === 0) return [];
    const placed = places.flatMap((place) => {
      const at = projection([place.lng, place.lat]);
      return at && at[0] > -20 && at[0] < w + 20 && at[1] > -20 && at[1] < h + 20 ? [{ id: place.id, x: at[0], y: at[1] }] : [];
    });
    return clusterPoints(placed);
  }, [places, projection, width, w, h]);

  const zoom = (factor: number) => setView((v) => ({ ...v, zoom: Math.min(200, Math.max(1, v.zoom * factor)) }));
  const pan = (dx: number, dy: number, from: MapView) => {
    const degrees = 360 / (w * from.zoom);
    setView({
      ...from,
      lng: from.lng - dx * degrees,
      lat: Math.min(84, Math.max(-80, from.lat + dy * degrees * (from.zoom < 1.5 ? 1 : Math.cos((from.lat * Math.PI) / 180)))),
    });
  };
  const spot = (event: PointerEvent): Corner => {
    const area = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - area.left, y: event.clientY - area.top };
  };
  const down = (event: PointerEvent<HTMLDivElement>) => {
    if ((event.target as Element).closest('button, a, [data-panel]')) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = spot(event);
    if (drawing) setDrawn([at, at]);
    else drag.current = { x: event.clientX, y: event.clientY, view };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (drawn) setDrawn([drawn[0], spot(event)]);
    else if (drag.current) pan(event.clientX - drag.current.x, event.clientY - drag.current.y, drag.current.view);
  };
  const up = () => {
    drag.current = null;
    if (!drawn) return;
    setDrawn(null);
    setDrawing(false);
    const a = projection.invert?.([Math.min(drawn[0].x, drawn[1].x), Math.min(drawn[0].y, drawn[1].y)]);
    const b = projection.invert?.([Math.max(drawn[0].x, drawn[1].x), Math.max(drawn[0].y, drawn[1].y)]);
    if (a && b && Math.abs(drawn[0].x - drawn[1].x) > 4) onBox({ top: a[1], left: a[0], bottom: b[1], right: b[0] });
  };
  const keys = (event: KeyboardEvent) => {
    const step = 60;
    if (event.key === '+' || event.key === '=') zoom(1.5);
    else if (event.key === '-') zoom(1 / 1.5);
    else if (event.target !== event.currentTarget) return;
    else if (event.key === 'ArrowLeft') pan(step, 0, view);
    else if (event.key === 'ArrowRight') pan(-step, 0, view);
    else if (event.key === 'ArrowUp') pan(0, step, view);
    else if (event.key === 'ArrowDown') pan(0, -step, view);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const a = box && projection([box.left, box.top]);
  const b = box && projection([box.right, box.bottom]);
  const frame = drawn
    ? {
        left: Math.min(drawn[0].x, drawn[1].x),
        top: Math.min(drawn[0].y, drawn[1].y),
        width: Math.abs(drawn[0].x - drawn[1].x),
        height: Math.abs(drawn[0].y - drawn[1].y),
      }
    : a && b
      ? { left: a[0], top: a[1], width: b[0] - a[0], height: b[1] - a[1] }
      : null;

  return (
    <div
      ref={ref}
      className={s.map}
      role="application"
      aria-label={t('Map of files with a location. Use the arrow keys to pan, plus and minus to zoom.')}
      tabIndex={0}
      data-drawing={drawing}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onWheel={(event) => zoom(event.deltaY < 0 ? 1.25 : 0.8)}
      onKeyDown={keys}
    >
      <svg width={w} height={h} aria-hidden>
        <path d={paths.lines} fill="none" stroke="var(--coast)" strokeWidth={0.6} opacity={0.5} />
        <path d={paths.land} fill="var(--land)" stroke="var(--coast)" strokeWidth={1} />
      </svg>
      {frame && (
        <div className={s.box} style={frame}>
          {boxCount !== null && !drawn && <b>{t('{n|# file|# files}', { n: boxCount })}</b>}
        </div>
      )}
      {clusters.map((cluster) => {
        const size = clusterSize(cluster.ids.length);
        return (
          <button
            key={cluster.ids[0]}
            type="button"
            className={s.cluster}
            style={{ left: cluster.x, top: cluster.y, width: size, height: size }}
            aria-label={t('{ids|# file|# files} here', { ids: cluster.ids.length })}
            aria-pressed={chosen.length > 0 && chosen[0] === cluster.ids[0]}
            onClick={() => onChoose(cluster.ids)}
            onDoubleClick={() => {
              const at = projection.invert?.([cluster.x, cluster.y]);
              if (at) setView((v) => ({ lng: at[0], lat: at[1], zoom: Math.min(200, v.zoom * 2.5) }));
            }}
          >
            {formatCount(cluster.ids.length)}
          </button>
        );
      })}
      <div className={s.draw}>
        <Button aria-pressed={drawing} onClick={() => setDrawing(!drawing)}>
          <SquareDashedMousePointer size={16} aria-hidden />
          {drawing ? t('Drag on the map') : t('Draw a box')}
        </Button>
        {box && <Button onClick={() => onBox(null)}>{t('Remove box')}</Button>}
      </div>
      <div className={s.zoom}>
        <IconButton label={t('Zoom in')} onClick={() => zoom(1.6)}>
          <Plus size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('Zoom out')} onClick={() => zoom(1 / 1.6)}>
          <Minus size={16} aria-hidden />
        </IconButton>
      </div>
      {children}
    </div>
  );
}
