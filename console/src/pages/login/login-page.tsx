import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useConnection } from '../../api/connection.ts';
import * as factors from '../../api/factors.ts';
import { version } from '../../api/operations.ts';
import * as people from '../../api/people.ts';
import { ServerUnreachable } from '../../api/problem.ts';
import type { AuthStatus } from '../../api/types.ts';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import type { EndedSession } from '../../shell/session.tsx';
import s from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { ServerAwayNote, SignedOutNote, SignInNote, TitledNote } from './sign-in-note.tsx';
import { ssoError, takeSsoError } from './sso-errors.ts';

/** One column: the organisation, the passkey, the password. Ways that are switched off are absent. */
export default function LoginPage({ status, ended }: { status: AuthStatus; ended: EndedSession | null }) {
  usePageTitle(t('Sign in'));
  const client = useQueryClient();
  const [ssoReason] = useState(takeSsoError);
  const [failed, setFailed] = useState<{ error: Error; name: string } | null>(null);
  const onSignedIn = () => {
    client.clear();
    void client.invalidateQueries({ queryKey: ['auth'] });
    location.reload();
  };
  const start = () => setFailed(null);
  const onError = (error: Error) => setFailed({ error, name: '' });
  const passkey = useMutation({ mutationFn: factors.signInWithPasskey, onMutate: start, onSuccess: onSignedIn, onError });
  const byProxy = useMutation({ mutationFn: people.signInByProxy, onMutate: start, onSuccess: onSignedIn, onError });
  const hasPasskeys = factors.passkeysWork();
  return (
    <div className={s.frame}>
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          {t('Sign in to Catalog')}
        </h1>
        <p className={`t2 read ${s.host}`}>{location.host}</p>
        <Notes {...{ failed, ssoReason, status, ended }} />
        <div className={s.ways}>
          {status.header_user !== null && (
            <Button className={s.way} size="l" onClick={() => byProxy.mutate()} disabled={byProxy.isPending}>
              <Building2 size={16} aria-hidden />
              {t('Continue as {header_user}', { header_user: status.header_user })}
            </Button>
          )}
          {status.oidc_providers.map(({ name, label }) => (
            <ButtonLink
              key={name}
              className={s.way}
              size="l"
              href={`/api/v1/auth/oidc/login?provider=${encodeURIComponent(name)}&return_to=${encodeURIComponent(`/${location.hash}`)}`}
            >
              <Building2 size={16} aria-hidden />
              {t('Continue with {label}', { label })}
            </ButtonLink>
          ))}
          {hasPasskeys && (
            <Button className={s.way} size="l" onClick={() => passkey.mutate()} disabled={passkey.isPending}>
              <Fingerprint size={16} aria-hidden />
              {t('Sign in with a passkey')}
            </Button>
          )}
        </div>
        {(status.oidc_providers.length > 0 || status.header_user !== null || hasPasskeys) && (
          <p className={s.divider}>{t('or with a password')}</p>
        )}
        <SignInForm status={status} onSignedIn={onSignedIn} onError={(error, name) => setFailed(error && { error, name })} />
      </main>
      <Foot />
    </div>
  );
}

interface NotesProps {
  failed: { error: Error; name: string } | null;
  ssoReason: string | null;
  status: AuthStatus;
  ended: EndedSession | null;
}

/** One note at a time: the newest thing that happened. */
function Notes({ failed, ssoReason, status, ended }: NotesProps) {
  const { unreachable } = useConnection();
  if (unreachable) return <ServerAwayNote />;
  if (failed && !(failed.error instanceof ServerUnreachable)) return <SignInNote {...failed} />;
  if (ssoReason !== null) {
    const { title, text } = ssoError(ssoReason, status.oidc_providers);
    return (
      <TitledNote tone="danger" title={title}>
        {text} {/^[a-z_]{1,40}$/.test(ssoReason) && <code className="mono">{ssoReason}</code>}
      </TitledNote>
    );
  }
  return ended && <SignedOutNote ended={ended} />;
}

function Foot() {
  const running = useQuery({ queryKey: ['version'], queryFn: version, staleTime: Number.POSITIVE_INFINITY, retry: false });
  return (
    <p className={s.foot}>
      {t('No account? Ask an administrator for an invitation.')}
      <br />
      {running.data && `Catalog ${running.data.app_version} · `}
      {rich('<status>Status</status> · <manual>Manual</manual>', {
        status: (text) => <TextLink href="/api/v1/health">{text}</TextLink>,
        manual: (text) => <TextLink href="/docs/">{text}</TextLink>,
      })}
    </p>
  );
}
