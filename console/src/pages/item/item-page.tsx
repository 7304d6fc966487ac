import { ArrowLeft, ChevronDown, ChevronUp, Keyboard } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useParams, useSearch } from 'wouter';
import { touchItem } from '../../api/catalog.ts';
import { ButtonLink, IconButton } from '../../components/button.tsx';
import { SkeletonFile } from '../../components/skeleton.tsx';
import { ErrorState } from '../../components/states.tsx';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { openKeyHelp } from '../../shell/overlays.ts';
import { plainWords } from '../search/query-text.ts';
import { readState, searchHref, toParams, writeState } from '../search/search-state.ts';
import { useHits } from '../search/use-hits.ts';
import { Inspector } from './inspector.tsx';
import s from './item-page.module.css';
import { Preview } from './preview.tsx';
import { useItem } from './use-item.ts';
import { useTextMatches } from './use-text-matches.ts';

/** The page of one file. Its address contains the search it was opened from, for the way back and to the next file. */
export default function ItemPage() {
  const { id = '' } = useParams<{ id: string }>();
  const address = useSearch();
  const state = useMemo(() => readState(address), [address]);
  const at = Number(new URLSearchParams(address).get('at') ?? -1);
  const fromSearch = at >= 0;
  const words = useMemo(() => plainWords(state.q), [state.q]);
  const item = useItem(id);
  const params = useMemo(() => toParams(state), [state]);
  const hits = useHits(params, { enabled: fromSearch });
  const { setVisibleRows } = hits;
  const textMatches = useTextMatches(item.data, words, { first: Number(new URLSearchParams(address).get('match') ?? 0) || 0 });

  useEffect(() => {
    if (fromSearch) setVisibleRows(at, at + 1);
  }, [at, fromSearch, setVisibleRows]);
  useEffect(() => {
    // Counts for ranking only, so a failure has no consequence for the user.
    if (id) void touchItem(id).catch(() => {});
  }, [id]);

  const step = (by: number) => {
    const next = hits.hitAt(at + by);
    if (!next) return false;
    navigate(`/item/${next.id}?${writeState({ ...state, item: '' })}&at=${at + by}`, { replace: true });
    return true;
  };
  const back = fromSearch ? searchHref({ ...state, item: id }) : '/';
  useKeys({
    '[': () => step(-1),
    ']': () => step(1),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    j: () => textMatches.step(1),
    k: () => textMatches.step(-1),
    Escape: () => navigate(back),
  });

  if (item.error && !item.data) return <ErrorState error={item.error} retry={() => void item.refetch()} />;
  return (
    <>
      <div className={s.bar}>
        <ButtonLink variant="ghost" href={`#${back}`}>
          <ArrowLeft size={16} aria-hidden />
          <span className="sm-hide">
            {fromSearch
              ? `${hits.first ? t('{n|# result|# results}', { n: hits.total }) : t('Results')}${state.q ? ` ${t('for “{q}”', { q: state.q })}` : ''}`
              : t('Search')}
          </span>
          <span className="sm-only">{fromSearch ? t('Results') : t('Search')}</span>
        </ButtonLink>
        <span className="grow" />
        {fromSearch && hits.first && (
          <>
            <span className="muted nw">{t('{at} of {total}', { at: formatCount(at + 1), total: hits.total })}</span>
            <IconButton label={t('Previous file')} onClick={() => step(-1)} disabled={at <= 0}>
              <ChevronUp size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('Next file')} onClick={() => step(1)} disabled={at + 1 >= hits.total}>
              <ChevronDown size={18} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label={t('Keyboard shortcuts')} className="sm-hide" onClick={openKeyHelp}>
          <Keyboard size={18} aria-hidden />
        </IconButton>
      </div>
      {item.data ? (
        <div className={s.cols}>
          <section className={s.stage} aria-label={t('Preview')}>
            <Preview key={item.data.id} item={item.data} words={words} textMatches={textMatches} />
          </section>
          <aside className={s.side} aria-label={t('Details')}>
            <Inspector id={id} words={words} ownPage textMatches={textMatches} />
          </aside>
        </div>
      ) : (
        <div className={s.cols} role="status">
          <span className="visually-hidden">{t('Loading {what}…', { what: t('the file') })}</span>
          <SkeletonFile />
        </div>
      )}
    </>
  );
}
