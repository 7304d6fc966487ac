import { t } from '../language/text.ts';
import s from './skeleton.module.css';

type Layout = 'search' | 'browse' | 'item' | 'page';

const LAYOUTS: readonly [RegExp, Layout][] = [
  [/^\/(search|passages)?$/, 'search'],
  [/^\/browse/, 'browse'],
  [/^\/item/, 'item'],
];

export const layoutOf = (path: string): Layout => LAYOUTS.find(([pattern]) => pattern.test(path))?.[1] ?? 'page';

/** Grey shapes in the layout of a page that is loading, so that what is there later takes their places. */
export function Skeleton({ layout, what }: { layout: Layout; what: string }) {
  return (
    <div className={s.page} data-skeleton={layout} role="status" aria-busy>
      <span className="visually-hidden">{t('Loading {what}…', { what })}</span>
      {layout === 'page' ? (
        <div className={s.cards}>
          <i className={s.title} />
          <i className={s.card} />
          <i className={s.card} />
        </div>
      ) : (
        <>
          {layout === 'item' ? <i className={s.bar} /> : <SkeletonHead />}
          <div className={s.cols}>
            {layout !== 'item' && <i className={s.side} data-wide={layout === 'browse'} />}
            {layout === 'item' ? <SkeletonFile /> : <SkeletonRows />}
          </div>
        </>
      )}
    </div>
  );
}

function SkeletonHead() {
  return (
    <>
      <div className={s.top}>
        <i className={s.box} />
      </div>
      <i className={s.strip} />
    </>
  );
}

/** The rows of a list of files. */
export function SkeletonRows() {
  return <i className={s.rows} data-skeleton="rows" aria-busy />;
}

/** The preview of a file with its details beside it. */
export function SkeletonFile() {
  return (
    <>
      <i className={s.stage} data-skeleton="file" aria-busy />
      <i className={s.details} />
    </>
  );
}
