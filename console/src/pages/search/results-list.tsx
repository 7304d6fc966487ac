import { Check, FileX, Trash2 } from 'lucide-react';
import { type MouseEvent, memo, type Ref, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { classNames } from '../../components/button.tsx';
import { findRanges, Highlighted, type MatchRange, parseHighlights } from '../../components/highlight.tsx';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { StatusText } from '../../components/status.tsx';
import { CategoryIcon, Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatDate, formatShortDate } from '../../format/dates.ts';
import { formatBytes, formatTimecode } from '../../format/numbers.ts';
import { parentFolder } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { rowLayout } from './list-layout.ts';
import s from './results-list.module.css';
import type { Selection } from './selection.ts';
import { useDeferredHit } from './use-deferred-hit.ts';
import { type Hits, useLoadedPageCount } from './use-hits.ts';
import { useSlots, useVirtualList } from './use-virtual-list.ts';

export interface ResultsHandle {
  focus: () => void;
  reveal: (index: number) => void;
  /** Files per line. */
  columns: number;
  /** Files that fit into the viewport. */
  page: number;
}

export interface ResultsProps {
  hits: Hits;
  words: string[];
  selection: Selection;
  libraryName: (id: string) => string;
  phone: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
  ref: Ref<ResultsHandle>;
}

/** The results as rows. Only the visible rows are in the document, and their elements are reused while scrolling. */
export function ResultsList({ hits, words, selection, libraryName, phone, onPick, onOpen, ref }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, hitAt, setVisibleRows, total, tallRows } = hits;
  const version = useLoadedPageCount(hits);
  // Newly loaded hits render with low priority, so that they do not delay scrolling; rows that scroll into view render at once.
  const settled = useDeferredValue(version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a loaded page adds tall rows
  const tall = useMemo(tallRows, [tallRows, first, settled]);
  const layout = useMemo(() => rowLayout(total, phone ? 64 : 52, phone ? 76 : 72, tall), [total, phone, tall]);
  const rows = useVirtualList(scroller, layout, 8);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts at the top
  useEffect(() => rows.reveal(0, 'start'), [hits.queryId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported again after each loaded page, to load the next missing one
  useEffect(() => setVisibleRows(rows.from, rows.to, rows.jumped), [rows.from, rows.to, rows.jumped, setVisibleRows, version, first]);
  const page = rows.fullyVisible(layout.minHeight);
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), reveal: rows.reveal, columns: 1, page }), [rows.reveal, page]);

  const { topOf } = rows;
  const slotCount = rows.slotCount(layout.minHeight);
  const slotOf = useCallback((line: number) => line % slotCount, [slotCount]);
  const slotLines = useSlots(rows, layout.count, slotOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: hitAt returns the loaded hits
  const rendered = useMemo(
    () =>
      slotLines.map(([slot, index]) => {
        const hit = hitAt(index);
        return (
          <ResultRow
            key={slot}
            hit={hit}
            index={index}
            id={`row-${index}`}
            top={topOf(index)}
            height={layout.top(index + 1) - layout.top(index)}
            library={hit ? libraryName(hit.library_id) : ''}
            words={words}
            selected={hit ? selection.files.has(hit.id) : false}
            current={selection.current === index}
            phone={phone}
            onPick={onPick}
            onOpen={onOpen}
          />
        );
      }),
    [slotLines, topOf, layout, settled, first, hitAt, selection, words, libraryName, phone, onPick, onOpen],
  );

  return (
    <>
      <ResultHead total={total} />
      <div
        ref={scroller}
        className={classNames(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label={t('Results')}
        aria-rowcount={total}
        aria-multiselectable
        aria-busy={hits.stale}
        aria-activedescendant={selection.current !== null ? `row-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} style={{ height: rows.height }} role="rowgroup">
          {rendered}
        </div>
      </div>
    </>
  );
}

interface RowProps {
  hit: SearchHit | undefined;
  index: number;
  id: string;
  top: number;
  height: number;
  /** Empty until the names of libraries are known; the path follows with it, so that it does not move. */
  library: string;
  words: string[];
  selected: boolean;
  current: boolean;
  phone: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
}

/** The matched ranges of the file name: as the server highlighted them, else by the query words. */
export function nameMarks(hit: SearchHit, words: string[]): MatchRange[] {
  const given = hit.highlight?.['filename'];
  const marked = Array.isArray(given) ? given[0] : given;
  if (marked) {
    const parsed = parseHighlights(marked);
    if (parsed.text === hit.filename) return parsed.marks;
  }
  return findRanges(hit.filename, words);
}

/** The reason for a hit whose name and snippet show no match. */
function reasonOf(hit: SearchHit, words: string[]): string | null {
  if (words.length === 0) return null;
  if (hit.matched_by === 'meaning') return t('similar in meaning');
  const tag = hit.tags?.find((t) => words.some((w) => t.toLowerCase().includes(w.toLowerCase())));
  return tag ? t('tag {tag}', { tag }) : null;
}

/** One file in the list. Memoized, so that scrolling renders only new rows. */
const ResultRow = memo(function ResultRow(props: RowProps) {
  const { index, words } = props;
  const hit = useDeferredHit(props.hit, index);
  const place = { transform: `translateY(${props.top}px)`, height: props.height };
  if (!hit)
    return (
      <div className={s.row} style={place} role="row" aria-rowindex={index + 1}>
        <span role="gridcell" className="visually-hidden">
          {t('Loading')}
        </span>
        <span className={s.thumb} style={{ background: 'var(--bg-2)' }} />
        <span className={s.skeleton} style={{ width: `${20 + ((index * 37) % 30)}%` }} />
      </div>
    );
  const inactive = hit.status === 'missing' || hit.status === 'trashed';
  const marks = nameMarks(hit, words);
  const snippet = hit.snippet ? parseHighlights(hit.snippet) : null;
  const reason = marks.length === 0 && !snippet?.marks.length ? reasonOf(hit, words) : null;
  return (
    <div
      className={s.row}
      style={place}
      role="row"
      id={props.id}
      aria-rowindex={index + 1}
      aria-selected={props.selected}
      data-selected={props.selected}
      data-current={props.current}
      data-tall={Boolean(snippet)}
      data-inactive={inactive}
      onClick={(event) => props.onPick(index, event)}
      onDoubleClick={() => props.onOpen(index)}
    >
      <span className={s.thumb} role="gridcell">
        <Thumb id={hit.id} available={hit.has_thumb} version={thumbVersion(hit)} inList category={hit.file_category} missing={inactive} />
        {hit.duration ? <span className={s.duration}>{formatTimecode(hit.duration)}</span> : null}
        {props.selected && (
          <span className={s.check}>
            <Check size={12} role="img" aria-label={t('Selected')} />
          </span>
        )}
      </span>
      <div className={s.text} role="gridcell">
        <div className={s.name}>
          <MiddleEllipsis name={hit.filename} marks={marks} />
        </div>
        <div className={s.where}>
          {props.phone ? (
            <span className="cut">
              {formatBytes(hit.size)} · {formatDate(hit.mtime)}
              {!inactive && props.library !== '' && ` · ${props.library}`}
            </span>
          ) : (
            <bdi className={`${s.path} cut`}>{props.library !== '' && `${props.library}/${parentFolder(hit.rel_path)}`}</bdi>
          )}
          {reason && !props.phone && (
            <span>
              · <Highlighted text={reason} marks={findRanges(reason, words)} />
            </span>
          )}
          {hit.status === 'missing' && (
            <StatusText tone="danger" icon={FileX}>
              {hit.missing_since ? t('Missing since {missing_since}', { missing_since: formatShortDate(hit.missing_since) }) : t('Missing')}
            </StatusText>
          )}
          {hit.status === 'trashed' && (
            <StatusText tone="idle" icon={Trash2}>
              {t('In the recycle bin')}
            </StatusText>
          )}
        </div>
        {snippet && (
          <div className={`${s.snippet} cut`}>
            <Highlighted text={snippet.text} marks={snippet.marks} />
          </div>
        )}
      </div>
      <span className={`${s.size} num`} role="gridcell">
        {formatBytes(hit.size)}
      </span>
      <span className={s.date} role="gridcell">
        {formatDate(hit.mtime)}
      </span>
      <span className={s.kind} role="gridcell">
        <CategoryIcon category={hit.file_category} labelled />
      </span>
    </div>
  );
});

function ResultHead({ total }: { total: number }) {
  return (
    <div className={s.head} aria-hidden title={t('{n|# file|# files}', { n: total })}>
      <span />
      <span>{t('Name')}</span>
      <span className="num">{t('Size')}</span>
      <span>{t('Modified')}</span>
      <span />
    </div>
  );
}
