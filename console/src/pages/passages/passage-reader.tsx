import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { itemText } from '../../api/catalog.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { isPdf, pageCount } from '../item/preview-kind.ts';
import { useItem } from '../item/use-item.ts';
import { type ListedPassage, placeOf } from './passage-list.tsx';
import { PassagePage } from './passage-page.tsx';
import s from './passages.module.css';

/** Characters shown before and after the passage; a book of millions of characters would be slow to lay out. */
const AROUND = 20_000;

interface PassageReaderProps {
  listed: ListedPassage;
  /** All passages found; those of the same file are marked too, with their number in the list. */
  passages: ListedPassage[];
  q: string;
  onSelect: (index: number) => void;
}

type View = 'page' | 'text';

/** The document at the place of the passage: the page of a PDF, or the text. */
export function PassageReader(props: PassageReaderProps) {
  const { file, passage } = props.listed;
  const [view, setView] = useState<View>('page');
  const { data: item } = useItem(file.item_id);
  const hasPage = item !== undefined && item.status === 'active' && isPdf(item) && passage.page !== null && pageCount(item) > 0;
  const head = (
    <header className={s.pageHead}>
      <bdi className="cut">{file.filename}</bdi>
      <span>{placeOf(props.listed)}</span>
      {hasPage && (
        <Segmented<View>
          label={t('Show as')}
          value={view}
          onChange={setView}
          options={[
            { value: 'page', label: t('Page') },
            { value: 'text', label: t('Text') },
          ]}
        />
      )}
      <ButtonLink size="s" href={`#/item/${file.item_id}?q=${encodeURIComponent(props.q)}`}>
        {t('Open file')}
      </ButtonLink>
    </header>
  );
  return (
    <div className={s.middle}>
      {head}
      {hasPage && view === 'page' ? (
        <section className={s.reader} aria-label={t('Page')} tabIndex={0}>
          <PassagePage item={item} listed={props.listed} passages={props.passages} onSelect={props.onSelect} />
        </section>
      ) : (
        <PassageText {...props} />
      )}
    </div>
  );
}

/** The text of a file with the passage marked in its place. */
function PassageText({ listed, passages, onSelect }: PassageReaderProps) {
  const { file, passage } = listed;
  const mark = useRef<HTMLElement>(null);
  const text = useQuery({
    queryKey: ['item', file.item_id, 'passage-text'],
    queryFn: ({ signal }) => itemText(file.item_id, signal),
    staleTime: 60_000,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another passage or text is shown
  useEffect(() => {
    mark.current?.scrollIntoView?.({ block: 'center' });
  }, [text.data, file.item_id, passage.chunk_no]);
  if (text.error) return <ErrorState error={text.error} retry={() => void text.refetch()} />;
  if (!text.data) return <Loading what={t('the text')} />;
  const whole = text.data.text;
  const [from, to] = [Math.max(0, passage.start - AROUND), Math.min(whole.length, passage.end + AROUND)];
  const marked = passages
    .map((each, index) => ({ ...each.passage, index }))
    .filter(({ item_id, start, end }) => item_id === file.item_id && start >= from && end <= to)
    .sort((a, b) => a.start - b.start);
  const shown = [];
  let at = from;
  for (const { chunk_no, start, end, index } of marked) {
    // Passages share some text with their neighbours.
    const begin = Math.max(at, start);
    if (begin >= end) continue;
    const current = chunk_no === passage.chunk_no;
    shown.push(
      excerpt(whole, at, begin),
      <Fragment key={chunk_no}>
        {index < 9 && (
          <button
            type="button"
            className={s.margin}
            aria-current={current}
            aria-label={t('Passage {index}', { index: index + 1 })}
            onClick={() => onSelect(index)}
          >
            {index + 1}
          </button>
        )}
        <mark ref={current ? mark : undefined} data-current={current}>
          {excerpt(whole, begin, end)}
        </mark>
      </Fragment>,
    );
    at = end;
  }
  shown.push(excerpt(whole, at, to));
  return (
    <section className={s.reader} aria-label={t('Text')} tabIndex={0}>
      <article className={s.page} dir="auto">
        {text.data.source === 'ocr' && <p className={s.note}>{t('This page is a picture. Its text was read by OCR and may be wrong.')}</p>}
        {from > 0 && '… '}
        {shown}
        {to < whole.length && ' …'}
      </article>
    </section>
  );
}

/** Form feeds separate pages. */
const excerpt = (text: string, from: number, to: number): string => text.slice(from, to).replaceAll('\f', '\n\n');
