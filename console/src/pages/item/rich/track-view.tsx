import { useMemo } from 'react';
import { errorMessage } from '../../../api/problem.ts';
import type { Item } from '../../../api/types.ts';
import { Loading } from '../../../components/states.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import s from './rich.module.css';
import { useFileBytes } from './use-file-bytes.ts';

const MAX_TRACK = 16 * 1024 * 1024;
type Point = [lat: number, lng: number];

export interface Track {
  lines: Point[][];
  places: { name: string; at: Point }[];
  km: number;
}

const pointOf = (element: Element): Point | null => {
  const point: Point = [Number(element.getAttribute('lat')), Number(element.getAttribute('lon'))];
  return element.hasAttribute('lat') && Math.abs(point[0]) <= 90 && Math.abs(point[1]) <= 180 ? point : null;
};

const RADIUS_KM = 6371;
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
function distance([a, b]: Point, [c, d]: Point): number {
  const h = Math.sin(rad(c - a) / 2) ** 2 + Math.cos(rad(a)) * Math.cos(rad(c)) * Math.sin(rad(d - b) / 2) ** 2;
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Tracks, routes and waypoints of a GPX file. */
export function readTrack(text: string): Track {
  const gpx = new DOMParser().parseFromString(text, 'application/xml');
  const points = (parent: Element | Document, name: string) =>
    [...parent.getElementsByTagName(name)].map(pointOf).filter((point) => point !== null);
  const found = (parent: string, child: string) => [...gpx.getElementsByTagName(parent)].map((one) => points(one, child));
  const lines = [...found('trkseg', 'trkpt'), ...found('rte', 'rtept')].filter((line) => line.length > 0);
  const places = [...gpx.getElementsByTagName('wpt')].slice(0, 500).flatMap((one) => {
    const at = pointOf(one);
    return at ? [{ name: one.getElementsByTagName('name')[0]?.textContent ?? '', at }] : [];
  });
  const km = lines.reduce((sum, line) => sum + line.reduce((own, at, i) => (i === 0 ? 0 : own + distance(line[i - 1] as Point, at)), 0), 0);
  return { lines, places, km };
}

const SIZE = 1000;
const MARGIN = 60;

/** A GPX file as a map of its own: the way, the waypoints, north up. */
export function TrackView({ item }: { item: Item }) {
  const file = useFileBytes(item, MAX_TRACK);
  const track = useMemo(() => (file.data ? readTrack(new TextDecoder().decode(file.data)) : null), [file.data]);
  if (file.error) return <p className={s.note}>{errorMessage(file.error)}</p>;
  if (!file.fits) return <p className={s.note}>{t('The track could not be loaded.')}</p>;
  if (!track) return <Loading what={t('the track')} />;
  const all = [...track.lines.flat(), ...track.places.map(({ at }) => at)];
  if (all.length === 0) return <p className={s.note}>{t('This file has no track, route or waypoint.')}</p>;
  const [south, north] = all.reduce(([low, high], [lat]) => [Math.min(low, lat), Math.max(high, lat)], [90, -90] as [number, number]);
  const [west, east] = all.reduce(([low, high], [, lng]) => [Math.min(low, lng), Math.max(high, lng)], [180, -180] as [number, number]);
  // A degree of longitude is shorter away from the equator.
  const squeeze = Math.max(0.05, Math.cos(rad((south + north) / 2)));
  const span = Math.max((east - west) * squeeze, north - south, 0.0005);
  const place = ([lat, lng]: Point): [number, number] => [
    SIZE / 2 + (((lng - (west + east) / 2) * squeeze) / span) * (SIZE - 2 * MARGIN),
    SIZE / 2 - ((lat - (south + north) / 2) / span) * (SIZE - 2 * MARGIN),
  ];
  const step = Math.max(1, Math.ceil(all.length / 5000));
  return (
    <figure className={s.track}>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={t('Track of {km} km', { km: formatCount(Math.round(track.km * 10) / 10) })}
      >
        {track.lines.map((line, at) => (
          <polyline
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
            key={at}
            points={line
              .filter((_, i) => i % step === 0 || i === line.length - 1)
              .map((point) => place(point).join(','))
              .join(' ')}
          />
        ))}
        {track.places.map(({ name, at }, nth) => {
          const [x, y] = place(at);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a waypoint has no other identity
            <g key={nth}>
              <circle cx={x} cy={y} r={8} />
              {name && (
                <text x={x + 14} y={y + 6}>
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>
        {track.km > 0 && `${t('{km} km ·', { km: formatCount(Math.round(track.km * 10) / 10) })} `}
        {t('{south}, {west} to {north}, {east}', {
          south: south.toFixed(4),
          west: west.toFixed(4),
          north: north.toFixed(4),
          east: east.toFixed(4),
        })}
      </figcaption>
    </figure>
  );
}
