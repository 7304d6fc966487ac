import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { searchTags } from '../../api/search.ts';
import { classNames, LinkButton } from '../../components/button.tsx';
import { FacetRow, FacetSection, shareOf } from '../../components/facet.tsx';
import { parseDay } from '../../components/parse-day.ts';
import { parseSize, RangeHistogram } from '../../components/range-histogram.tsx';
import { CategoryIcon } from '../../components/thumb.tsx';
import { CATEGORIES, categoryStyle } from '../../format/categories.ts';
import { formatCameraMonth, formatShortMonth } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './facet-panel.module.css';
import { FACT_FACETS, factFacets, type SearchState, withFact, withoutFact } from './search-state.ts';
import type { Facets, Range } from './use-facets.ts';
import type { LibraryName } from './use-libraries.ts';

// Loaded after the counts are shown. Nothing stands below it that would move.
const MoreFacets = lazy(() => import('./more-facets.tsx'));

interface FacetPanelProps {
  state: SearchState;
  facets: Facets;
  libraries: readonly LibraryName[];
  semantic: boolean;
  inDrawer?: boolean;
  onChange: (state: SearchState) => void;
  /** Before the first result. */
  loading?: boolean;
}

type ListKey = 'categories' | 'libraries' | 'groups' | 'extensions' | 'tags' | 'cameras' | 'owners';

/** One element for each category, so that a row with the same count does not render again. */
const icons = new Map<string, ReactNode>();
const iconOf = (category: string): ReactNode => {
  if (!icons.has(category)) icons.set(category, <CategoryIcon category={category} />);
  return icons.get(category);
};

const maxCount = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => Math.max(a, b), 0);

/** The facets beside the results: OR within a facet, AND between facets. */
export function FacetPanel({ state, facets, libraries, semantic, inDrawer, loading, onChange }: FacetPanelProps) {
  // Rows and counts are drawn before the script of the further filters is requested.
  const [counted, setCounted] = useState(false);
  useEffect(() => {
    const timer = loading ? undefined : setTimeout(() => setCounted(true));
    return () => clearTimeout(timer);
  }, [loading]);
  const toggle = useMemo(() => {
    const toggleIn = (key: ListKey) => (value: string, on: boolean) =>
      onChange({ ...state, [key]: on ? [...state[key], value] : state[key].filter((v) => v !== value) });
    return {
      categories: toggleIn('categories'),
      libraries: toggleIn('libraries'),
      extensions: toggleIn('extensions'),
      cameras: toggleIn('cameras'),
      owners: toggleIn('owners'),
    };
  }, [state, onChange]);
  const setTags = useCallback((tags: string[]) => onChange({ ...state, tags }), [state, onChange]);
  const clear = (key: ListKey) => (state[key].length ? () => onChange({ ...state, [key]: [] }) : undefined);
  const categories = [
    ...CATEGORIES.map((c) => c.key as string),
    ...Object.keys(facets.categories).filter((k) => !CATEGORIES.some((c) => c.key === k)),
  ].sort((a, b) => (facets.categories[b] ?? 0) - (facets.categories[a] ?? 0));
  const rows = [...libraries].sort((a, b) => (facets.libraries[b.id] ?? 0) - (facets.libraries[a.id] ?? 0));

  const className = classNames(s.panel, inDrawer ? s.inDrawer : s.side);
  // The sections have their final size only when the first counts are known.
  if (loading) return <aside className={classNames(className, s.loading)} aria-label={t('Filters')} aria-busy />;
  return (
    <aside className={className} aria-label={t('Filters')}>
      <FacetSection title={t('File type')} onClear={clear('categories')}>
        {categories.map((key) => (
          <FacetRow
            key={key}
            value={key}
            label={categoryStyle(key).label}
            icon={iconOf(key)}
            count={facets.categories[key] ?? 0}
            share={shareOf(facets.categories[key] ?? 0, maxCount(facets.categories))}
            checked={state.categories.includes(key)}
            onToggle={toggle.categories}
          />
        ))}
      </FacetSection>
      {rows.length > 0 && (
        <FacetSection title={t('Library')} onClear={clear('libraries')}>
          {rows.map((library) => (
            <FacetRow
              key={library.id}
              value={library.id}
              label={library.name}
              count={facets.libraries[library.id] ?? 0}
              share={shareOf(facets.libraries[library.id] ?? 0, maxCount(facets.libraries))}
              checked={state.libraries.includes(library.id)}
              onToggle={toggle.libraries}
            />
          ))}
        </FacetSection>
      )}
      <RangeSection
        title={t('Modified')}
        range={facets.modified}
        from={state.modifiedFrom}
        to={state.modifiedTo}
        words={formatShortMonth}
        read={parseDay}
        onChange={(modifiedFrom, modifiedTo) => onChange({ ...state, modifiedFrom, modifiedTo })}
      />
      <RangeSection
        title={t('Taken')}
        range={facets.taken}
        from={state.takenFrom}
        to={state.takenTo}
        words={formatCameraMonth}
        read={(text, end) => parseDay(text, end, 'UTC')}
        onChange={(takenFrom, takenTo) => onChange({ ...state, takenFrom, takenTo })}
      />
      <RangeSection
        title={t('Size')}
        log
        range={facets.size}
        from={state.sizeFrom}
        to={state.sizeTo}
        words={formatBytes}
        read={parseSize}
        onChange={(sizeFrom, sizeTo) => onChange({ ...state, sizeFrom, sizeTo })}
      />
      <TagFacet chosen={state.tags} counts={facets.tags} onChange={setTags} />
      <LongFacet
        title={t('Extension')}
        counts={facets.extensions}
        chosen={state.extensions}
        onToggle={toggle.extensions}
        onClear={clear('extensions')}
      />
      {(Object.keys(facets.cameras).length > 0 || state.cameras.length > 0) && (
        <LongFacet
          title={t('Camera')}
          counts={facets.cameras}
          chosen={state.cameras}
          onToggle={toggle.cameras}
          onClear={clear('cameras')}
        />
      )}
      {factFacets
        .filter((name) => Object.keys(facets.facts[name]).length > 0 || state.facts[name])
        .map((name) => (
          <LongFacet
            key={name}
            title={FACT_FACETS[name]}
            counts={facets.facts[name]}
            chosen={state.facts[name] ?? []}
            onToggle={(value, on) => onChange({ ...state, facts: withFact(state.facts, name, value, on) })}
            onClear={() => onChange({ ...state, facts: withoutFact(state.facts, name) })}
          />
        ))}
      {(Object.keys(facets.owners).length > 0 || state.owners.length > 0) && (
        <LongFacet title={t('Owner')} counts={facets.owners} chosen={state.owners} onToggle={toggle.owners} onClear={clear('owners')} />
      )}
      {counted && (
        <Suspense>
          <MoreFacets state={state} semantic={semantic} onChange={onChange} />
        </Suspense>
      )}
    </aside>
  );
}

