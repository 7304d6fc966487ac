import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, TextQuote } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { pageUrl, pageWords } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { IconButton } from '../../components/button.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { aspectRatio } from '../item/pdf-pages.ts';
import { pageCount } from '../item/preview-kind.ts';
import { BarGroup, ViewerBar } from '../item/viewer-bar.tsx';
import { passageBoxes } from './passage-boxes.ts';
import type { ListedPassage } from './passage-list.tsx';
import s from './passages.module.css';

const WIDTH = 1200;

interface PassagePageProps {
  item: Item;
  listed: ListedPassage;
  passages: ListedPassage[];
  onSelect: (index: number) => void;
}

const share = (n: number): string => `${n * 100}%`;

/** The page that a passage is on, with all passages found on that page marked. The keys [ and ] turn pages. */
export function PassagePage({ item, listed, passages, onSelect }: PassagePageProps) {
  const { passage } = listed;
  const pages = pageCount(item);
  const [turned, setTurned] = useState({ listed, page: passage.page ?? 1 });
  // Another passage opens its own page.
  const page = turned.listed === listed ? turned.page : (passage.page ?? 1);
  const go = (to: number) => setTurned({ listed, page: Math.min(pages, Math.max(1, to)) });
  const current = useRef<HTMLElement>(null);
  const words = useQuery({
    queryKey: ['page-words', item.id, page],
    queryFn: ({ signal }) => pageWords(item.id, page, signal),
    staleTime: 300_000,
    retry: false,
  });
  const here = useMemo(
    () =>
      passages
        .map((each, index) => ({ ...each.passage, index }))
        .filter((each) => each.item_id === item.id && each.page === page)
        .map((each) => ({ ...each, boxes: passageBoxes(words.data?.words ?? [], each.text) })),
    [passages, item.id, page, words.data],
  );
  const at = here.findIndex(({ chunk_no }) => chunk_no === passage.chunk_no);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another passage or page is shown
  useEffect(() => {
    current.current?.scrollIntoView?.({ block: 'center' });
  }, [here, passage.chunk_no]);
  const step = (by: number) => {
    const next = here[at + by];
    if (next) onSelect(next.index);
  };
  useKeys({ '[': () => go(page - 1), ']': () => go(page + 1) });
  return (
    <>
      <div className={s.sheet} style={{ aspectRatio: `1 / ${aspectRatio(item.metadata['page_size'])}` }}>
        <img
          key={page}
          src={pageUrl(item.id, page, WIDTH)}
          alt={t('Page {page} of {filename}', { page, filename: item.filename })}
          draggable={false}
        />
        {here.map(({ chunk_no, index, boxes }) => {
          const selected = chunk_no === passage.chunk_no;
          const [first] = boxes;
          return (
            <span key={chunk_no}>
              {boxes.map(({ x, y, w, h }, n) => (
                <mark
                  // biome-ignore lint/suspicious/noArrayIndexKey: the nth line of the passage
                  key={n}
                  ref={selected && n === 0 ? current : undefined}
                  data-current={selected}
                  aria-hidden
                  style={{ left: share(x), top: share(y), width: share(w), height: share(h) }}
                />
              ))}
              {first && index < 9 && (
                <button
                  type="button"
                  className={s.margin}
                  style={{ top: share(first.y) }}
                  aria-current={selected}
                  aria-label={t('Passage {index}', { index: index + 1 })}
                  onClick={() => onSelect(index)}
                >
                  {index + 1}
                </button>
              )}
            </span>
          );
        })}
      </div>
      <ViewerBar label={t('Pages')}>
        <BarGroup>
          <IconButton label={t('Previous page')} onClick={() => go(page - 1)} disabled={page <= 1}>
            <ChevronLeft size={16} aria-hidden />
          </IconButton>
          <span className={s.at} role="status">
            {rich('<b>Page {page}</b> of {pages}', { page, pages, b: (text) => <b className="b">{text}</b> })}
          </span>
          <IconButton label={t('Next page')} onClick={() => go(page + 1)} disabled={page >= pages}>
            <ChevronRight size={16} aria-hidden />
          </IconButton>
        </BarGroup>
        {at >= 0 && (
          <BarGroup>
            <TextQuote size={16} aria-hidden />
            <span className={s.at}>
              {rich('<b>{at}</b> of {n} on this page', { at: at + 1, n: here.length, b: (text) => <b className="b">{text}</b> })}
            </span>
            <IconButton label={t('Previous passage')} onClick={() => step(-1)} disabled={at <= 0}>
              <ChevronUp size={16} aria-hidden />
            </IconButton>
            <IconButton label={t('Next passage')} onClick={() => step(1)} disabled={at >= here.length - 1}>
              <ChevronDown size={16} aria-hidden />
            </IconButton>
          </BarGroup>
        )}
      </ViewerBar>
    </>
  );
}
