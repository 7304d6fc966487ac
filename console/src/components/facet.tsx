import { memo, type ReactNode } from 'react';
import { formatCount } from '../format/numbers.ts';
import { inSentence, t } from '../language/text.ts';
import { LinkButton } from './button.tsx';
import s from './facet.module.css';

export function FacetSection({ title, onClear, children }: { title: string; onClear?: (() => void) | undefined; children: ReactNode }) {
  return (
    <section className={s.section} aria-label={title} data-list>
      <div className={s.head}>
        <h2>{title}</h2>
        {onClear && (
          <LinkButton onClick={onClear} aria-label={t('Clear {what}', { what: inSentence(title) })}>
            {t('Clear')}
          </LinkButton>
        )}
      </div>
      {children}
    </section>
  );
}

interface FacetRowProps {
  value: string;
  label: string;
  icon?: ReactNode;
  count: number;
  /** The length of the bar, from 0 to 1 for the largest count in the group. */
  share: number;
  checked: boolean;
  onToggle: (value: string, checked: boolean) => void;
}

export const shareOf = (count: number, max: number): number => (max > 0 ? count / max : 0);

/** A filter value with its count and a bar behind the label. Values with zero files stay visible. Memoized, because most counts stay zero while somebody types. */
export const FacetRow = memo(function FacetRow(props: FacetRowProps) {
  const { share } = props;
  return (
    <label className={s.row} data-row data-on={props.checked} data-zero={props.count === 0} data-icon={Boolean(props.icon)}>
      {share > 0 && <span className={s.bar} style={{ width: `calc(${(share * 100).toFixed(1)}% - ${(share * 28).toFixed(1)}px)` }} />}
      <input
        type="checkbox"
        className="tick"
        checked={props.checked}
        onChange={(event) => props.onToggle(props.value, event.currentTarget.checked)}
      />
      {props.icon && <span className={s.icon}>{props.icon}</span>}
      <bdi className={`${s.label} cut`} title={props.label}>
        {props.label}
      </bdi>
      <span className={s.count}>{formatCount(props.count)}</span>
    </label>
  );
});
