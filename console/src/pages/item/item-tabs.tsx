import { useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Item, ItemVersion } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Highlighted } from '../../components/highlight.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatDate, formatRecent } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { baseName, parentFolder, visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { compareHref, MAX_COMPARED } from '../compare/limits.ts';
import s from './inspector.module.css';
import type { TextMatch } from './use-text-matches.ts';

export function useCopies(id: string) {
  return useQuery({ queryKey: ['item', id, 'copies'], queryFn: () => catalog.itemCopies(id), staleTime: 30_000, enabled: id !== '' });
}

export function CopiesTab({ item }: { item: Item }) {
  const copies = useCopies(item.id);
  if (copies.error && !copies.data) return <ErrorState error={copies.error} retry={() => void copies.refetch()} />;
  if (!copies.data) return <Loading what={t('copies')} />;
  const others = copies.data.copies.filter((copy) => copy.id !== item.id);
  if (others.length === 0)
    return (
      <div className={`${s.section} row g2 wrap`} style={{ border: 0 }}>
        <StatusText tone="warn" icon={Files}>
          {t('Only copy')}
        </StatusText>
        <span className="t2">{t('No identical file in any library.')}</span>
      </div>
    );
  return (
    <ul className={s.rows} data-list>
      {others.map((copy) => (
        <li key={copy.id}>
          <TextLink href={`#/item/${copy.id}`} className="cut">
            {baseName(copy.rel_path)}
          </TextLink>
          <span className="muted meta">{formatBytes(copy.size)}</span>
          <bdi className="mono muted cut">
            {copy.library_name}/{parentFolder(copy.rel_path)}
          </bdi>
          <span className="muted meta">{t('Last seen {last_seen}', { last_seen: formatDate(copy.last_seen) })}</span>
        </li>
      ))}
      <li>
        <TextLink href={`#${compareHref([item.id, ...others.map((copy) => copy.id)].slice(0, MAX_COMPARED))}`}>
          {t('Compare, and see which one to keep')}
        </TextLink>
      </li>
      {copies.data.capped && <li className="muted">{t('Not all copies are shown.')}</li>}
    </ul>
  );
}

export function useHistory(id: string) {
  return useQuery({ queryKey: ['item', id, 'history'], queryFn: () => catalog.itemHistory(id), staleTime: 10_000, enabled: id !== '' });
}

const formatValue = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? t('empty')
    : Array.isArray(value)
      ? value.join(', ') || t('empty')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** A history entry as a sentence, such as "ada added tag final". */
export function historySentence(version: ItemVersion): string {
  const who = version.actor ?? (version.source === 'user' ? t('Someone') : version.source === 'sidecar' ? t('A sidecar') : 'Catalog');
  const fields = [...new Set([...Object.keys(version.before), ...Object.keys(version.after)])].filter(
    (f) => JSON.stringify(version.before[f]) !== JSON.stringify(version.after[f]),
  );
  const words = fields.flatMap((field): string[] => {
    const before = version.before[field];
    const after = version.after[field];
    if (field === 'tags') {
      const had = Array.isArray(before) ? (before as string[]) : [];
      const has = Array.isArray(after) ? (after as string[]) : [];
      const added = has.filter((t) => !had.includes(t));
      const removed = had.filter((t) => !has.includes(t));
      return [
        ...(added.length ? [t('added {n|tag|tags} {tags}', { n: added.length, tags: added.join(', ') })] : []),
        ...(removed.length ? [t('removed {n|tag|tags} {tags}', { n: removed.length, tags: removed.join(', ') })] : []),
      ];
    }
    if (field === 'user_metadata') {
      const had = (before ?? {}) as Record<string, unknown>;
      const has = (after ?? {}) as Record<string, unknown>;
      return [...new Set([...Object.keys(had), ...Object.keys(has)])]
        .filter((k) => JSON.stringify(had[k]) !== JSON.stringify(has[k]))
        .map((k) =>
          k === 'note'
            ? has[k]
              ? had[k]
                ? t('edited the note')
                : t('added a note')
              : t('removed the note')
            : t('set {field} to {value}', { field: k, value: formatValue(has[k]) }),
        );
    }
    return [
      t('changed {field} from {before} to {after}', {
        field: field.replaceAll('_', ' '),
        before: formatValue(before),
        after: formatValue(after),
      }),
    ];
  });
  return words.length ? t('{who} {did}', { who, did: words.join(', ') }) : t('{who} saved without changes', { who });
}

