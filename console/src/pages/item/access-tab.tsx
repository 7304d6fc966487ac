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
import { formatDate, formatShortDate } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { useKeys } from '../../shell/keys.ts';
import a from './access-tab.module.css';
import s from './inspector.module.css';

type Right = 'read' | 'write' | 'execute';
const RIGHTS: { value: Right; label: string; verb: string }[] = [
  { value: 'read', label: 'Read', verb: 'read' },
  { value: 'write', label: 'Change', verb: 'change' },
  { value: 'execute', label: 'Run', verb: 'run' },
];
const NO_RECORD: Record<Exclude<ItemPermissions['state'], 'collected'>, string> = {
  off: 'Permissions are not recorded for this library. Turn on "Record file permissions" in its settings, then scan it.',
  symlink: 'This is a link. What counts are the permissions of the file it points to.',
  not_yet: 'Permissions are recorded with the next scan of this library.',
};

const principalLabel = ({ name, id }: FilePrincipal): string => name ?? id;
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
  useKeys({ p: () => setChecking(true) });
  if (permissions.error instanceof Problem && permissions.error.status === 403)
    return (
      <p className={`${s.section} muted`}>
        You cannot see who has access to this file. Ask an administrator for the right to see file permissions.
      </p>
    );
  if (permissions.error) return <ErrorState error={permissions.error} retry={() => void permissions.refetch()} />;
  if (!permissions.data) return <Loading what="access" />;
  const { data } = permissions;
  if (data.state !== 'collected') return <p className={`${s.section} muted`}>{NO_RECORD[data.state]}</p>;
  const rows = data.access.filter((row) => (right === 'read' ? row.read.allowed : row[right]));
  const verb = RIGHTS.find(({ value }) => value === right)?.verb ?? 'read';
  return (
    <>
      <div className={a.head}>
        <p>
          {data.people && right === 'read' ? (
            <>
              <b>{pluralize(data.people.can_read, 'person', 'people')} can read this file</b>
              <span className="muted"> · {data.people.cannot_read.toLocaleString()} cannot</span>
            </>
          ) : (
            <b>
              {pluralize(rows.length, 'entry', 'entries')} to {verb} this file
            </b>
          )}
        </p>
        <NativeSelect
          aria-label="Kind of access"
          size="xs"
          value={right}
          onChange={(e) => setRight(e.currentTarget.value as Right)}
          data={RIGHTS.map(({ value, label }) => ({ value, label }))}
        />
        <Button size="s" aria-expanded={checking} onClick={() => setChecking(!checking)}>
          <User size={16} aria-hidden />
          Check a person
        </Button>
      </div>
      {checking && <CheckPerson item={item} />}
      {rows.length === 0 ? (
        <p className={`${s.section} muted`}>Only the administrator of the machine can {verb} this file.</p>
      ) : (
        <AccessTable rows={rows} since={data.since} />
      )}
      {data.access_more > 0 && (
        <p className={`${s.section} muted`}>
          {pluralize(data.access_more, 'more entry', 'more entries')}. Check a person to see one of them.
        </p>
      )}
      <p className={a.lead}>
        {data.world_readable ? <Globe size={16} aria-hidden /> : <Lock size={16} aria-hidden />}
        <span>
          {data.world_readable ? 'Everyone with an account on the machine can read this file.' : 'Not readable by everyone.'} Owner{' '}
          {principalLabel(data.record?.owner as FilePrincipal)}, group {principalLabel(data.record?.group as FilePrincipal)},{' '}
          <code className="mono">{data.record?.mode}</code>. {FIDELITY[data.record?.fidelity ?? 'unavailable']}
        </span>
      </p>
      <History data={data} item={item} />
    </>
  );
}

const FIDELITY: Record<NonNullable<ItemPermissions['record']>['fidelity'], string> = {
  full_native: 'Read from its access control list.',
  posix_mode_only: 'It has no access control list.',
  synthesized_from_mode: 'This file system does not store owners, so other machines may see other permissions.',
  unavailable: 'Its access control list could not be read.',
};

