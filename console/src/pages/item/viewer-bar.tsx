import { ChevronDown, ChevronUp, Eye, Text, TextSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { count } from '../../format/numbers.ts';
import { IconButton, join } from '../../parts/button.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import s from './viewer-bar.module.css';
import type { Reading } from './use-reading.ts';
import { LOOK_WORDS, type Look } from './viewer.ts';

/** The controls that float over a file: what belongs together stands between two lines. */
export function ViewerBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={s.bar} role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}

export function BarGroup({ children, zoom = false }: { children: ReactNode; zoom?: boolean }) {
  return <div className={join(s.group, zoom && s.zoom)}>{children}</div>;
}

/** Which match is shown, and the way to the next. */
export function MatchGroup({ reading }: { reading: Reading }) {
  if (reading.matches.length === 0) return null;
  return (
    <BarGroup>
      <TextSearch size={16} aria-hidden className={s.spare} />
      <span className={s.count} role="status" aria-label={`Match ${reading.match + 1} of ${reading.matches.length}`}>
        <b className="b">{count(reading.match + 1)}</b> <span className="muted">of {count(reading.matches.length)}</span>
      </span>
      <IconButton label="Previous match" onClick={() => reading.step(-1)}>
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label="Next match" onClick={() => reading.step(1)}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
    </BarGroup>
  );
}

export type Side = 'look' | 'text';

/** Look at the file, or read its words. */
export function SideGroup({ look, side, onSide }: { look: Look; side: Side; onSide: (side: Side) => void }) {
  return (
    <BarGroup>
      <Segmented<Side>
        label="Show as"
        value={side}
        onChange={onSide}
        options={[
          { value: 'look', label: LOOK_WORDS[look], icon: Eye },
          { value: 'text', label: 'Text', icon: Text },
        ]}
      />
    </BarGroup>
  );
}
