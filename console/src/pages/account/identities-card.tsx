import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, KeyRound } from 'lucide-react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';

/** How this person can sign in. */
export function IdentitiesCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const { status } = useSession();
  const identities = useQuery({ queryKey: ['identities'], queryFn: people.identities });
  const connect = useMutation({ mutationFn: people.connectProvider, onSuccess: (url) => location.assign(url) });
  const disconnect = useMutation({
    mutationFn: people.disconnectIdentity,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['identities'] });
      toast('Identity disconnected');
    },
  });
  return (
    <Card title="Identities">
      <ErrorNote error={identities.error ?? connect.error ?? disconnect.error} />
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
            <Button
              size="s"
              aria-label={`Disconnect ${hostOf(identity.issuer)}`}
              onClick={() => disconnect.mutate(identity.id)}
              disabled={disconnect.isPending}
            >
              Disconnect
            </Button>
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
      {status.oidc_providers.map(({ name, label }) => (
        <Button key={name} size="s" onClick={() => connect.mutate(name)} disabled={connect.isPending}>
          Connect with {label}
        </Button>
      ))}
      {me.role_source !== 'local' && (
        <p className="meta muted">Your role comes from your provider{me.role_reason ? `: ${me.role_reason}` : ''}.</p>
      )}
    </Card>
  );
}

function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
