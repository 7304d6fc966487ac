import { useEffect, useMemo, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { formatDate, toDate } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { thumbVersion, Thumb } from '../../components/thumb.tsx';
import { type GeoBox, type SearchState, toParams, writeState } from '../search/search-state.ts';
import { search } from '../../api/search.ts';
import { WorldMap } from './world-map.tsx';
import s from './world-map.module.css';

const PAGE = 200;
const MOST = 1_000;
const WHOLE_WORLD = { geo_top_lat: 90, geo_right_lng: 180, geo_bottom_lat: -90, geo_left_lng: -180 };

export interface LocatedFiles {
  hits: SearchHit[];
  total: number;
}

/** The files of a search that have a place: at most 1,000 points, in pages of 200. */
export function useLocatedFiles(params: SearchParams) {
  const question = { ...WHOLE_WORLD, ...params };
  return useQuery({
    queryKey: ['places', JSON.stringify(question)],
    queryFn: async ({ signal }): Promise<LocatedFiles> => {
      const hits: SearchHit[] = [];
      let cursor: string | undefined;
      let total = 0;
      do {
        const page = await search({ ...question, limit: PAGE, facets: false, ...(cursor ? { cursor } : {}) }, signal);
        total = page.total;
        hits.push(...page.hits.filter((hit) => hit._geo));
        cursor = page.next_cursor ?? undefined;
      } while (cursor && hits.length < MOST);
      return { hits: hits.slice(0, MOST), total };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

interface MapLensProps {
  state: SearchState;
  onChange: (state: SearchState) => void;
  onLocatedCount: (total: number | null) => void;
}

const inBox = (hit: SearchHit, box: GeoBox): boolean =>
  hit._geo !== null &&
  hit._geo !== undefined &&
  hit._geo.lat <= box.top &&
  hit._geo.lat >= box.bottom &&
  hit._geo.lng >= box.left &&
  hit._geo.lng <= box.right;

/** The same search, seen on the map. */
export default function MapResults({ state, onChange, onLocatedCount }: MapLensProps) {
  const question = useMemo(() => toParams(state), [state]);
  const places = useLocatedFiles(question);
  const [box, setBox] = useState<GeoBox | null>(state.box);
  const [chosen, setChosen] = useState<string[]>([]);
  const total = places.data?.total ?? null;
  useEffect(() => onLocatedCount(total), [total, onLocatedCount]);
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
              {pluralize(shown.length, 'file')} {chosen.length ? 'here' : 'in the box'}
            </b>
            <span className="muted cut">
              {formatDate(Math.min(...times) / 1000)} – {formatDate(Math.max(...times) / 1000)}
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
                <Thumb id={hit.id} available={hit.has_thumb} version={thumbVersion(hit)} category={hit.file_category} />
              </a>
            ))}
          </div>
        </div>
      )}
    </WorldMap>
  );
}
