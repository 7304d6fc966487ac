import { type MouseEvent, type Ref, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef, memo } from 'react';
import { Check, FileX, Trash2 } from 'lucide-react';
import { classNames } from '../../components/button.tsx';
import type { SearchHit } from '../../api/types.ts';
import { formatDate, formatShortDate } from '../../format/dates.ts';
import { formatBytes, formatTimecode, pluralize } from '../../format/numbers.ts';
import { parentFolder } from '../../format/paths.ts';
import { CategoryIcon } from '../../components/category-icon.tsx';
import { findRanges, Highlighted, type MatchRange, parseHighlights } from '../../components/highlight.tsx';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { StatusText } from '../../components/status.tsx';
import { thumbVersion, Thumb } from '../../components/thumb.tsx';
import s from './results-list.module.css';
import type { Selection } from './selection.ts';
import { rowStrip } from './list-layout.ts';
import { useHeldLines, useStripWindow } from './use-virtual-list.ts';
import { type Hits, useArrivals } from './use-hits.ts';
import { usePacedHit } from './use-deferred-hit.ts';

export interface ResultsHandle {
  focus: () => void;
  reveal: (index: number) => void;
  /** How many files stand side by side. */
  columns: number;
  /** How many files are in view at once. */
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

/** The results as rows. Only what is in view is in the page, however long the list is; a row that leaves is used again for one that comes. */
export function ResultsList({ hits, words, selection, libraryName, phone, onPick, onOpen, ref }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, hitAt, show, total, tallRows } = hits;
  const version = useArrivals(hits);
  // Hits that arrive are drawn piece by piece, between the frames of somebody who scrolls; what scrolls into view is drawn at once.
  const settled = useDeferredValue(version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: taller rows are known when a page arrived
  const tall = useMemo(tallRows, [tallRows, first, settled]);
  const strip = useMemo(() => rowStrip(total, phone ? 64 : 52, phone ? 76 : 72, tall), [total, phone, tall]);
  const rows = useStripWindow(scroller, strip, 8);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => rows.reveal(0, 'start'), [hits.question]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(rows.from, rows.to, rows.leapt), [rows.from, rows.to, rows.leapt, show, version, first]);
  const page = rows.whole(strip.step);
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), reveal: rows.reveal, columns: 1, page }), [rows.reveal, page]);

  const { topOf } = rows;
  const slots = rows.slots(strip.step);
  const slotOf = useCallback((line: number) => line % slots, [slots]);
  const held = useHeldLines(rows, strip.count, slotOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrived is read through hitAt
  const drawn = useMemo(
    () =>
      held.map(([slot, index]) => {
        const hit = hitAt(index);
        return (
          <ResultRow
            key={slot}
            hit={hit}
            index={index}
            id={`row-${index}`}
            top={topOf(index)}
            height={strip.top(index + 1) - strip.top(index)}
            library={hit ? libraryName(hit.library_id) : ''}
            words={words}
            selected={hit ? selection.ids.has(hit.id) : false}
            current={selection.current === index}
            phone={phone}
            onPick={onPick}
            onOpen={onOpen}
          />
        );
      }),
    [held, topOf, strip, settled, first, hitAt, selection, words, libraryName, phone, onPick, onOpen],
  );

  return (
    <>
      <ResultHead total={total} />
      <div
        ref={scroller}
        className={classNames(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label="Results"
        aria-rowcount={total}
        aria-multiselectable
        aria-busy={hits.stale}
        aria-activedescendant={selection.current !== null ? `row-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} style={{ height: rows.height }} role="rowgroup">
          {drawn}
        </div>
      </div>
    </>
  );
}

export interface RowProps {
  hit: SearchHit | undefined;
  index: number;
  id: string;
  top: number;
  height: number;
  library: string;
  words: string[];
  selected: boolean;
  current: boolean;
  phone: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
}

/** Where the name matched: by the service's marks, or by the words themselves. */
export function nameMarks(hit: SearchHit, words: string[]): MatchRange[] {
  const given = hit.highlight?.['filename'];
  const marked = Array.isArray(given) ? given[0] : given;
  if (marked) {
    const parsed = parseHighlights(marked);
    if (parsed.text === hit.filename) return parsed.marks;
  }
  return findRanges(hit.filename, words);
}

/** Why a file is here when neither its name nor its text shows it. */
function reasonOf(hit: SearchHit, words: string[]): string | null {
  if (words.length === 0) return null;
  const tag = hit.tags?.find((t) => words.some((w) => t.toLowerCase().includes(w.toLowerCase())));
  return tag ? `tag ${tag}` : null;
}

/** One file in the list. Memoised: scrolling only makes rows that were not there. */
export const ResultRow = memo(function ResultRow(props: RowProps) {
  const { index, words } = props;
  const hit = usePacedHit(props.hit, index);
  const place = { transform: `translateY(${props.top}px)`, height: props.height };
  if (!hit)
    return (
      <div className={s.row} style={place} role="row" aria-rowindex={index + 1}>
        <span role="gridcell" className="visually-hidden">
          Loading
        </span>
        <span className={s.thumb} style={{ background: 'var(--bg-2)' }} />
        <span className={s.bone} style={{ width: `${20 + ((index * 37) % 30)}%` }} />
      </div>
    );
  const gone = hit.status === 'missing' || hit.status === 'trashed';
  const marks = nameMarks(hit, words);
  const snippet = hit.snippet ? parseHighlights(hit.snippet) : null;
  const reason = marks.length === 0 && !snippet ? reasonOf(hit, words) : null;
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
      data-gone={gone}
      onClick={(event) => props.onPick(index, event)}
      onDoubleClick={() => props.onOpen(index)}
    >
      <span className={s.thumb} role="gridcell">
        <Thumb id={hit.id} available={hit.has_thumb} version={thumbVersion(hit)} inList category={hit.file_category} missing={gone} />
        {hit.duration ? <span className={s.duration}>{formatTimecode(hit.duration)}</span> : null}
        {props.selected && (
          <span className={s.check}>
            <Check size={12} role="img" aria-label="Selected" />
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
              {!gone && ` · ${props.library}`}
            </span>
          ) : (
            <bdi className={`${s.path} cut`}>
              {props.library}/{parentFolder(hit.rel_path)}
            </bdi>
          )}
          {reason && !props.phone && (
            <span>
              · <Highlighted text={reason} marks={findRanges(reason, words)} />
            </span>
          )}
          {hit.status === 'missing' && (
            <StatusText tone="danger" icon={FileX}>
              {hit.missing_since ? `Missing since ${formatShortDate(hit.missing_since)}` : 'Missing'}
            </StatusText>
          )}
          {hit.status === 'trashed' && (
            <StatusText tone="idle" icon={Trash2}>
              In the recycle bin
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

export function ResultHead({ total }: { total: number }) {
  return (
    <div className={s.head} aria-hidden title={pluralize(total, 'file')}>
      <span />
      <span>Name</span>
      <span className="num">Size</span>
      <span>Modified</span>
      <span />
    </div>
  );
}