function AccessTable({ rows, since }: { rows: ItemPermissions['access']; since: string | null }) {
  return (
    <table className={a.table}>
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">Through</th>
          <th scope="col" className={a.since}>
            Since
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ principal, read, write, execute }) => (
          <tr key={principal.id}>
            <td>
              <span className={a.who}>
                <span className={a.avatar} aria-hidden>
                  {initials(principal)}
                </span>
                <span>
                  <TextLink href={`#/reports/access?principal=${encodeURIComponent(principal.id)}`}>{principalLabel(principal)}</TextLink>
                  <span className="muted meta" style={{ display: 'block' }}>
                    {[read.allowed && 'Read', write && 'change', execute && 'run'].filter(Boolean).join(', ')}
                  </span>
                </span>
              </span>
            </td>
            <td>
              <Through principal={principal} through={read.through} />
            </td>
            <td className={a.since}>{since ? formatShortDate(since) : ''}</td>
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
      <span className={a.token}>
        <Icon size={12} aria-hidden />
        {own ? 'By name' : through.well_known === 'everyone' ? 'Everyone' : principalLabel(through)}
      </span>
      <ChevronRight size={12} aria-hidden />
      <span className={a.token}>
        <ShieldCheck size={12} aria-hidden />
        Entry of the file
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
        aria-label="Person or group"
        placeholder="Name, uid:1000, gid:100 or SID"
        size="xs"
        value={who}
        autoFocus
        onChange={(e) => setWho(e.currentTarget.value)}
      />
      <Button size="s" type="submit" disabled={check.isPending}>
        Check
      </Button>
      <div className={a.answer} role="status">
        {check.error && <span>{errorMessage(check.error)}</span>}
        {check.data && (
          <Note
            tone={check.data.read.allowed ? 'ok' : 'idle'}
            icon={check.data.read.allowed ? ShieldCheck : check.data.read.folder ? FolderLock : Ban}
          >
            {check.data.read.sentence} {check.data.write.allowed ? 'Can also change it.' : 'Cannot change it.'}
          </Note>
        )}
      </div>
    </form>
  );
}

function History({ data, item }: { data: ItemPermissions; item: Item }) {
  return (
    <div className={s.section}>
      <div className={s.sectionHead}>
        <h3>Access history</h3>
      </div>
      {data.history.length === 0 ? (
        <p className="muted">Access has not changed since the file was first seen on {formatShortDate(item.first_seen)}.</p>
      ) : (
        <ol className={a.history}>
          {data.history.map((change) => (
            <li key={`${change.changed_at} ${change.folder ?? ''} ${change.summary}`}>
              <span className="muted">{formatDate(change.changed_at)}</span>
              <div>
                <p>{change.folder === null ? 'The file was changed' : `The folder ${change.folder || 'of the library'} was changed`}</p>
                <ul className={a.diff}>
                  {change.owner && (
                    <li data-sign="+">
                      <span aria-hidden>±</span>
                      <span>
                        Owner {principalLabel(change.owner.before)} → <b>{principalLabel(change.owner.after)}</b>
                      </span>
                    </li>
                  )}
                  {change.lines.map((line) => (
                    <li key={`${line.sign}${line.type} ${line.principal.id} ${line.verbs.join()}`} data-sign={line.sign}>
                      <span aria-hidden>{line.sign === '+' ? '+' : '−'}</span>
                      <span>
                        <b>{principalLabel(line.principal)}</b> {verbOf(line)} {line.verbs.join(', ') || 'do nothing'}
                      </span>
                    </li>
                  ))}
                </ul>
                <p className="muted">{effect(change.gained, change.lost)}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const verbOf = ({ sign, type }: { sign: '+' | '-'; type: 'allow' | 'deny' }): string =>
  type === 'deny' ? (sign === '+' ? 'may not' : 'was not allowed to') : sign === '+' ? 'can' : 'could';

function effect(gained: number, lost: number): string {
  if (gained === 0 && lost === 0) return 'The same people can read the file as before.';
  const won = gained === 0 ? 'nobody gained it' : `${pluralize(gained, 'person', 'people')} gained it`;
  return lost === 0 ? `Nobody lost access, ${won}.` : `${pluralize(lost, 'person', 'people')} lost access, ${won}.`;
}
