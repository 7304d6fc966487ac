import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { about } from '../../api/operations.ts';
import { searchPassages } from '../../api/search.ts';
import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { TopBar } from '../../shell/top-bar.tsx';
import { Inspector } from '../item/inspector.tsx';
import { InspectorFrame } from '../search/inspector-frame.tsx';
import { plainWords } from '../search/query-text.ts';
import { SearchBox } from '../search/search-box.tsx';
import { useLibraries } from '../search/use-libraries.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { flattenPassages, PassageList } from './passage-list.tsx';
import { PassageReader } from './passage-reader.tsx';
import s from './passages.module.css';

const PAGE = 20;
const MAX_FILES = 100;

/** How much meaning counts beside words. A question is found best by both. */
const RATIOS = [
  { value: '0', label: t('Words') },
  { value: '0.5', label: t('Both') },
  { value: '1', label: t('Meaning') },
] as const;
type Ratio = (typeof RATIOS)[number]['value'];
const DEFAULT_RATIO: Ratio = '0.5';

/** Search in passages: the passages found, the text with the selected one marked, and details of its file. */
export default function PassagesPage() {
  const address = useSearch();
  const { q, at, by } = useMemo(() => {
    const params = new URLSearchParams(address);
    const by = RATIOS.find(({ value }) => value === params.get('by'))?.value ?? DEFAULT_RATIO;
    return { q: params.get('q') ?? '', at: Math.max(0, Number(params.get('at')) || 0), by };
  }, [address]);
  usePageTitle(q || t('Passages'));
  const wide = useMediaQuery('(min-width: 1280px)', true, { getInitialValueInEffect: false }) ?? true;
  const box = useRef<HTMLInputElement>(null);
  const [shownFiles, setShownFiles] = useState(PAGE);
  const { libraries } = useLibraries();
  const libraryName = useCallback((id: string) => libraries?.find((one) => one.id === id)?.name ?? '', [libraries]);
  const system = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000, retry: false });
  const hasMeaning = system.data?.embedding.enabled ?? false;
  // The search does not wait for this; without embeddings the server searches by words.
  const ratio = system.data && !hasMeaning ? 0 : Number(by);
  const found = useQuery({
    queryKey: ['passages', q, shownFiles, ratio],
    queryFn: ({ signal }) => searchPassages({ q, limit: shownFiles, semantic: ratio }, signal),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const files = found.data?.files ?? [];
  const passages = useMemo(() => flattenPassages(found.data?.files ?? []), [found.data]);
  const current = Math.min(at, passages.length - 1);
  const listed = passages[current];
  const words = useMemo(() => plainWords(q), [q]);
  const go = useCallback(
    (next: { q: string; at?: number; by?: Ratio }) => {
      const chosen = next.by ?? by;
      const params = new URLSearchParams({
        ...(next.q ? { q: next.q } : {}),
        ...(chosen === DEFAULT_RATIO ? {} : { by: chosen }),
        ...(next.at ? { at: String(next.at) } : {}),
      });
      navigate(`/passages${params.size > 0 ? `?${params}` : ''}`, { replace: true });
    },
    [by],
  );
  const select = (index: number) => go({ q, at: Math.min(passages.length - 1, Math.max(0, index)) });
  useKeys({
    '/': () => box.current?.focus(),
    j: () => passages.length > 0 && select(current + 1),
    k: () => passages.length > 0 && select(current - 1),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [String(n + 1), () => n < passages.length && select(n)])),
  });
  return (
    <>
      <TopBar>
        <SearchBox
          value={q}
          onChange={(next) => {
            setShownFiles(PAGE);
            go({ q: next });
          }}
          inputRef={box}
          placeholder={t('Search inside documents')}
          autoFocus={wide}
        />
      </TopBar>
      <div className={s.row}>
        <span className="muted meta">
          {hasMeaning && found.data?.semantic?.applied === false
            ? found.data.semantic.detail
            : t('Words and filters. Only documents you may read are searched.')}
        </span>
        <span className="grow" />
        {hasMeaning && <Segmented label={t('Find by')} value={by} options={RATIOS} onChange={(next) => go({ q, by: next })} />}
        <ModeSwitch mode="passages" q={q} />
      </div>
      <h1 className="visually-hidden">{t('Passages')}</h1>
      {q.trim() === '' ? (
        <EmptyState title={t('Search inside documents')}>{t('Type words to find the page and paragraph that contain them.')}</EmptyState>
      ) : found.error ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <Loading what={t('the passages')} />
      ) : !found.data.available ? (
        <EmptyState
          title={t('No library has passage search yet')}
          actions={<ButtonLink href="#/libraries">{t('Go to libraries')}</ButtonLink>}
        >
          {t('Turn on “Search in passages” in the settings of a library. Passages appear while its documents are divided.')}
        </EmptyState>
      ) : !listed ? (
        <EmptyState title={t('No passage contains these words')}>{t('Use fewer or other words, or search for files instead.')}</EmptyState>
      ) : (
        <div className={s.cols}>
          <PassageList
            passages={passages}
            current={current}
            files={files.length}
            total={found.data.total}
            libraryName={libraryName}
            onSelect={select}
            onMore={
              found.data.total > files.length && shownFiles < MAX_FILES ? () => setShownFiles((n) => Math.min(MAX_FILES, n + PAGE)) : null
            }
          />
          <PassageReader listed={listed} passages={passages} q={q} onSelect={select} />
          {wide && (
            <InspectorFrame narrow>
              <Inspector
                id={listed.file.item_id}
                words={words}
                href={`#/item/${listed.file.item_id}?q=${encodeURIComponent(q)}`}
                keys={false}
              />
            </InspectorFrame>
          )}
        </div>
      )}
    </>
  );
}
