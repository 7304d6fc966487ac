import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Item } from '../../api/types.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { classNames } from '../../components/button.tsx';
import { findRanges, Highlighted } from '../../components/highlight.tsx';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import s from './preview.module.css';
import { archiveMembers } from './preview-kind.ts';

const SMALL = 12;
const MANY = 20;

/** What lies in an archive: names, sizes, and a field to find one among many. */
export function MembersViewer({ item, words, small }: { item: Item; words: string[]; small: boolean }) {
  const { members, total } = useMemo(() => archiveMembers(item), [item]);
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const shown = (wanted ? members.filter((one) => one.name.toLowerCase().includes(wanted)) : members).slice(0, small ? SMALL : undefined);
  return (
    <div className={classNames(s.scroll, small && s.small)}>
      <div className={s.members}>
        {!small && members.length > MANY && (
          <TextInput
            m={12}
            aria-label="Find a member"
            placeholder={`Find among ${formatCount(members.length)} members`}
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <ul aria-label="Members" {...(shown.length > 0 && readOnlyListProps)}>
          {shown.map((one) => (
            <li key={one.name}>
              <bdi className="mono cut" title={one.name}>
                <Highlighted text={one.name} marks={findRanges(one.name, wanted ? [wanted] : words)} />
              </bdi>
              {one.size !== null && <span className="meta muted nw">{formatBytes(one.size)}</span>}
            </li>
          ))}
        </ul>
        {wanted !== '' && shown.length === 0 && <p className={s.membersEnd}>No member has “{typed.trim()}” in its name.</p>}
        {wanted === '' && total > shown.length && (
          <p className={s.membersEnd}>
            {small
              ? `${pluralize(total - shown.length, 'more member')}`
              : `The catalog lists ${formatCount(shown.length)} of ${pluralize(total, 'member')}.`}
          </p>
        )}
      </div>
    </div>
  );
}
