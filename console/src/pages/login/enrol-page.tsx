import { useQuery } from '@tanstack/react-query';
import { secondFactors } from '../../api/factors.ts';
import { Problem } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import { signOut } from '../../shell/session.tsx';
import { SecurityCard } from '../account/security-card.tsx';
import s from './login-page.module.css';

/** Shown to people whose role requires a second factor until they have set one up, or have signed in with the one they have. */
export default function EnrolPage() {
  const { error } = useQuery({ queryKey: ['second-factors'], queryFn: secondFactors });
  const existing = error instanceof Problem && error.code === 'second_factor_missing' ? error.message : null;
  const title = existing === null ? t('Set up a second factor') : t('Sign in with your second factor');
  usePageTitle(title);
  return (
    <div className={s.frame}>
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          {title}
        </h1>
        <p className="t2 read">{existing ?? t('Your role requires one. Add a passkey or an authenticator app to continue.')}</p>
        {existing === null && <SecurityCard />}
        <Button className={s.other} onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
      </main>
    </div>
  );
}
