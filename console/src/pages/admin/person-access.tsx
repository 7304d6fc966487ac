import { useQuery } from '@tanstack/react-query';
import * as people from '../../api/people.ts';
import type { AccessOverview, Principal } from '../../api/types.ts';
import { ErrorNote } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { actionLabel } from './labels.ts';

const SOURCES: Record<string, string> = {
  local: t('set here'),
  oidc: t('from single sign-on'),
  ldap: t('from the directory'),
  header: t('from the proxy'),
};
/** "Denied: Open and download in Photos/2023, through Family". */
function rightWords(right: AccessOverview['rights'][number]): string {
  const what = t('{action} in {folder}', {
    action: actionLabel(right.action),
    folder: right.rel_path ? `${right.library}/${right.rel_path}` : right.library,
  });
  const by = right.group ? t('through {group}', { group: right.group }) : t('by a rule for this person');
  return [
    right.effect === 'deny' ? t('Denied: {what}, {by}', { what, by }) : `${what}, ${by}`,
    ...(right.beyond_role ? [t('(no effect: the role does not allow it)')] : []),
  ].join(' ');
}

const sourceName = (source: string): string => SOURCES[source] ?? source;

/** What a person may do, and where each right comes from. */
export function PersonAccess({ user }: { user: Principal }) {
  const access = useQuery({ queryKey: ['users', user.id, 'access'], queryFn: () => people.accessOverview(user.id) });
  const { data } = access;
  return (
    <section>
      <h3 className="b">{t('Access')}</h3>
      <ErrorNote error={access.error} />
      {data && (
        <ul className="meta t2">
          <li>
            {t('Role {name}, {source}', { name: data.display_name, source: sourceName(data.role_source) })}
            {data.role_reason ? ` (${data.role_reason})` : ''}
          </li>
          {data.groups.map((group) => (
            <li key={group.id}>{t('Group {name}, {sourceName}', { name: group.name, sourceName: sourceName(group.source) })}</li>
          ))}
          {data.bypass && <li>{t('Sees everything, because the role has no limits.')}</li>}
          {!data.bypass &&
            data.rights.map((right) => (
              <li key={`${right.library_id} ${right.rel_path} ${right.action} ${right.effect} ${right.group}`}>{rightWords(right)}</li>
            ))}
          {!data.bypass && data.rights.length === 0 && <li>{t('No rule gives access to any folder.')}</li>}
        </ul>
      )}
    </section>
  );
}
