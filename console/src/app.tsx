import { lazy, Suspense } from 'react';
import { Router } from 'wouter';
import { ErrorState, Loading } from './components/states.tsx';
import { useHashLocation, useHashSearch } from './shell/hash-location.ts';
import { SessionProvider, useEntry } from './shell/session.tsx';
import { Shell } from './shell/shell.tsx';

const FirstVisit = lazy(() => import('./pages/first-visit/first-visit-page.tsx'));
const EnrolPage = lazy(() => import('./pages/login/enrol-page.tsx'));
const InvitePage = lazy(() => import('./pages/login/invite-page.tsx'));
const LoginPage = lazy(() => import('./pages/login/login-page.tsx'));

export function App() {
  return (
    <Router hook={useHashLocation} searchHook={useHashSearch}>
      <Suspense fallback={<Loading what="Catalog" />}>
        <EntryPage />
      </Suspense>
    </Router>
  );
}

/** Shows the first-visit setup, the sign-in page or the console. */
function EntryPage() {
  const entry = useEntry();
  const [path] = useHashLocation();
  const token = new URLSearchParams(useHashSearch()).get('token');
  if (path === '/invite' && token) return <InvitePage token={token} />;
  if (entry.kind === 'loading') return <Loading what="Catalog" />;
  if (entry.kind === 'failed') return <ErrorState error={entry.error} retry={entry.retry} />;
  if (entry.kind === 'bootstrap') return <FirstVisit />;
  if (entry.kind === 'login') return <LoginPage status={entry.status} ended={entry.ended} />;
  if (entry.session.me?.must_enrol) return <EnrolPage />;
  return (
    <SessionProvider value={entry.session}>
      <Shell />
    </SessionProvider>
  );
}
