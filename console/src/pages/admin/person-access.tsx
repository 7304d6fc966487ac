import { useQuery } from '@tanstack/react-query';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { ErrorNote } from '../../components/states.tsx';
import { actionLabel } from './labels.ts';

const SOURCES: Record<string, string> = {
  local: 'set here',
  oidc: 'from single sign-on',
  ldap: 'from the directory',
  header: 'from the proxy',
};
const sourceName = (source: string): string => SOURCES[source] ?? source;

/** What a person may do, and where each right comes from. */
export function PersonAccess({ user }: { user: Principal }) {
  const access = useQuery({ queryKey: ['users', user.id, 'access'], queryFn: () => people.accessOverview(user.id) });
  const { data } = access;
  return (
    <section>
      <h3 className="b">Access</h3>
      <ErrorNote error={access.error} />
      {data && (
        <ul className="meta t2">
          <li>
            Role {data.display_name}, {sourceName(data.role_source)}
            {data.role_reason ? ` (${data.role_reason})` : ''}
          </li>
          {data.groups.map((group) => (
            <li key={group.id}>
              Group {group.name}, {sourceName(group.source)}
            </li>
          ))}
          {data.bypass && <li>Sees everything, because the role has no limits.</li>}
          {!data.bypass &&
            data.rights.map((right) => (
              <li key={`${right.library_id} ${right.rel_path} ${right.action} ${right.effect} ${right.group}`}>
                {right.effect === 'deny' ? 'Denied: ' : ''}
                {actionLabel(right.action)} in {right.library}
                {right.rel_path ? `/${right.rel_path}` : ''}, {right.group ? `through ${right.group}` : 'by a rule for this person'}
                {right.beyond_role ? ' (no effect: the role does not allow it)' : ''}
              </li>
            ))}
          {!data.bypass && data.rights.length === 0 && <li>No rule gives access to any folder.</li>}
        </ul>
      )}
    </section>
  );
}
