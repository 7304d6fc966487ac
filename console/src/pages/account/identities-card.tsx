import { useQuery } from '@tanstack/react-query';
import { Building2, KeyRound } from 'lucide-react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatRecent } from '../../format/dates.ts';
import s from './account-page.module.css';

/** How this person can sign in. */
export function IdentitiesCard({ me }: { me: Principal }) {
  const identities = useQuery({ queryKey: ['identities'], queryFn: people.identities });
  return (
    <Card title="Identities">
      <ErrorNote error={identities.error} />
      <ul className={s.rows} data-list>
        {identities.data?.map((identity) => (
          <li key={identity.id}>
            <Building2 size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{hostOf(identity.issuer)}</div>
              <div className="meta muted">
                {identity.name} · connected {formatRecent(identity.created_at)} · last used {formatRecent(identity.last_used_at)}
              </div>
            </div>
          </li>
        ))}
        {me.auth_provider === 'local' && (
          <li>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">Password</div>
              <div className="meta muted">Works even when a provider cannot be reached.</div>
            </div>
          </li>
        )}
      </ul>
      {me.role_source !== 'local' && (
        <p className="meta muted">Your role comes from your provider{me.role_reason ? `: ${me.role_reason}` : ''}.</p>
      )}
    </Card>
  );
}

function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