interface RangeSectionProps {
  title: string;
  range: Range;
  from: number | null;
  to: number | null;
  log?: boolean;
  words: (n: number) => string;
  read: (text: string, end: boolean) => number | null;
  onChange: (from: number | null, to: number | null) => void;
}

function RangeSection({ title, range, from, to, log, words, read, onChange }: RangeSectionProps) {
  const min = range.min ?? from;
  const max = range.max ?? to;
  // Hidden when all files have the same value.
  if (min === null || max === null || (words(min) === words(max) && from === null && to === null)) return null;
  return (
    <FacetSection title={title} onClear={from !== null || to !== null ? () => onChange(null, null) : undefined}>
      <RangeHistogram
        label={title}
        bars={range.bars}
        min={min}
        max={max}
        from={from}
        to={to}
        {...(log ? { log } : {})}
        format={words}
        parse={read}
        onChange={onChange}
      />
    </FacetSection>
  );
}

const SHORT = 6;

function LongFacet(props: {
  title: string;
  counts: Record<string, number>;
  chosen: string[];
  onToggle: (value: string, on: boolean) => void;
  onClear: (() => void) | undefined;
}) {
  const [all, setAll] = useState(false);
  const sorted = Object.entries(props.counts).sort((a, b) => b[1] - a[1]);
  const missing = props.chosen.filter((v) => !(v in props.counts)).map((v): [string, number] => [v, 0]);
  const shown = [...missing, ...(all ? sorted : sorted.slice(0, SHORT))];
  if (shown.length === 0) return null;
  return (
    <FacetSection title={props.title} onClear={props.onClear}>
      {shown.map(([value, n]) => (
        <FacetRow
          key={value}
          value={value}
          label={value}
          count={n}
          share={shareOf(n, maxCount(props.counts))}
          checked={props.chosen.includes(value)}
          onToggle={props.onToggle}
        />
      ))}
      {sorted.length > SHORT && (
        <LinkButton data-row style={{ margin: '0 16px' }} onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('Show {sorted} more', { sorted: sorted.length - SHORT })}
        </LinkButton>
      )}
    </FacetSection>
  );
}

/** The most frequent tags of the results. All other tags are found by typing, because there may be too many to list. */
function TagFacet({ chosen, counts, onChange }: { chosen: string[]; counts: Record<string, number>; onChange: (tags: string[]) => void }) {
  const toggle = useCallback(
    (tag: string, on: boolean) => onChange(on ? [...chosen, tag] : chosen.filter((each) => each !== tag)),
    [chosen, onChange],
  );
  const [typed, setTyped] = useState('');
  const [debounced] = useDebouncedValue(typed.trim(), 150);
  const found = useQuery({
    queryKey: ['tags', debounced],
    queryFn: ({ signal }) => searchTags(debounced, signal),
    enabled: debounced.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const top = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  const rows: [string, number][] = debounced ? (found.data ?? []).map((t) => [t.value, counts[t.value] ?? t.count]) : top.slice(0, 6);
  const shown = [...chosen.filter((t) => !rows.some(([v]) => v === t)).map((t): [string, number] => [t, counts[t] ?? 0]), ...rows];
  const most = shown.reduce((m, [, n]) => Math.max(m, n), 0);
  return (
    <FacetSection title={t('Tags')} onClear={chosen.length ? () => onChange([]) : undefined}>
      {shown.map(([tag, n]) => (
        <FacetRow key={tag} value={tag} label={tag} count={n} share={shareOf(n, most)} checked={chosen.includes(tag)} onToggle={toggle} />
      ))}
      <div className={s.tagSearch}>
        <input
          type="text"
          className={s.input}
          aria-label={t('Find a tag')}
          placeholder={t('Find a tag')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {debounced && found.data?.length === 0 && (
        <p className={`${s.tagSearch} muted meta`}>{t('No tags match “{debounced}”.', { debounced })}</p>
      )}
    </FacetSection>
  );
}
