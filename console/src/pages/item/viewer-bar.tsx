import { ChevronDown, ChevronUp, Eye, Text, TextSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames, IconButton } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { PREVIEW_LABELS, type PreviewKind } from './preview-kind.ts';
import type { TextMatches } from './use-text-matches.ts';
import s from './viewer-bar.module.css';

/** The toolbar over a preview. */
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

/** The number of the current match, and buttons for the next and previous one. */
export function MatchNavigation({ textMatches }: { textMatches: TextMatches }) {
  if (textMatches.matches.length === 0) return null;
  return (
    <BarGroup>
      <TextSearch size={16} aria-hidden className={s.spare} />
      <span
        className={s.count}
        role="status"
        aria-label={t('Match {match} of {matches}', { match: textMatches.match + 1, matches: textMatches.matches.length })}
      >
        <b className="b">{formatCount(textMatches.match + 1)}</b>{' '}
        <span className="muted">{t('of {matches}', { matches: textMatches.matches.length })}</span>
      </span>
      <IconButton label={t('Previous match')} onClick={() => textMatches.step(-1)}>
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('Next match')} onClick={() => textMatches.step(1)}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
    </BarGroup>
  );
}

export type PreviewMode = 'preview' | 'text';

/** Switches between the preview and the text of a file. */
export function PreviewModeSwitch({ kind, mode, onMode }: { kind: PreviewKind; mode: PreviewMode; onMode: (mode: PreviewMode) => void }) {
  return (
    <BarGroup>
      <Segmented<PreviewMode>
        label={t('Show as')}
        value={mode}
        onChange={onMode}
        options={[
          { value: 'preview', label: PREVIEW_LABELS[kind], icon: Eye },
          { value: 'text', label: t('Text'), icon: Text },
        ]}
      />
    </BarGroup>
  );
}
