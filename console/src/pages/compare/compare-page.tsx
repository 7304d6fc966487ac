import { useQueries, useQuery } from '@tanstack/react-query';
import { ArrowLeft, CircleAlert, CircleCheck } from 'lucide-react';
import { useSearch } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import { cleanupPlan, duplicateCopies } from '../../api/duplicates.ts';
import type { Item } from '../../api/types.ts';
import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { visibleName } from '../../format/paths.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { decisionWords } from '../duplicates/rule-words.ts';
import { useLibraries } from '../search/use-libraries.ts';
import s from './compare-page.module.css';
import { ComparePictures, letterOf } from './compare-pictures.tsx';
import { CompareText } from './compare-text.tsx';
import { type ComparedFact, compareFacts, equalContentKey } from './differences.ts';
import { MAX_COMPARED } from './limits.ts';

const VISUAL = new Set(['image', 'video', 'three-d-cad']);

/** Two to four files side by side: pictures, text, and the facts that differ. */
export default function ComparePage() {
  usePageTitle(t('Compare'));
  const ids = [...new Set(new URLSearchParams(useSearch()).getAll('id'))].slice(0, MAX_COMPARED);
  const { libraries } = useLibraries();
  const found = useQueries({ queries: ids.map((id) => ({ queryKey: ['item', id], queryFn: () => catalog.item(id), staleTime: 30_000 })) });
  const failed = found.find((one) => one.error && !one.data);
  if (ids.length < 2)
    return (
      <EmptyState wholePage title={t('Nothing to compare')} actions={<ButtonLink href="#/">{t('Go to search')}</ButtonLink>}>
        {t('Select two to four files in a list, then choose Compare.')}
      </EmptyState>
    );
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />;
  const items = found.flatMap((one) => one.data ?? []);
  if (items.length < ids.length) return <Loading what={t('the files')} />;
  const facts = compareFacts(items, (id) => libraries?.find((one) => one.id === id)?.name ?? '…');
  const differing = facts.filter((fact) => fact.differs).length;
  const [a, b] = items;
  return (
    <div className={s.page}>
      <header className={s.head}>
        <ButtonLink variant="ghost" href="#/" onClick={(event) => goBack(event)}>
          <ArrowLeft size={16} aria-hidden />
          {t('Back')}
        </ButtonLink>
        <h1 className="h2">{t('Compare {items|# file|# files}', { items: items.length })}</h1>
        <span className="muted">
          {t('{differing|# differs|# differ}, {same|# is the same|# are the same}', { differing, same: facts.length - differing })}
        </span>
      </header>
      {items.every((item) => VISUAL.has(item.file_category)) && <ComparePictures items={items} />}
      <KeepAdvice items={items} />
      <FactTable items={items} facts={facts} />
      {a && b && items.length === 2 && items.every((item) => !VISUAL.has(item.file_category)) && equalContentKey(items) === null && (
        <CompareText items={[a, b]} />
      )}
    </div>
  );
}

function goBack(event: React.MouseEvent): void {
  if (history.length < 2) return;
  event.preventDefault();
  history.back();
}

/** For copies of one file: which one the cleanup plan keeps, and why. */
function KeepAdvice({ items }: { items: readonly Item[] }) {
  const key = equalContentKey(items);
  const { libraries } = useLibraries();
  const copies = useQuery({
    queryKey: ['duplicates', 'copies', key],
    queryFn: () => duplicateCopies(key ?? ''),
    enabled: key !== null,
    retry: false,
  });
  const plan = useQuery({ queryKey: ['duplicates', 'plan'], queryFn: cleanupPlan, enabled: key !== null, retry: false });
  if (key === null) return null;
  const kept = copies.data?.copies.find((copy) => copy.action === 'keep');
  const index = kept ? items.findIndex((item) => item.id === kept.item_id) : -1;
  return (
    <div className={s.advice}>
      <Note tone="ok" icon={CircleCheck}>
        {key.startsWith('q')
          ? t('Probably identical: size and samples of the content are equal.')
          : t('Identical. Every byte was compared.')}{' '}
        {kept && plan.data && (
          <>
            {rich('Keep {copy} – {reason}.', {
              copy: index >= 0 ? <b>{letterOf(index)}</b> : <bdi className="mono">{`${kept.library}/${kept.rel_path}`}</bdi>,
              reason: decisionWords(kept.decided_by, plan.data.rules, libraries ?? []),
            })}{' '}
          </>
        )}
        {t('Nothing is deleted here.')} <a href="#/reports/duplicates">{t('Change the rules')}</a>
      </Note>
    </div>
  );
}

/** A hash says enough with its first digits; the tooltip has all of them. */
const shortened = (value: string | null | undefined): string | null => value?.replace(/^([0-9a-f]{16})[0-9a-f]{16,}$/, '$1…') ?? null;

/** Two files have their facts left and right of the labels; more have a column each. */
function FactTable({ items, facts }: { items: readonly Item[]; facts: readonly ComparedFact[] }) {
  const two = items.length === 2;
  const order = two ? [0, null, 1] : [null, ...items.keys()];
  return (
    <div className={s.scroll}>
      <table className={s.facts} data-two={two}>
        <thead>
          <tr>
            {order.map((index) =>
              index === null ? (
                <th key="label" scope="col">
                  <span className="visually-hidden">{t('Fact')}</span>
                </th>
              ) : (
                <th key={items[index]?.id} scope="col">
                  <span className={s.letter}>{letterOf(index)}</span>{' '}
                  <a href={`#/item/${items[index]?.id}`}>
                    <bdi>{visibleName(items[index]?.filename ?? '')}</bdi>
                  </a>
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {facts.map((fact) => (
            <tr key={fact.label} data-differs={fact.differs}>
              {order.map((index) =>
                index === null ? (
                  <th key="label" scope="row">
                    {fact.differs ? (
                      <StatusText tone="warn" icon={CircleAlert}>
                        {fact.label}
                        <span className="visually-hidden"> {t('differs')}</span>
                      </StatusText>
                    ) : (
                      fact.label
                    )}
                  </th>
                ) : (
                  <td key={items[index]?.id} className="anywhere" title={fact.values[index] ?? undefined}>
                    {shortened(fact.values[index]) ?? <span className="muted">{t('None')}</span>}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
