import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Item } from '../../api/types.ts';
import { classNames } from '../../components/button.tsx';
import { findRanges, Highlighted } from '../../components/highlight.tsx';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import s from './preview.module.css';
import { archiveMembers } from './preview-kind.ts';

/** Entries shown in the inspector. */
const SMALL_LIMIT = 12;
/** From this many entries on, there is a search field. */
const SEARCH_FROM = 20;

/** The names and sizes of the entries of an archive. */
export function MembersViewer({ item, words, small }: { item: Item; words: string[]; small: boolean }) {
  const { members, total } = useMemo(() => archiveMembers(item), [item]);
  const [typed, setTyped] = useState('');
  const needle = typed.trim().toLowerCase();
  const shown = (needle ? members.filter((one) => one.name.toLowerCase().includes(needle)) : members).slice(
    0,
    small ? SMALL_LIMIT : undefined,
  );
  return (
    <div className={classNames(s.scroll, small && s.small)}>
      <div className={s.members}>
        {!small && members.length > SEARCH_FROM && (
          <TextInput
            m={12}
            aria-label="Find in archive"
            placeholder={`Find in ${formatCount(members.length)} entries`}
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <ul aria-label="Contents" {...(shown.length > 0 && readOnlyListProps)}>
          {shown.map((one) => (
            <li key={one.name}>
              <bdi className="mono cut" title={one.name}>
                <Highlighted text={one.name} marks={findRanges(one.name, needle ? [needle] : words)} />
              </bdi>
              {one.size !== null && <span className="meta muted nw">{formatBytes(one.size)}</span>}
            </li>
          ))}
        </ul>
        {needle !== '' && shown.length === 0 && <p className={s.membersEnd}>No entries match “{typed.trim()}”.</p>}
        {needle === '' && total > shown.length && (
          <p className={s.membersEnd}>
            {small
              ? pluralize(total - shown.length, 'more entry', 'more entries')
              : `Showing ${formatCount(shown.length)} of ${pluralize(total, 'entry', 'entries')}.`}
          </p>
        )}
      </div>
    </div>
  );
}
