import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Ban, ChevronRight, FolderLock, Globe, Lock, ShieldCheck, User, Users } from 'lucide-react';
import { useState } from 'react';
import { checkAccess, itemPermissions } from '../../api/permissions.ts';
import { errorMessage, Problem } from '../../api/problem.ts';
import type { FilePrincipal, Item, ItemPermissions } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { formatShortDate } from '../../format/dates.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { principalLabel } from './access-diff.tsx';
import { AccessHistory } from './access-history.tsx';
import a from './access-tab.module.css';
import s from './inspector.module.css';

type Right = 'read' | 'write' | 'execute';
const RIGHTS: { value: Right; label: string; entries: (n: number) => string; nobody: string }[] = [
  {
    value: 'read',
    label: t('Read'),
    entries: (n) => t('{n|# entry|# entries} to read this file', { n }),
    nobody: t('Only the administrator of the machine can read this file.'),
  },
  {
    value: 'write',
    label: t('Change'),
    entries: (n) => t('{n|# entry|# entries} to change this file', { n }),
    nobody: t('Only the administrator of the machine can change this file.'),
  },
  {
    value: 'execute',
    label: t('Run'),
    entries: (n) => t('{n|# entry|# entries} to run this file', { n }),
    nobody: t('Only the administrator of the machine can run this file.'),
  },
];
const NO_RECORD: Record<Exclude<ItemPermissions['state'], 'collected'>, string> = {
  off: t('Permissions are not recorded for this library. Turn on "Record file permissions" in its settings, then scan it.'),
  agent_off: t('Permissions are not recorded on the machine of this file. Turn on "Record file permissions" in a group of its agent.'),
  symlink: t('This is a link. What counts are the permissions of the file it points to.'),
  not_yet: t('Permissions are recorded with the next scan of this library.'),
};

const initials = (principal: FilePrincipal): string =>
  principalLabel(principal)
    .replace(/^(uid|gid):/, '')
    .slice(0, 2)
    .toUpperCase();

/** Who can read the file on disk, through what, since when; then how that has changed. */
export function AccessTab({ item }: { item: Item }) {
  const permissions = useQuery({
    queryKey: ['item', item.id, 'permissions'],
    queryFn: () => itemPermissions(item.id),
    staleTime: 30_000,
    retry: false,
  });
  const [right, setRight] = useState<Right>('read');
  const [checking, setChecking] = useState(false);
  const [comparing, setComparing] = useState(false);
  useKeys({ p: () => setChecking(true), d: () => setComparing(true) });
  if (permissions.error instanceof Problem && permissions.error.status === 403)
    return (
      <p className={`${s.section} muted`}>
        {t('You cannot see who has access to this file. Ask an administrator for the right to see file permissions.')}
      </p>
    );
  if (permissions.error && !permissions.data) return <ErrorState error={permissions.error} retry={() => void permissions.refetch()} />;
  if (!permissions.data) return <Loading what={t('access')} />;
  const { data } = permissions;
  if (data.state !== 'collected') return <p className={`${s.section} muted`}>{NO_RECORD[data.state]}</p>;
  const rows = data.access.filter((row) => (right === 'read' ? row.read.allowed : row[right]));
  const chosen = RIGHTS.find(({ value }) => value === right);
  return (
    <>
      <div className={a.head}>
        <p>
          {data.people && right === 'read' ? (
            <>
              <b>{t('{can_read|# person|# people} can read this file', { can_read: data.people.can_read })}</b>
              <span className="muted">
                {' · '}
                {t('{cannot_read} cannot', { cannot_read: data.people.cannot_read })}
              </span>
            </>
          ) : (
            <b>{chosen?.entries(rows.length)}</b>
          )}
        </p>
        <NativeSelect
          aria-label={t('Kind of access')}
          size="xs"
          value={right}
          onChange={(e) => setRight(e.currentTarget.value as Right)}
          data={RIGHTS.map(({ value, label }) => ({ value, label }))}
        />
        <Button size="s" aria-expanded={checking} onClick={() => setChecking(!checking)}>
          <User size={16} aria-hidden />
          {t('Check a person')}
        </Button>
      </div>
      {checking && <CheckPerson item={item} />}
      {rows.length === 0 ? <p className={`${s.section} muted`}>{chosen?.nobody}</p> : <AccessTable rows={rows} />}
      {data.access_more > 0 && (
        <p className={`${s.section} muted`}>
          {t('{access_more|# more entry|# more entries}. Check a person to see one of them.', { access_more: data.access_more })}
        </p>
      )}
      <p className={a.lead}>
        {data.world_readable ? <Globe size={16} aria-hidden /> : <Lock size={16} aria-hidden />}
        <span>
          {data.world_readable ? t('Everyone with an account on the machine can read this file.') : t('Not readable by everyone.')}{' '}
          {rich('Owner {owner}, group {group}, {mode}.', {
            owner: principalLabel(data.record?.owner as FilePrincipal),
            group: principalLabel(data.record?.group as FilePrincipal),
            mode: <code className="mono">{data.record?.mode}</code>,
          })}{' '}
          {FIDELITY[data.record?.fidelity ?? 'unavailable']}
        </span>
      </p>
      <AccessHistory data={data} item={item} comparing={comparing} onCompare={setComparing} />
    </>
  );
}

