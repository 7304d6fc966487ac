import { useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { Item, ItemVersion } from '../../api/types.ts';
import { date, moment } from '../../format/dates.ts';
import { bytes, counted } from '../../format/numbers.ts';
import { folderOf, nameOf } from '../../format/paths.ts';
import { TextLink } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { StatusText } from '../../parts/status.tsx';
import { readListKeys } from '../../shell/list-keys.ts';
import s from './inspector.module.css';

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
        <span className="t2">No other library holds these bytes.</span>
      </div>
    );
  return (
    <ul className={s.rows} data-list>
      {others.map((copy) => (
        <li key={copy.id}>
          <TextLink href={`#/item/${copy.id}`} className="cut">
            {nameOf(copy.rel_path)}
          </TextLink>
          <span className="muted meta">{bytes(copy.size)}</span>
          <bdi className="mono muted cut">
            {copy.library_name}/{folderOf(copy.rel_path)}
          </bdi>
          <span className="muted meta">seen {date(copy.last_seen)}</span>
        </li>
      ))}
      {copies.data.capped && <li className="muted">More copies exist than are listed here.</li>}
    </ul>
  );
}

export function useHistory(id: string) {
  return useQuery({ queryKey: ['item', id, 'history'], queryFn: () => catalog.itemHistory(id), staleTime: 10_000, enabled: id !== '' });
}

const show = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'nothing'
    : Array.isArray(value)
      ? value.join(', ') || 'nothing'
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** One line of history in words. */
export function historyWords(version: ItemVersion): string {
  const who = version.actor ?? (version.source === 'user' ? 'somebody' : version.source === 'sidecar' ? 'a sidecar' : 'extraction');
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
        .map((k) => (k === 'note' ? (has[k] ? 'wrote a note' : 'removed the note') : `set ${k} to ${show(has[k])}`));
    }
    return [`changed ${field.replaceAll('_', ' ')} from ${show(before)} to ${show(after)}`];
  });
  return words.length ? `${who} ${words.join(', ')}` : `${who} saved without a change`;
}

export function HistoryTab({ item }: { item: Item }) {
  const history = useHistory(item.id);
  if (history.error) return <ErrorState error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loading what="history" />;
  if (history.data.length === 0)
    return <p className={`${s.section} muted`}>No change since it was first seen {moment(item.first_seen)}.</p>;
  return (
    <dl className={s.history} {...readListKeys}>
      {history.data.map((version) => (
        <div key={version.id} style={{ display: 'contents' }}>
          <dt>{date(version.at)}</dt>
          <dd className="anywhere" data-row>
            {historyWords(version)}
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
        <CopyButton text={text} label="Copy all as JSON" />
      </span>
      <pre className={s.raw} role="region" tabIndex={0} aria-label={`Raw record, ${counted(text.length, 'character')}`}>
        {text}
      </pre>
    </div>
  );
}
