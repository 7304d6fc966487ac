import { useState } from 'react';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Marked } from '../../parts/marked.tsx';
import s from './inspector.module.css';
import type { Match } from './matches.ts';

const SHORT = 6;
const STEP = 100;

/** Every place of the searched words, each with a little of the text around it. */
export function MatchList({ matches, match, onMatch }: { matches: Match[]; match: number | null; onMatch: (index: number) => void }) {
  const [shown, setShown] = useState(SHORT);
  const list = matches.slice(0, Math.max(shown, (match ?? 0) + 1));
  const left = matches.length - list.length;
  return (
    <div style={{ padding: '8px 0' }} data-list>
      {list.map((one, i) => (
        <button key={one.at} type="button" data-row className={s.match} aria-current={i === match} onClick={() => onMatch(i)}>
          <span className={s.page}>{one.page ? `p. ${one.page}` : i + 1}</span>
          <span className="anywhere">
            … <Marked text={one.text} marks={one.marks} /> …
          </span>
        </button>
      ))}
      {left > 0 && (
        <Button data-row variant="ghost" size="s" style={{ margin: '4px 8px' }} onClick={() => setShown(list.length + STEP)}>
          Show {left > STEP ? `${STEP} of ${counted(left, 'more match', 'more matches')}` : `${left} more`}
        </Button>
      )}
    </div>
  );
}