const FIDELITY: Record<NonNullable<ItemPermissions['record']>['fidelity'], string> = {
  full_native: t('Read from its access control list.'),
  posix_mode_only: t('It has no access control list.'),
  synthesized_from_mode: t('This file system does not store owners, so other machines may see other permissions.'),
  unavailable: t('Its access control list could not be read.'),
};

function AccessTable({ rows }: { rows: ItemPermissions['access'] }) {
  return (
    <table className={a.table}>
      <thead>
        <tr>
          <th scope="col">{t('Who')}</th>
          <th scope="col">{t('Through')}</th>
          <th scope="col" className={a.since}>
            {t('Since')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ principal, read, write, execute, since }) => (
          <tr key={principal.id}>
            <td>
              <span className={a.who}>
                <span className={a.avatar} aria-hidden>
                  {initials(principal)}
                </span>
                <span>
                  <TextLink href={`#/reports/access?principal=${encodeURIComponent(principal.id)}`}>{principalLabel(principal)}</TextLink>
                  <span className="muted meta" style={{ display: 'block' }}>
                    {[read.allowed && t('Read'), write && t('change'), execute && t('run')].filter(Boolean).join(', ')}
                  </span>
                </span>
              </span>
            </td>
            <td>
              <Through principal={principal} through={read.through} />
            </td>
            <td className={a.since}>{formatShortDate(since)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Through({ principal, through }: { principal: FilePrincipal; through: FilePrincipal | null }) {
  if (!through) return null;
  const own = through.id === principal.id;
  const Icon = through.well_known === 'everyone' ? Globe : through.kind === 'group' || through.id.startsWith('gid:') ? Users : User;
  return (
    <span className={a.tokens}>
      {own ? (
        <span className={a.token}>
          <Icon size={12} aria-hidden />
          {t('By name')}
        </span>
      ) : (
        <a
          className={a.token}
          href={`#/reports/access?principal=${encodeURIComponent(through.well_known === 'everyone' ? 'everyone' : through.id)}`}
        >
          <Icon size={12} aria-hidden />
          {through.well_known === 'everyone' ? t('Everyone') : principalLabel(through)}
        </a>
      )}
      <ChevronRight size={12} aria-hidden />
      <span className={a.token}>
        <ShieldCheck size={12} aria-hidden />
        {t('Entry of the file')}
      </span>
    </span>
  );
}

/** Answers in one line whether somebody can read the file, and why. */
function CheckPerson({ item }: { item: Item }) {
  const [who, setWho] = useState('');
  const check = useMutation({ mutationFn: (principal: string) => checkAccess(item.id, principal) });
  return (
    <form
      className={a.check}
      onSubmit={(e) => {
        e.preventDefault();
        if (who.trim()) check.mutate(who.trim());
      }}
    >
      <TextInput
        aria-label={t('Person or group')}
        placeholder={t('Name, uid:1000, gid:100 or SID')}
        size="xs"
        value={who}
        autoFocus
        onChange={(e) => setWho(e.currentTarget.value)}
      />
      <Button size="s" type="submit" disabled={check.isPending}>
        {t('Check')}
      </Button>
      <div className={a.answer} role="status">
        {check.error && <span>{errorMessage(check.error)}</span>}
        {check.data && (
          <Note
            tone={check.data.read.allowed ? 'ok' : 'idle'}
            icon={check.data.read.allowed ? ShieldCheck : check.data.read.folder ? FolderLock : Ban}
          >
            {serverText(check.data.read.sentence)} {check.data.write.allowed ? t('Can also change it.') : t('Cannot change it.')}
          </Note>
        )}
      </div>
    </form>
  );
}
