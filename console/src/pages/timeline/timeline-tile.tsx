import { Check, Play } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatTimecode } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { useDeferredHit } from '../search/use-deferred-hit.ts';
import { ratioOf } from './timeline-months.ts';
import s from './timeline-page.module.css';

interface TileProps {
  hit: SearchHit;
  index: number;
  /** "Wed 14" on the first picture of a day. */
  day: string;
  selected: boolean;
  current: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
}

/** One picture of the timeline. */
export const TimelineTile = memo(function TimelineTile({ hit: known, index, day, selected, current, onPick, onOpen }: TileProps) {
  const hit = useDeferredHit(known, index);
  return (
    <div
      className={s.tile}
      style={{ flexGrow: ratioOf(known) }}
      id={`tile-${index}`}
      role="gridcell"
      aria-selected={selected}
      data-selected={selected}
      data-current={current}
      title={visibleName(known.filename)}
      onClick={(event) => onPick(index, event)}
      onDoubleClick={() => onOpen(index)}
    >
      {hit && (
        <Thumb
          id={hit.id}
          available={hit.has_thumb}
          version={thumbVersion(hit)}
          inList
          category={hit.file_category}
          iconSize={32}
          missing={hit.status === 'missing'}
          alt={visibleName(hit.filename)}
        />
      )}
      {day && <span className={s.day}>{day}</span>}
      <button
        type="button"
        className={s.check}
        aria-label={t(selected ? 'Deselect {filename}' : 'Select {filename}', { filename: visibleName(known.filename) })}
        aria-pressed={selected}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          onPick(index, { ctrlKey: true, shiftKey: event.shiftKey } as MouseEvent);
        }}
      >
        {selected && <Check size={14} aria-hidden />}
      </button>
      {known.duration ? (
        <span className={s.badge}>
          <Play size={12} aria-hidden />
          {formatTimecode(known.duration)}
        </span>
      ) : null}
    </div>
  );
});
