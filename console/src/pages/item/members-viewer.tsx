import { TextInput } from '@mantine/core';
import { ChevronDown, ChevronRight, Folder, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Item } from '../../api/types.ts';
import { classNames } from '../../components/button.tsx';
import { findRanges, Highlighted } from '../../components/highlight.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { baseName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { membersTree, type TreeFolder } from './members-tree.ts';
import s from './preview.module.css';
import { type ArchiveMember, archiveMembers } from './preview-kind.ts';

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
            aria-label={t('Find in archive')}
            placeholder={t('Find in {members|# entry|# entries}', { members: members.length })}
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {!small && needle === '' && members.some((one) => one.name.includes('/')) ? (
          <MembersTree members={members} words={words} />
        ) : (
          <ul aria-label={t('Contents')} {...(shown.length > 0 && readOnlyListProps)}>
            {shown.map((one) => (
              <li key={one.name}>
                <bdi className="mono cut" title={one.name}>
                  <Highlighted text={one.name} marks={findRanges(one.name, needle ? [needle] : words)} />
                </bdi>
                {one.size !== null && <span className="meta muted nw">{formatBytes(one.size)}</span>}
              </li>
            ))}
          </ul>
        )}
        {needle !== '' && shown.length === 0 && <p className={s.membersEnd}>{t('No entries match “{typed}”.', { typed: typed.trim() })}</p>}
        {needle === '' && total > shown.length && (
          <p className={s.membersEnd}>
            {small
              ? t('{n|# more entry|# more entries}', { n: total - shown.length })
              : t('Showing {shown} of {total|# entry|# entries}.', { shown: shown.length, total })}
          </p>
        )}
      </div>
    </div>
  );
}

/** A folder with more entries than this starts closed. */
const OPEN_UP_TO = 50;
/** Of each folder, at most this many files are listed. */
const MAX_LISTED = 500;

/** The entries as folders that open and close. */
function MembersTree({ members, words }: { members: readonly ArchiveMember[]; words: string[] }) {
  const top = useMemo(() => membersTree(members), [members]);
  return (
    <ul aria-label={t('Contents')} className={s.tree}>
      <FolderEntries folder={top} depth={0} words={words} />
    </ul>
  );
}

function FolderEntries({ folder, depth, words }: { folder: TreeFolder<ArchiveMember>; depth: number; words: string[] }) {
  const indent = { paddingInlineStart: 16 + depth * 20 };
  return (
    <>
      {[...folder.folders.values()].map((one) => (
        <FolderRow key={one.path} folder={one} depth={depth} words={words} />
      ))}
      {folder.files.slice(0, MAX_LISTED).map((file) => (
        <li key={file.name}>
          <span className={s.entry} style={indent}>
            <bdi className="mono cut" title={file.name}>
              <Highlighted text={baseName(file.name)} marks={findRanges(baseName(file.name), words)} />
            </bdi>
            {file.size !== null && <span className="meta muted nw">{formatBytes(file.size)}</span>}
          </span>
        </li>
      ))}
      {folder.files.length > MAX_LISTED && (
        <li className={s.membersEnd}>
          {t('{files|# more entry|# more entries}. Use the search field.', { files: folder.files.length - MAX_LISTED })}
        </li>
      )}
    </>
  );
}

function FolderRow({ folder, depth, words }: { folder: TreeFolder<ArchiveMember>; depth: number; words: string[] }) {
  const [open, setOpen] = useState(depth === 0 && folder.count <= OPEN_UP_TO);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li>
      <button
        type="button"
        className={s.entry}
        style={{ paddingInlineStart: 16 + depth * 20 }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Chevron size={14} aria-hidden />
        <Folder size={14} aria-hidden />
        <bdi className="cut">{folder.name}</bdi>
        <span className="meta muted nw">{t('{n|# file|# files}', { n: folder.count })}</span>
      </button>
      {open && (
        <ul>
          <FolderEntries folder={folder} depth={depth + 1} words={words} />
        </ul>
      )}
    </li>
  );
}
