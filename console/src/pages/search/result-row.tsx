import { Check, FileX, Trash2 } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { date, nearDate } from '../../format/dates.ts';
import { bytes, clock, counted } from '../../format/numbers.ts';
import { folderOf } from '../../format/paths.ts';
import { CategoryIcon } from '../../parts/category-icon.tsx';
import { findMarks, Marked, type MarkRange, parseMarks } from '../../parts/marked.tsx';
import { MiddleEllipsis } from '../../parts/middle-ellipsis.tsx';
import { StatusText } from '../../parts/status.tsx';
import { pictureVersion } from '../../parts/picture-version.ts';
import { Thumb } from '../../parts/thumb.tsx';
import s from './result-row.module.css';
import { usePacedHit } from './use-paced-hit.ts';

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
export function nameMarks(hit: SearchHit, words: string[]): MarkRange[] {
  const given = hit.highlight?.['filename'];
  const marked = Array.isArray(given) ? given[0] : given;
  if (marked) {
    const parsed = parseMarks(marked);
    if (parsed.text === hit.filename) return parsed.marks;
  }
  return findMarks(hit.filename, words);
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
  const snippet = hit.snippet ? parseMarks(hit.snippet) : null;
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
        <Thumb id={hit.id} has={hit.has_thumb} version={pictureVersion(hit)} calm category={hit.file_category} gone={gone} />
        {hit.duration ? <span className={s.duration}>{clock(hit.duration)}</span> : null}
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
              {bytes(hit.size)} · {date(hit.mtime)}
              {!gone && ` · ${props.library}`}
            </span>
          ) : (
            <bdi className={`${s.path} cut`}>
              {props.library}/{folderOf(hit.rel_path)}
            </bdi>
          )}
          {reason && !props.phone && (
            <span>
              · <Marked text={reason} marks={findMarks(reason, words)} />
            </span>
          )}
          {hit.status === 'missing' && (
            <StatusText tone="danger" icon={FileX}>
              {hit.missing_since ? `Missing since ${nearDate(hit.missing_since)}` : 'Missing'}
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
            <Marked text={snippet.text} marks={snippet.marks} />
          </div>
        )}
      </div>
      <span className={`${s.size} num`} role="gridcell">
        {bytes(hit.size)}
      </span>
      <span className={s.date} role="gridcell">
        {date(hit.mtime)}
      </span>
      <span className={s.kind} role="gridcell">
        <CategoryIcon category={hit.file_category} labelled />
      </span>
    </div>
  );
});

export function ResultHead({ total }: { total: number }) {
  return (
    <div className={s.head} aria-hidden title={counted(total, 'file')}>
      <span />
      <span>Name</span>
      <span className="num">Size</span>
      <span>Modified</span>
      <span />
    </div>
  );
}
