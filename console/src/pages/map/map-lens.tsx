import { useEffect, useMemo, useState } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { date, toDate } from '../../format/dates.ts';
import { counted } from '../../format/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx';
import { pictureVersion } from '../../parts/picture-version.ts';
import { Thumb } from '../../parts/thumb.tsx';
import { type GeoBox, type SearchState, toParams, writeState } from '../search/search-state.ts';
import { usePlaces } from './use-places.ts';
import { WorldMap } from './world-map.tsx';
import s from './world-map.module.css';

interface MapLensProps {
  state: SearchState;
  onChange: (state: SearchState) => void;
  onPlaced: (total: number | null) => void;
}

const inBox = (hit: SearchHit, box: GeoBox): boolean =>
  hit._geo !== null &&
  hit._geo !== undefined &&
  hit._geo.lat <= box.top &&
  hit._geo.lat >= box.bottom &&
  hit._geo.lng >= box.left &&
  hit._geo.lng <= box.right;

/** The same search, seen on the map. */
export default function MapLens({ state, onChange, onPlaced }: MapLensProps) {
  const question = useMemo(() => toParams(state), [state]);
  const places = usePlaces(question);
  const [box, setBox] = useState<GeoBox | null>(state.box);
  const [chosen, setChosen] = useState<string[]>([]);
  const total = places.data?.total ?? null;
  useEffect(() => onPlaced(total), [total, onPlaced]);
  useEffect(() => setBox(state.box), [state.box]);

  const points = useMemo(
    () => (places.data?.hits ?? []).map((hit) => ({ id: hit.id, lat: hit._geo!.lat, lng: hit._geo!.lng })),
    [places.data],
  );
  const shown = useMemo(() => {
    const all = places.data?.hits ?? [];
    if (chosen.length) return all.filter((hit) => chosen.includes(hit.id));
    return box ? all.filter((hit) => inBox(hit, box)) : [];
  }, [places.data, chosen, box]);

  if (places.error && !places.data) return <ErrorState error={places.error} retry={() => void places.refetch()} />;
  if (!places.data) return <Loading what="places" />;
  if (places.data.total === 0 && !state.box)
    return (
      <EmptyState title="No file here has a place">
        Photos show on the map when their library shares locations. Switch that on in the library's settings.
      </EmptyState>
    );

  const times = shown.map((hit) => toDate(hit.mtime).getTime());
  return (
    <WorldMap
      places={points}
      box={box}
      boxCount={box ? places.data.hits.filter((hit) => inBox(hit, box)).length : null}
      chosen={chosen}
      onChoose={setChosen}
      onBox={(next) => {
        setBox(next);
        setChosen([]);
        if (!next && state.box) onChange({ ...state, box: null });
      }}
    >
      {shown.length > 0 && (
        <div className={s.sheet} data-panel role="region" aria-label="Files in view">
          <div className="row g2">
            <b className="b nw">
              {counted(shown.length, 'file')} {chosen.length ? 'here' : 'in the box'}
            </b>
            <span className="muted cut">
              {date(Math.min(...times) / 1000)} – {date(Math.max(...times) / 1000)}
            </span>
            <span className="grow" />
            {box && !chosen.length && JSON.stringify(box) !== JSON.stringify(state.box) && (
              <LinkButton onClick={() => onChange({ ...state, box })}>Filter to this box</LinkButton>
            )}
            {chosen.length > 0 && <LinkButton onClick={() => setChosen([])}>Close</LinkButton>}
          </div>
          <div className={s.strip}>
            {shown.slice(0, 8).map((hit) => (
              <a key={hit.id} href={`#/item/${hit.id}?${writeState(state)}`} title={hit.filename} aria-label={hit.filename}>
                <Thumb id={hit.id} has={hit.has_thumb} version={pictureVersion(hit)} category={hit.file_category} />
              </a>
            ))}
          </div>
        </div>
      )}
    </WorldMap>
  );
}
