import { t } from '../../language/text.ts';
import s from './group-dialog.module.css';
import { labelOf, type PolicyChange, policyText } from './policy-values.ts';

/** What changes, with the value before and after. */
export function PolicyDiff({ changes }: { changes: readonly PolicyChange[] }) {
  if (changes.length === 0) return <p className="t2">{t('Nothing changes.')}</p>;
  return (
    <dl className={s.diff}>
      {changes.map(({ key, before, after }) => (
        <div key={key}>
          <dt>{labelOf(key)}</dt>
          <dd className={s.removed}>
            <span aria-hidden>−</span> <span className="visually-hidden">{t('Before:')}</span> {policyText(key, before) ?? t('not set')}
          </dd>
          <dd className={s.added}>
            <span aria-hidden>+</span> <span className="visually-hidden">{t('After:')}</span> {policyText(key, after) ?? t('not set')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