export function HistoryTab({ item }: { item: Item }) {
  const history = useHistory(item.id);
  if (history.error && !history.data) return <ErrorState error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loading what={t('history')} />;
  if (history.data.length === 0)
    return (
      <p className={`${s.section} muted`}>
        {t('No changes since the file was first seen {first_seen}.', { first_seen: formatRecent(item.first_seen) })}
      </p>
    );
  return (
    <dl className={s.history} {...readOnlyListProps}>
      {history.data.map((version) => (
        <div key={version.id} style={{ display: 'contents' }}>
          <dt>{formatDate(version.at)}</dt>
          <dd className="anywhere" data-row>
            {historySentence(version)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function RawTab({ item }: { item: Item }) {
  const text = JSON.stringify(item, null, 2);
  return (
    <div style={{ position: 'relative' }}>
      <span style={{ position: 'absolute', insetInlineEnd: 8, top: 8 }}>
        <CopyButton text={text} label={t('Copy JSON')} />
      </span>
      <pre
        className={s.raw}
        role="region"
        tabIndex={0}
        aria-label={t('Raw record, {text|# character|# characters}', { text: text.length })}
      >
        {text}
      </pre>
    </div>
  );
}

const INITIAL_MATCHES = 6;
const MORE_MATCHES = 100;

/** All matches with some of the text around them. */
export function MatchList({ matches, match, onMatch }: { matches: TextMatch[]; match: number | null; onMatch: (index: number) => void }) {
  const [shown, setShown] = useState(INITIAL_MATCHES);
  const list = matches.slice(0, Math.max(shown, (match ?? 0) + 1));
  const left = matches.length - list.length;
  return (
    <div style={{ padding: '8px 0' }} data-list>
      {list.map((one, i) => (
        <button key={one.at} type="button" data-row className={s.match} aria-current={i === match} onClick={() => onMatch(i)}>
          <span className={s.page}>{one.page ? t('p. {page}', { page: one.page }) : i + 1}</span>
          <span className="anywhere">
            … <Highlighted text={one.text} marks={one.marks} /> …
          </span>
        </button>
      ))}
      {left > 0 && (
        <Button data-row variant="ghost" size="s" style={{ margin: '4px 8px' }} onClick={() => setShown(list.length + MORE_MATCHES)}>
          {left > MORE_MATCHES
            ? t('Show {shown} of {left|# more match|# more matches}', { shown: MORE_MATCHES, left })
            : t('Show {left} more', { left })}
        </Button>
      )}
    </div>
  );
}

const BASIS = { words: t('Based on shared words.'), meaning: t('Based on meaning.') } as const;

/** Similar files, the most similar first. */
export function SimilarTab({ id }: { id: string }) {
  const similar = useQuery({
    queryKey: ['item', id, 'similar'],
    queryFn: () => catalog.similarItems(id),
    staleTime: ({ state }) => (state.data?.pending ? 0 : 60_000),
    // The index usually takes over a change within seconds, but behind those of a large scan it can take minutes.
    refetchInterval: ({ state }) => (state.data?.pending && !state.error ? Math.min(2000 * state.dataUpdateCount, 30_000) : false),
    retry: false,
  });
  if (similar.error && !similar.data?.hits.length) return <ErrorState error={similar.error} retry={() => void similar.refetch()} />;
  if (!similar.data) return <Loading what={t('similar files')} />;
  if (similar.data.hits.length === 0)
    return (
      <p className={s.similarLead}>
        {similar.data.pending
          ? t('The search index is still taking over this file. Similar files appear here soon.')
          : t('No similar files.')}
      </p>
    );
  return (
    <>
      <p className={s.similarLead}>{BASIS[similar.data.by]}</p>
      <ul className={s.similarRows} data-list>
        {similar.data.hits.map((hit) => (
          <li key={hit.id}>
            <span className={s.similarThumb}>
              <Thumb id={hit.id} available={hit.has_thumb} version={thumbVersion(hit)} category={hit.file_category} iconSize={16} />
            </span>
            <span style={{ minWidth: 0 }}>
              <TextLink href={`#/item/${hit.id}`} className={s.similarName} title={hit.filename}>
                <bdi>{visibleName(hit.filename)}</bdi>
              </TextLink>
              <bdi className="mono muted cut" style={{ display: 'block' }}>
                {parentFolder(hit.rel_path)}
              </bdi>
            </span>
            <span className="meta muted num">
              {formatBytes(hit.size)}
              <br />
              {formatDate(hit.mtime)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
