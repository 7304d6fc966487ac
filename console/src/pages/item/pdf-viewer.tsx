import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, RotateCcw, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { pageUrl, pageWords } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { Button, classNames, IconButton } from '../../components/button.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { aspectRatio, nextZoom, pageHighlights, renderWidth, thumbnailPages, ZOOMS } from './pdf-pages.ts';
import s from './pdf-viewer.module.css';
import { isPdf, pageCount } from './preview-kind.ts';
import type { TextMatches } from './use-text-matches.ts';
import b from './viewer-bar.module.css';
import { BarGroup, ViewerBar } from './viewer-bar.tsx';

interface PdfViewerProps {
  item: Item;
  textMatches: TextMatches;
  /** In the inspector: no thumbnails, fewer controls, no keys. */
  small?: boolean;
  /** Additional controls for the toolbar. */
  children?: ReactNode;
}

const MAX_PAGE_WIDTH = 820;

/** A document whose pages are rendered by the server. Page Up and Page Down change the page, plus and minus zoom. */
export function PdfViewer({ item, textMatches, small = false, children }: PdfViewerProps) {
  const pages = pageCount(item);
  const [page, setPage] = useState(() => textMatches.matches[textMatches.match]?.page ?? 1);
  const [zoom, setZoom] = useState<number>(1);
  const [stageWidth, setStageWidth] = useState(0);
  const stage = useRef<HTMLDivElement>(null);
  const go = (to: number) => {
    setPage(Math.min(pages, Math.max(1, to)));
    stage.current?.scrollTo({ top: 0 });
  };

  const wanted = textMatches.matches[textMatches.match]?.page ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the user goes to the current match again
  useEffect(() => {
    if (wanted !== null) go(wanted);
  }, [wanted, textMatches.jumps]);

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const measure = new ResizeObserver(() => setStageWidth(element.clientWidth));
    measure.observe(element);
    setStageWidth(element.clientWidth);
    return () => measure.disconnect();
  }, []);

  useKeys(
    {
      'in dialog': () => false,
      PageDown: () => go(page + 1),
      PageUp: () => go(page - 1),
      Home: () => go(1),
      End: () => go(pages),
      '+': () => setZoom(nextZoom(zoom, 1)),
      '=': () => setZoom(nextZoom(zoom, 1)),
      '-': () => setZoom(nextZoom(zoom, -1)),
      '0': () => setZoom(1),
    },
    !small,
  );

  const shown = Math.max(160, Math.min(MAX_PAGE_WIDTH, stageWidth - (small ? 24 : 64))) * zoom;
  return (
    <div className={s.viewer} data-small={small}>
      {!small && pages > 1 && <PageThumbnails item={item} pages={pages} page={page} textMatches={textMatches} onPage={go} />}
      <div className={s.side}>
        <div className={s.stage} ref={stage} role="region" aria-label={t('Page {page} of {pages}', { page, pages })} tabIndex={0}>
          {stageWidth > 0 && <Page key={page} item={item} page={page} shown={shown} textMatches={textMatches} />}
        </div>
        {/* Preloads the next page. */}
        {!small && stageWidth > 0 && page < pages && (
          <img className={s.ahead} alt="" src={pageUrl(item.id, page + 1, renderWidth(shown, window.devicePixelRatio))} />
        )}
        <ViewerBar label={t('Pages')}>
          <BarGroup>
            <IconButton label={t('Previous page')} onClick={() => go(page - 1)} disabled={page <= 1}>
              <ChevronLeft size={16} aria-hidden />
            </IconButton>
            <PageField page={page} pages={pages} onPage={go} />
            <IconButton label={t('Next page')} onClick={() => go(page + 1)} disabled={page >= pages}>
              <ChevronRight size={16} aria-hidden />
            </IconButton>
          </BarGroup>
          {!small && (
            <BarGroup zoom>
              <IconButton label={t('Zoom out')} onClick={() => setZoom(nextZoom(zoom, -1))} disabled={zoom <= ZOOMS[0]}>
                <ZoomOut size={16} aria-hidden />
              </IconButton>
              <span className={b.percent}>{Math.round(zoom * 100)}%</span>
              <IconButton label={t('Zoom in')} onClick={() => setZoom(nextZoom(zoom, 1))} disabled={nextZoom(zoom, 1) === zoom}>
                <ZoomIn size={16} aria-hidden />
              </IconButton>
            </BarGroup>
          )}
          {children}
        </ViewerBar>
      </div>
    </div>
  );
}

