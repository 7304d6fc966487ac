import type { Item, ItemPermissions } from '../../api/types.ts';
import { LinkButton } from '../../components/button.tsx';
import { formatDate, formatShortDate } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { AccessCompare } from './access-compare.tsx';
import { Diff, effect, placeWords } from './access-diff.tsx';
import a from './access-tab.module.css';
import s from './inspector.module.css';

interface AccessHistoryProps {
  data: ItemPermissions;
  item: Item;
  comparing: boolean;
  onCompare: (comparing: boolean) => void;
}

/** How access has changed, newest first. */
export function AccessHistory({ data, item, comparing, onCompare }: AccessHistoryProps) {
  return (
    <div className={s.section}>
      <div className={s.sectionHead}>
        <h3>{t('Access history')}</h3>
        <span className="grow" />
        <LinkButton aria-expanded={comparing} onClick={() => onCompare(!comparing)}>
          {t('Compare two dates')}
        </LinkButton>
      </div>
      {comparing && <AccessCompare item={item} />}
      {data.history.length === 0 ? (
        <p className="muted">
          {t('Access has not changed since the file was first seen on {first_seen}.', { first_seen: formatShortDate(item.first_seen) })}
        </p>
      ) : (
        <ol className={a.history}>
          {data.history.map((change) => (
            <li key={`${change.changed_at} ${change.folder ?? ''} ${change.summary}`}>
              <span className="muted">{formatDate(change.changed_at)}</span>
              <div>
                <p>{placeWords(change.folder)}</p>
                <Diff lines={change.lines} owner={change.owner} />
                <p className="muted">{effect(change.gained, change.lost)}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
