import { Autocomplete, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { readableFolders, searchPrincipals } from '../../api/permissions.ts';
import { exportReport } from '../../api/reports.ts';
import type { ReadableFolder, ReadableFolders } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { formatDate, formatRecent, isoDay } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { ExportMenu } from '../reports/export-menu.tsx';
import { ChangesCard } from './changes-card.tsx';
import { FolderReason } from './folder-reason.tsx';
import { FolderTree } from './folder-tree.tsx';
import s from './permissions.module.css';
import { endOfDay, type Subject } from './subject.ts';

/** What a person or group can read on disk, today or on a past day: folders with counts and the reason. */
export default function PersonPage() {
  const params = new URLSearchParams(useSearch());
  const subject: Subject = {
    principal: params.get('principal') ?? '',
    right: params.get('right') === 'write' ? 'write' : 'read',
    on: endOfDay(params.get('on') ?? '').at ? (params.get('on') ?? '') : '',
  };
  const { principal, right, on } = subject;
  const top = useQuery({
    queryKey: ['readable-folders', subject],
    queryFn: () => readableFolders({ principal, right, ...endOfDay(on) }),
    enabled: principal !== '',
    retry: false,
  });
  // A folder stays selected only while the page is about the same person, right and day.
  const key = JSON.stringify(subject);
  const [selection, setSelection] = useState<{ row: ReadableFolder; key: string } | null>(null);
  const selected = selection?.key === key ? selection.row : null;
  const go = (change: Partial<Subject>) => {
    const next = { ...subject, ...change };
    navigate(`/reports/access?${new URLSearchParams(Object.entries(next).filter(([, value]) => value !== ''))}`);
  };
  const name = top.data?.principal.name ?? principal;
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={titleOf(subject, name)}
      lead={<Lead data={top.data} on={on} />}
      actions={
        <div className={s.actions}>
          <Segmented
            label={t('Kind of access')}
            value={right}
            options={[
              { value: 'read', label: t('Read') },
              { value: 'write', label: t('Change') },
            ]}
            onChange={(value) => go({ right: value })}
          />
          <TextInput
            type="date"
            aria-label={t('Day, empty for today')}
            value={on}
            max={isoDay(new Date(Date.now() - 86_400_000))}
            onChange={(event) => go({ on: event.currentTarget.value })}
          />
          {principal !== '' && right === 'read' && (
            <ExportMenu
              total={null}
              directUrl={(format) => `/api/v1/reports/permissions_readable_folders?${new URLSearchParams({ principal, format })}`}
              inBackground={(format) =>
                exportReport('permissions_readable_folders', { principal, format, ...(on ? { on: endOfDay(on).at ?? '' } : {}) })
              }
            />
          )}
        </div>
      }
    >
      <div className={s.cards}>
        <PersonCard key={principal} subject={subject} data={top.data} onChoose={(value) => go({ principal: value })} />
        {principal !== '' && (
          <div className={s.pair}>
            <FolderTree key={key} subject={subject} top={top} selected={selected} onSelect={(row) => setSelection({ row, key })} />
            <div className={s.cards}>
              {selected && <FolderReason row={selected} subject={subject} name={name} />}
              {top.data && <ChangesCard subject={subject} name={name} />}
            </div>
          </div>
        )}
      </div>
    </Page>
  );
}

function titleOf({ principal, right, on }: Subject, name: string): string {
  if (principal === '') return t('Who can read what');
  if (on) return right === 'read' ? t('What could {name} read?', { name }) : t('What could {name} change?', { name });
  return right === 'read' ? t('What can {name} read?', { name }) : t('What can {name} change?', { name });
}

function Lead({ data, on }: { data: ReadableFolders | undefined; on: string }) {
  if (!data) return t('Choose a person or group to see which files they can open on disk.');
  const { allowed, files, groups } = data;
  return (
    <>
      {groups.length
        ? t('{allowed} of {files|# file|# files} on disk, also through {groups|# group|# groups}', {
            allowed,
            files,
            groups: groups.length,
          })
        : t('{allowed} of {files|# file|# files} on disk', { allowed, files })}
      {on && ` · ${t('as of {date}, with the groups of today', { date: formatDate(on) })}`}
    </>
  );
}

interface PersonCardProps {
  subject: Subject;
  data: ReadableFolders | undefined;
  onChoose: (value: string) => void;
}

/** Who the page is about: the account of that name, and groups. */
function PersonCard({ subject: { principal }, data, onChoose }: PersonCardProps) {
  const account = data?.account;
  const label = account?.display_name || data?.principal.name || principal;
  return (
    <Card>
      <div className={s.person}>
        {data && (
          <>
            <span className={s.avatar} aria-hidden>
              {label.slice(0, 2).toUpperCase()}
            </span>
            <div className={s.who}>
              <div className="b">{label}</div>
              <div className="meta muted">
                {[
                  account?.username ?? data.principal.id,
                  account?.role,
                  account?.last_login_at && t('last signed in {time}', { time: formatRecent(account.last_login_at) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </div>
          </>
        )}
        <PersonPicker principal={principal} onChoose={onChoose} />
      </div>
      {data && data.groups.length > 0 && (
        <p className={s.groups}>
          <span className="muted">{t('Groups')}</span>
          {data.groups.map((group) => (
            <TextLink key={group.id} className={s.token} href={`#/reports/access?principal=${encodeURIComponent(group.id)}`}>
              <Users size={12} aria-hidden />
              {group.name ?? group.id}
            </TextLink>
          ))}
        </p>
      )}
      {principal !== '' && (
        <p className={s.groups}>
          <TextLink href={`#/?principal=${encodeURIComponent(principal)}`}>{t('Search these files')}</TextLink>
          <TextLink href={`#/reports/permissions_difference?principal=${encodeURIComponent(principal)}&other_principal=everyone`}>
            {t('Compare with somebody')}
          </TextLink>
        </p>
      )}
    </Card>
  );
}

function PersonPicker({ principal, onChoose }: { principal: string; onChoose: (value: string) => void }) {
  const [text, setText] = useState(principal);
  const known = useQuery({ queryKey: ['principals', text], queryFn: () => searchPrincipals(text), staleTime: 30_000 });
  return (
    <form
      className={s.picker}
      onSubmit={(e) => {
        e.preventDefault();
        if (text.trim()) onChoose(text.trim());
      }}
    >
      <Autocomplete
        label={t('Person or group')}
        placeholder={t('Name, uid:1000, gid:100, SID or everyone')}
        value={text}
        data={(known.data ?? []).map(({ value }) => value)}
        filter={({ options }) => options}
        onChange={setText}
        onOptionSubmit={onChoose}
      />
      <Button type="submit">{t('Show')}</Button>
    </form>
  );
}
