import { AudioLines, Check, Play } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { CategoryIcon, Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatDayMonth, formatShortDate } from '../../format/dates.ts';
import { formatBytes, formatTimecode } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './results-grid.module.css';
import { nameMarks } from './results-list.tsx';
import { useDeferredHit } from './use-deferred-hit.ts';

interface GridCardProps {
  hit: SearchHit | undefined;
  index: number;
  /** Horizontal position in its line. */
  left: number;
  words: string[];
  selected: boolean;
  current: boolean;
  phone: boolean;
  /** Whether a heading above shows the month and year. */
  underMonth: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
}

const RAW = new Set(['arw', 'cr2', 'cr3', 'nef', 'dng', 'raf', 'orf', 'rw2']);

/** One file as a thumbnail. */
export const GridCard = memo(function GridCard({
  hit: known,
  index,
  left,
  words,
  selected,
  current,
  phone,
  underMonth,
  onPick,
  onOpen,
}: GridCardProps) {
  const hit = useDeferredHit(known, index);
  if (!hit)
    return (
      <div className={s.card} style={{ insetInlineStart: left }} role="gridcell">
        <div className={s.media} />
      </div>
    );
  return (
    <div
      className={s.card}
      style={{ insetInlineStart: left }}
      id={`card-${index}`}
      role="gridcell"
      aria-selected={selected}
      data-selected={selected}
      data-current={current}
      title={hit.filename}
      onClick={(event) => onPick(index, event)}
      onDoubleClick={() => onOpen(index)}
    >
      <div className={s.media}>
        <Thumb
          id={hit.id}
          available={hit.has_thumb}
          version={thumbVersion(hit)}
          inList
          category={hit.file_category}
          iconSize={32}
          missing={hit.status === 'missing'}
          alt={phone ? hit.filename : ''}
        />
        <button
          type="button"
          className={s.check}
          aria-label={selected ? t('Deselect {filename}', { filename: hit.filename }) : t('Select {filename}', { filename: hit.filename })}
          aria-pressed={selected}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onPick(index, { ctrlKey: true, shiftKey: event.shiftKey } as MouseEvent);
          }}
        >
          {selected && <Check size={14} aria-hidden />}
        </button>
        {hit.duration ? (
          <span className={s.badge}>
            {hit.file_category === 'audio' ? <AudioLines size={12} aria-hidden /> : <Play size={12} aria-hidden />}
            {formatTimecode(hit.duration)}
          </span>
        ) : RAW.has(hit.extension ?? '') ? (
          <span className={s.badge}>RAW</span>
        ) : null}
      </div>
      {!phone && (
        <>
          <div className={s.name}>
            <CategoryIcon category={hit.file_category} labelled />
            <MiddleEllipsis name={hit.filename} marks={nameMarks(hit, words)} />
          </div>
          <div className={s.meta}>
            <span>{formatBytes(hit.size)}</span>
            <span>{underMonth ? formatDayMonth(hit.mtime) : formatShortDate(hit.mtime)}</span>
          </div>
        </>
      )}
    </div>
  );
});