function PageField({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const leave = () => {
    const wanted = Number(typed);
    if (typed !== null && Number.isInteger(wanted) && wanted > 0) onPage(wanted);
    setTyped(null);
  };
  return (
    <span className={s.at}>
      <span className={b.spare}>{t('Page')} </span>
      <input
        className={s.number}
        aria-label={t('Page number')}
        inputMode="numeric"
        style={{ width: `${String(pages).length + 2}ch` }}
        value={typed ?? String(page)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />{' '}
      <span className={classNames('muted', b.outOf)}>{t('of {pages}', { pages })}</span>
    </span>
  );
}

/** One page as an image, with a blank sheet of the same size until it is loaded. */
function Page({ item, page, shown, textMatches }: { item: Item; page: number; shown: number; textMatches: TextMatches }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  const width = renderWidth(shown, window.devicePixelRatio);
  return (
    <div
      className={s.sheet}
      style={state === 'loaded' ? { width: shown } : { width: shown, height: shown * aspectRatio(item.metadata['page_size']) }}
    >
      {state === 'loading' && (
        <p className={s.word} role="status">
          {t('Loading page {page}…', { page })}
        </p>
      )}
      {state === 'failed' ? (
        <div className={s.word} role="alert">
          <p>{t('Page {page} could not be loaded.', { page })}</p>
          <Button
            size="s"
            onClick={() => {
              setTries(tries + 1);
              setState('loading');
            }}
          >
            <RotateCcw size={14} aria-hidden />
            {t('Try again')}
          </Button>
        </div>
      ) : (
        <img
          src={`${pageUrl(item.id, page, width)}${tries ? `&try=${tries}` : ''}`}
          alt={t('Page {page} of {filename}', { page, filename: item.filename })}
          draggable={false}
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
        />
      )}
      {state === 'loaded' && <Marks item={item} page={page} textMatches={textMatches} />}
    </div>
  );
}

/** The matches on the page. The current one is emphasized and scrolled into view. */
function Marks({ item, page, textMatches }: { item: Item; page: number; textMatches: TextMatches }) {
  const here = textMatches.matches.filter((match) => match.page === null || match.page === page);
  const found = useQuery({
    queryKey: ['page-words', item.id, page],
    queryFn: ({ signal }) => pageWords(item.id, page, signal),
    enabled: here.length > 0 && isPdf(item),
    staleTime: 300_000,
    retry: false,
  });
  const marks = useMemo(() => pageHighlights(found.data?.words ?? [], textMatches.words), [found.data, textMatches.words]);
  const at = textMatches.matches[textMatches.match];
  const current = at ? here.indexOf(at) : -1;
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the user goes to the current match again
  useEffect(() => {
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, [current, textMatches.jumps, marks]);
  const share = (n: number) => `${n * 100}%`;
  return marks.map((mark, i) => (
    <mark
      // biome-ignore lint/suspicious/noArrayIndexKey: the nth mark of a page
      key={i}
      ref={i === current ? box : undefined}
      className={s.mark}
      aria-hidden
      data-current={i === current}
      style={{ left: share(mark.x), top: share(mark.y), width: share(mark.w), height: share(mark.h) }}
    />
  ));
}

/** Thumbnails of the pages with their number of matches. */
function PageThumbnails({
  item,
  pages,
  page,
  textMatches,
  onPage,
}: {
  item: Item;
  pages: number;
  page: number;
  textMatches: TextMatches;
  onPage: (page: number) => void;
}) {
  const current = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    void current.current?.scrollIntoView({ block: 'nearest' });
  }, [page]);
  const found = new Map<number, number>();
  for (const match of textMatches.matches) if (match.page !== null) found.set(match.page, (found.get(match.page) ?? 0) + 1);
  return (
    <nav className={s.strip} aria-label={t('Pages')}>
      {thumbnailPages(pages, page).map((one) => (
        <button
          key={one}
          type="button"
          ref={one === page ? current : undefined}
          className={s.small}
          aria-current={one === page ? 'page' : undefined}
          onClick={() => onPage(one)}
        >
          <span className={s.leaf} style={{ aspectRatio: `1 / ${aspectRatio(item.metadata['page_size'])}` }}>
            <img src={pageUrl(item.id, one, 200)} alt="" loading="lazy" draggable={false} />
          </span>
          <span className={s.label}>
            <span className="visually-hidden">{t('Page')} </span>
            {one}
          </span>
          {found.has(one) && (
            <>
              <span className="visually-hidden">, </span>
              <span className={s.badge}>
                {rich('{n} <hidden>{n|match|matches}</hidden>', {
                  n: found.get(one) ?? 0,
                  hidden: (text) => <span className="visually-hidden">{text}</span>,
                })}
              </span>
            </>
          )}
        </button>
      ))}
    </nav>
  );
}
