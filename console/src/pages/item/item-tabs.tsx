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
import { formatBytes, pluralize } from '../../format/numbers.ts';
import { baseName, parentFolder, visibleName } from '../../format/paths.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { compareHref, MAX_COMPARED } from '../compare/limits.ts';
import s from './inspector.module.css';
import type { TextMatch } from './use-text-matches.ts';

export function useCopies(id: string) {
  return useQuery({ queryKey: ['item', id, 'copies'], queryFn: () => catalog.itemCopies(id), staleTime: 30_000, enabled: id !== '' });
}

export function CopiesTab({ item }: { item: Item }) {
  const copies = useCopies(item.id);
  if (copies.error) return <ErrorState error={copies.error} retry={() => void copies.refetch()} />;
  if (!copies.data) return <Loading what="copies" />;
  const others = copies.data.copies.filter((copy) => copy.id !== item.id);
  if (others.length === 0)
    return (
      <div className={`${s.section} row g2 wrap`} style={{ border: 0 }}>
        <StatusText tone="warn" icon={Files}>
          Only copy
        </StatusText>
        <span className="t2">No identical file in any library.</span>
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
          <span className="muted meta">Last seen {formatDate(copy.last_seen)}</span>
        </li>
      ))}
      <li>
        <TextLink href={`#${compareHref([item.id, ...others.map((copy) => copy.id)].slice(0, MAX_COMPARED))}`}>
          Compare, and see which one to keep
        </TextLink>
      </li>
      {copies.data.capped && <li className="muted">Not all copies are shown.</li>}
    </ul>
  );
}

export function useHistory(id: string) {
  return useQuery({ queryKey: ['item', id, 'history'], queryFn: () => catalog.itemHistory(id), staleTime: 10_000, enabled: id !== '' });
}

const formatValue = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'empty'
    : Array.isArray(value)
      ? value.join(', ') || 'empty'
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** A history entry as a sentence, such as "ada added tag final". */
export function historySentence(version: ItemVersion): string {
  const who = version.actor ?? (version.source === 'user' ? 'Someone' : version.source === 'sidecar' ? 'A sidecar' : 'Catalog');
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
        ...(added.length ? [`added ${added.length === 1 ? 'tag' : 'tags'} ${added.join(', ')}`] : []),
        ...(removed.length ? [`removed ${removed.length === 1 ? 'tag' : 'tags'} ${removed.join(', ')}`] : []),
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
                ? 'edited the note'
                : 'added a note'
              : 'removed the note'
            : `set ${k} to ${formatValue(has[k])}`,
        );
    }
    return [`changed ${field.replaceAll('_', ' ')} from ${formatValue(before)} to ${formatValue(after)}`];
  });
  return words.length ? `${who} ${words.join(', ')}` : `${who} saved without changes`;
}

export function HistoryTab({ item }: { item: Item }) {
  const history = useHistory(item.id);
  if (history.error) return <ErrorState error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loading what="history" />;
  if (history.data.length === 0)
    return <p className={`${s.section} muted`}>No changes since the file was first seen {formatRecent(item.first_seen)}.</p>;
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
      <span style={{ position: 'absolute', right: 8, top: 8 }}>
        <CopyButton text={text} label="Copy JSON" />
      </span>
      <pre className={s.raw} role="region" tabIndex={0} aria-label={`Raw record, ${pluralize(text.length, 'character')}`}>
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
          <span className={s.page}>{one.page ? `p. ${one.page}` : i + 1}</span>
          <span className="anywhere">
            … <Highlighted text={one.text} marks={one.marks} /> …
          </span>
        </button>
      ))}
      {left > 0 && (
        <Button data-row variant="ghost" size="s" style={{ margin: '4px 8px' }} onClick={() => setShown(list.length + MORE_MATCHES)}>
          Show {left > MORE_MATCHES ? `${MORE_MATCHES} of ${pluralize(left, 'more match', 'more matches')}` : `${left} more`}
        </Button>
      )}
    </div>
  );
}

const BASIS = { words: 'Based on shared words.', meaning: 'Based on meaning.' } as const;

/** Similar files, the most similar first. */
export function SimilarTab({ id }: { id: string }) {
  const similar = useQuery({ queryKey: ['item', id, 'similar'], queryFn: () => catalog.similarItems(id), staleTime: 60_000, retry: false });
  if (similar.error) return <ErrorState error={similar.error} retry={() => void similar.refetch()} />;
  if (!similar.data) return <Loading what="similar files" />;
  if (similar.data.hits.length === 0) return <p className={s.similarLead}>No similar files.</p>;
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
