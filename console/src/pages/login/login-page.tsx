import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Building2, CircleX, Fingerprint, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as factors from '../../api/factors.ts';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { AuthStatus } from '../../api/types.ts';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { Note } from '../../components/status.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import { ConnectionBar } from '../../shell/notice-bars.tsx';
import s from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { ssoErrorSentence, takeSsoError } from './sso-errors.ts';

/** One column: the organisation, then the password. Ways that are switched off are absent. */
export default function LoginPage({ status }: { status: AuthStatus }) {
  usePageTitle(t('Sign in'));
  const client = useQueryClient();
  const [ssoError] = useState(takeSsoError);
  const [formError, setFormError] = useState<Error | null>(null);
  const onSignedIn = () => {
    client.clear();
    void client.invalidateQueries({ queryKey: ['auth'] });
    location.reload();
  };
  const passkey = useMutation({ mutationFn: factors.signInWithPasskey, onSuccess: onSignedIn });
  const byProxy = useMutation({ mutationFn: people.signInByProxy, onSuccess: onSignedIn });
  const hasPasskeys = factors.passkeysWork();
  return (
    <div className={s.frame}>
      <ConnectionBar />
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          {t('Sign in to Catalog')}
        </h1>
        <p className={`t2 read ${s.host}`}>{location.host}</p>
        {ssoError !== null && (
          <Note tone="danger" icon={CircleX} live className={s.note}>
            {ssoErrorSentence(ssoError)} {/^[a-z_]{1,40}$/.test(ssoError) && <code className="mono">{ssoError}</code>}
          </Note>
        )}
        {(formError ?? byProxy.error) && (
          <Note tone="danger" icon={CircleX} live className={s.note}>
            {errorMessage(formError ?? byProxy.error)}
          </Note>
        )}
        {passkey.error && (
          <Note tone="warn" icon={TriangleAlert} live className={s.note}>
            {errorMessage(passkey.error)}
          </Note>
        )}
        {status.header_user !== null && (
          <Button className={s.other} size="l" onClick={() => byProxy.mutate()} disabled={byProxy.isPending}>
            <Building2 size={16} aria-hidden />
            {t('Continue as {header_user}', { header_user: status.header_user })}
          </Button>
        )}
        {status.oidc_providers.map(({ name, label }) => (
          <ButtonLink
            key={name}
            className={s.other}
            size="l"
            href={`/api/v1/auth/oidc/login?provider=${encodeURIComponent(name)}&return_to=${encodeURIComponent(`/${location.hash}`)}`}
          >
            <Building2 size={16} aria-hidden />
            {t('Continue with {label}', { label })}
          </ButtonLink>
        ))}
        {hasPasskeys && (
          <Button className={s.other} size="l" onClick={() => passkey.mutate()} disabled={passkey.isPending}>
            <Fingerprint size={16} aria-hidden />
            {t('Sign in with a passkey')}
          </Button>
        )}
        {(status.oidc_providers.length > 0 || status.header_user !== null || hasPasskeys) && (
          <p className={s.divider}>{t('or with a password')}</p>
        )}
        <SignInForm onSignedIn={onSignedIn} onError={setFormError} />
      </main>
      <p className={s.foot}>
        {rich('No account? Ask an administrator for an invitation. <link>Manual</link>', {
          link: (text) => <TextLink href="/docs/">{text}</TextLink>,
        })}
      </p>
    </div>
  );
}
