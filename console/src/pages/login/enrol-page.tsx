import { Button } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import { signOut } from '../../shell/session.tsx';
import { SecurityCard } from '../account/security-card.tsx';
import s from './login-page.module.css';

/** Shown to people whose role requires a second factor until they have set one up. */
export default function EnrolPage() {
  usePageTitle(t('Set up a second factor'));
  return (
    <div className={s.frame}>
      <main className={s.panel}>
        <BrandMark size={40} />
        <h1 className="h1" style={{ marginTop: 20 }}>
          {t('Set up a second factor')}
        </h1>
        <p className="t2 read">{t('Your role requires one. Add a passkey or an authenticator app to continue.')}</p>
        <SecurityCard />
        <Button className={s.other} onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
      </main>
    </div>
  );
}
