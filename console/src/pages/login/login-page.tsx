import { useQueryClient } from '@tanstack/react-query';
import type { AuthStatus } from '../../api/types.ts';
import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { BrandMark } from '../../shell/brand.tsx';
import { ConnectionBar } from '../../shell/notice-bars.tsx';
import s from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';

export default function LoginPage({ status }: { status: AuthStatus }) {
  usePageTitle('Sign in');
  const client = useQueryClient();
  return (
    <div className={s.frame}>
      <ConnectionBar />
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          Sign in to Catalog
        </h1>
        <p className="t2 read">Find any file. Know why it is there.</p>
        <SignInForm
          onSignedIn={() => {
            client.clear();
            void client.invalidateQueries({ queryKey: ['auth'] });
            location.reload();
          }}
        />
        {status.oidc_enabled && (
          <ButtonLink className={s.other} size="l" href={`/api/v1/auth/oidc/login?return_to=${encodeURIComponent(`/${location.hash}`)}`}>
            Sign in with SSO
          </ButtonLink>
        )}
      </main>
    </div>
  );
}
