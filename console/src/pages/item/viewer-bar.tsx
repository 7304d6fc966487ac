import { ChevronDown, ChevronUp, Eye, Text, TextSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { IconButton, classNames } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import s from './viewer-bar.module.css';
import type { Reading } from './use-text-matches.ts';
import { LOOK_WORDS, type Look } from './preview-kind.ts';

/** The controls that float over a file: what belongs together stands between two lines. */
export function ViewerBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={s.bar} role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}

export function BarGroup({ children, zoom = false }: { children: ReactNode; zoom?: boolean }) {
  return <div className={classNames(s.group, zoom && s.zoom)}>{children}</div>;
}

/** Which match is shown, and the way to the next. */
export function MatchGroup({ reading }: { reading: Reading }) {
  if (reading.matches.length === 0) return null;
  return (
    <BarGroup>
      <TextSearch size={16} aria-hidden className={s.spare} />
      <span className={s.count} role="status" aria-label={`Match ${reading.match + 1} of ${reading.matches.length}`}>
        <b className="b">{formatCount(reading.match + 1)}</b> <span className="muted">of {formatCount(reading.matches.length)}</span>
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
