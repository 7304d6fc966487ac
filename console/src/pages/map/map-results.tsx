import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { LinkButton, TextLink } from '../../components/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatDate, toDate } from '../../format/dates.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { type GeoBox, type SearchState, toParams, writeState } from '../search/search-state.ts';
import s from './world-map.module.css';
import { WorldMap } from './world-map.tsx';

const PAGE = 200;
const MAX_POINTS = 1_000;
const WHOLE_WORLD = { geo_top_lat: 90, geo_right_lng: 180, geo_bottom_lat: -90, geo_left_lng: -180 };

interface LocatedFiles {
  hits: SearchHit[];
  total: number;
}

/** The hits that have a location, at most MAX_POINTS of them. */
function useLocatedFiles(params: SearchParams) {
  const query = { ...WHOLE_WORLD, ...params };
  return useQuery({
    queryKey: ['places', JSON.stringify(query)],
    queryFn: async ({ signal }): Promise<LocatedFiles> => {
      const hits: SearchHit[] = [];
      let cursor: string | undefined;
      let total = 0;
      do {
        const page = await search({ ...query, limit: PAGE, facets: false, ...(cursor ? { cursor } : {}) }, signal);
        total = page.total;
        hits.push(...page.hits.filter((hit) => hit._geo));
        cursor = page.next_cursor ?? undefined;
      } while (cursor && hits.length < MAX_POINTS);
      return { hits: hits.slice(0, MAX_POINTS), total };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

interface MapResultsProps {
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

/** The results of a search on the map. */
export default function MapResults({ state, onChange, onLocatedCount }: MapResultsProps) {
  const params = useMemo(() => toParams(state), [state]);
  const located = useLocatedFiles(params);
  const [box, setBox] = useState<GeoBox | null>(state.box);
  const [chosen, setChosen] = useState<string[]>([]);
  const total = located.data?.total ?? null;
  useEffect(() => onLocatedCount(total), [total, onLocatedCount]);
  useEffect(() => setBox(state.box), [state.box]);

  const points = useMemo(
    () => (located.data?.hits ?? []).flatMap(({ id, _geo }) => (_geo ? [{ id, lat: _geo.lat, lng: _geo.lng }] : [])),
    [located.data],
  );
  const shown = useMemo(() => {
    const all = located.data?.hits ?? [];
    if (chosen.length) return all.filter((hit) => chosen.includes(hit.id));
    return box ? all.filter((hit) => inBox(hit, box)) : [];
  }, [located.data, chosen, box]);

  if (located.error && !located.data) return <ErrorState error={located.error} retry={() => void located.refetch()} />;
  if (!located.data) return <Loading what={t('locations')} />;
  if (located.data.total === 0 && !state.box)
    return (
      <EmptyState title={t('No files with a location')}>
        {rich('Photos appear here if “Show photos on the map” is turned on in the <link>settings of their library</link>.', {
          link: (text) => <TextLink href="#/libraries">{text}</TextLink>,
        })}
      </EmptyState>
    );

  const times = shown.map((hit) => toDate(hit.mtime).getTime());
  return (
    <WorldMap
      places={points}
      box={box}
      boxCount={box ? located.data.hits.filter((hit) => inBox(hit, box)).length : null}
      chosen={chosen}
      onChoose={setChosen}
      onBox={(next) => {
        setBox(next);
        setChosen([]);
        if (!next && state.box) onChange({ ...state, box: null });
      }}
    >
      {shown.length > 0 && (
        <div className={s.sheet} data-panel role="region" aria-label={t('Files in this area')}>
          <div className="row g2">
            <b className="b nw">{t(chosen.length ? '{n|# file|# files} here' : '{n|# file|# files} in the box', { n: shown.length })}</b>
            <span className="muted cut">
              {formatDate(Math.min(...times) / 1000)} – {formatDate(Math.max(...times) / 1000)}
            </span>
            <span className="grow" />
            {box && !chosen.length && JSON.stringify(box) !== JSON.stringify(state.box) && (
              <LinkButton onClick={() => onChange({ ...state, box })}>{t('Filter to this box')}</LinkButton>
            )}
            {chosen.length > 0 && <LinkButton onClick={() => setChosen([])}>{t('Close')}</LinkButton>}
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
