import { lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useSessionEnded } from '../api/session-ended.ts';
import { ButtonLink } from '../components/button.tsx';
import { usePageTitle, usePreload } from '../components/page.tsx';
import { layoutOf, Skeleton } from '../components/skeleton.tsx';
import { EmptyState } from '../components/states.tsx';
import { ToastRegion, undoLast } from '../components/toast.tsx';
import { t } from '../language/text.ts';
import { useSsoError } from '../pages/login/sso-errors.ts';
import { navigate } from './hash-location.ts';
import { useKeys } from './keys.ts';
import { useListKeys } from './list-keys.ts';
import { ConnectionBar, KeysBar, UpdateBar } from './notice-bars.tsx';
import { closeOverlay, openExplain, openKeyHelp, openPalette, useOverlay } from './overlays.ts';
import { PageBoundary } from './page-boundary.tsx';
import { Rail } from './rail.tsx';
import { useRestoreFocus } from './restore-focus.ts';
import { useSession } from './session.tsx';
import s from './shell.module.css';

const SearchPage = lazy(() => import('../pages/search/search-page.tsx'));
const PassagesPage = lazy(() => import('../pages/passages/passages-page.tsx'));
const ItemPage = lazy(() => import('../pages/item/item-page.tsx'));
const BrowsePage = lazy(() => import('../pages/browse/browse-page.tsx'));
const HomePage = lazy(() => import('../pages/home/home-page.tsx'));
const MapPage = lazy(() => import('../pages/map/map-page.tsx'));
const ComparePage = lazy(() => import('../pages/compare/compare-page.tsx'));
const TimelinePage = lazy(() => import('../pages/timeline/timeline-page.tsx'));
const LibrariesPage = lazy(() => import('../pages/libraries/libraries-page.tsx'));
const ScanHistoryPage = lazy(() => import('../pages/libraries/scan-history-page.tsx'));
const ReportsPage = lazy(() => import('../pages/reports/reports-page.tsx'));
const ReportPage = lazy(() => import('../pages/reports/report-page.tsx'));
const CustomReportPage = lazy(() => import('../pages/reports/custom-report-page.tsx'));
const DuplicatesPage = lazy(() => import('../pages/duplicates/duplicates-page.tsx'));
const IntegrityPage = lazy(() => import('../pages/integrity/integrity-page.tsx'));
const SchedulesPage = lazy(() => import('../pages/schedules/schedules-page.tsx'));
const ExportsPage = lazy(() => import('../pages/reports/exports-page.tsx'));
const JobsPage = lazy(() => import('../pages/jobs/jobs-page.tsx'));
const AlertsPage = lazy(() => import('../pages/alerts/alerts-page.tsx'));
const TaxonomyPage = lazy(() => import('../pages/taxonomy/taxonomy-page.tsx'));
const PersonPage = lazy(() => import('../pages/permissions/person-page.tsx'));
const PresetsPage = lazy(() => import('../pages/presets/presets-page.tsx'));
const FieldsPage = lazy(() => import('../pages/fields/fields-page.tsx'));
const AccountPage = lazy(() => import('../pages/account/account-page.tsx'));
const AdminPage = lazy(() => import('../pages/admin/admin-page.tsx'));
const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazy(loadPalette);
const KeyHelp = lazy(() => import('./key-help.tsx'));
const loadSignInAgain = () => import('../pages/login/sign-in-again.tsx');
const SignInAgain = lazy(loadSignInAgain);
const ExplainDialog = lazy(() => import('../pages/explain/explain-dialog.tsx'));

/** The frame around every page: navigation, notice bars, dialogs and global shortcuts. */
export function Shell() {
  const overlay = useOverlay();
  const ended = useSessionEnded();
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the open overlay
  useEffect(closeOverlay, [path]);
  // So does Back to another view of the same page, whose path is the same.
  useEffect(() => {
    addEventListener('popstate', closeOverlay);
    return () => removeEventListener('popstate', closeOverlay);
  }, []);
  useRestoreFocus();
  useListKeys();
  useSsoError(useSession().status.oidc_providers);

  // Preloaded so that keys typed right after Ctrl K reach the palette, not the page.
  usePreload(loadPalette);
  usePreload(loadSignInAgain);

  useKeys({
    '/': () => navigate('/'),
    'Ctrl+k': openPalette,
    '?': openKeyHelp,
    e: openExplain,
    'Ctrl+z': undoLast,
    'g s': () => navigate('/'),
    'g h': () => navigate('/home'),
    'g b': () => navigate('/browse'),
    'g l': () => navigate('/libraries'),
    'g a': () => navigate('/alerts'),
    'g j': () => navigate('/jobs'),
    'g t': () => navigate('/timeline'),
    'g r': () => navigate('/reports'),
  });

  return (
    <div className={s.shell}>
      <button type="button" className={s.skip} onClick={() => main.current?.focus()}>
        {t('Skip to content')}
      </button>
      <Rail />
      <main className={s.main} ref={main} tabIndex={-1} id="main">
        <UpdateBar />
        <ConnectionBar />
        <KeysBar />
        <PageBoundary key={path.split('/')[1]} path={path}>
          <Suspense fallback={<Skeleton layout={layoutOf(path)} what={t('page')} />}>
            <Switch>
              <Route path="/" component={SearchPage} />
              <Route path="/home" component={HomePage} />
              <Route path="/search" component={SearchPage} />
              <Route path="/passages" component={PassagesPage} />
              <Route path="/item/:id" component={ItemPage} />
              <Route path="/browse/:library?" component={BrowsePage} />
              <Route path="/map" component={MapPage} />
              <Route path="/compare" component={ComparePage} />
              <Route path="/timeline" component={TimelinePage} />
              <Route path="/libraries/history" component={ScanHistoryPage} />
              <Route path="/libraries/:action?" component={LibrariesPage} />
              <Route path="/reports" component={ReportsPage} />
              <Route path="/reports/exports" component={ExportsPage} />
              <Route path="/reports/duplicates" component={DuplicatesPage} />
              <Route path="/reports/integrity" component={IntegrityPage} />
              <Route path="/reports/access" component={PersonPage} />
              <Route path="/reports/schedules" component={SchedulesPage} />
              <Route path="/reports/custom/:id" component={CustomReportPage} />
              <Route path="/reports/:id" component={ReportPage} />
              <Route path="/alerts" component={AlertsPage} />
              <Route path="/jobs" component={JobsPage} />
              <Route path="/taxonomy" component={TaxonomyPage} />
              <Route path="/presets" component={PresetsPage} />
              <Route path="/fields" component={FieldsPage} />
              <Route path="/account" component={AccountPage} />
              <Route path="/admin/:tab?" component={AdminPage} />
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </PageBoundary>
      </main>
      <ToastRegion />
      <Suspense>
        {overlay === 'keys' && <KeyHelp onClose={closeOverlay} />}
        {overlay === 'palette' && <Palette onClose={closeOverlay} />}
        {overlay === 'explain' && <ExplainDialog onClose={closeOverlay} />}
      </Suspense>
      <Suspense>{ended && <SignInAgain />}</Suspense>
    </div>
  );
}

function NotFoundPage() {
  usePageTitle(t('Page not found'));
  return (
    <EmptyState wholePage title={t('Page not found')} actions={<ButtonLink href="#/">{t('Go to search')}</ButtonLink>}>
      {t('The link may be outdated or mistyped.')}
    </EmptyState>
  );
}
