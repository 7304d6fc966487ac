import { splitName, visibleName } from '../format/paths.ts';
import { clipRanges, Highlighted, type MatchRange } from './highlight.tsx';
import s from './middle-ellipsis.module.css';

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A file name that is shortened in the middle, so that its end and extension stay visible. */
export function MiddleEllipsis({ name: stored, marks }: { name: string; marks?: MatchRange[] | undefined }) {
  const name = visibleName(stored);
  // Two elements would swap the halves of a right-to-left name, so such a name is shortened at its end.
  if (RIGHT_TO_LEFT.test(name))
    return (
      <bdi className="cut" title={name}>
        <Highlighted text={name} marks={marks ?? []} />
      </bdi>
    );
  const [head, tail] = splitName(name);
  return (
    <bdi className={s.name} title={name}>
      <span className={s.head}>
        <Highlighted text={head} marks={clipRanges(marks, 0, head.length)} />
      </span>
      {tail && (
        <span className={s.tail}>
          <Highlighted text={tail} marks={clipRanges(marks, head.length, name.length)} />
        </span>
      )}
    </bdi>
  );
}
