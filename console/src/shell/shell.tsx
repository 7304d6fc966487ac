import { lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useLoadSoon } from '../parts/load-soon.ts';
import { Loading } from '../parts/states.tsx';
import { ToastRegion, undoLast } from '../parts/toast.tsx';
import { AwayBar } from './away-bar.tsx';
import { navigate } from './hash-location.ts';
import { KeyHelp } from './key-help.tsx';
import { useFocusBack } from './focus-back.ts';
import { useKeys } from './keys.ts';
import { useListKeys } from './list-keys.ts';
import { openExplain, openKeyHelp, openPalette, setOverlay, useOverlay } from './overlays.ts';
import { PageBoundary } from './page-boundary.tsx';
import { Rail } from './rail.tsx';
import s from './shell.module.css';
import { SignInAgain } from './sign-in-again.tsx';
import { UpdateOffer } from './update-offer.tsx';

const SearchPage = lazy(() => import('../pages/search/search-page.tsx'));
const ItemPage = lazy(() => import('../pages/item/item-page.tsx'));
const BrowsePage = lazy(() => import('../pages/browse/browse-page.tsx'));
const MapPage = lazy(() => import('../pages/map/map-page.tsx'));
const TimelinePage = lazy(() => import('../pages/timeline/timeline-page.tsx'));
const LibrariesPage = lazy(() => import('../pages/libraries/libraries-page.tsx'));
const ScanHistoryPage = lazy(() => import('../pages/libraries/scan-history-page.tsx'));
const JobsPage = lazy(() => import('../pages/jobs/jobs-page.tsx'));
const TaxonomyPage = lazy(() => import('../pages/taxonomy/taxonomy-page.tsx'));
const PresetsPage = lazy(() => import('../pages/presets/presets-page.tsx'));
const FieldsPage = lazy(() => import('../pages/fields/fields-page.tsx'));
const AccountPage = lazy(() => import('../pages/account/account-page.tsx'));
const AdminPage = lazy(() => import('../pages/admin/admin-page.tsx'));
const NotFoundPage = lazy(() => import('../pages/not-found/not-found-page.tsx'));
const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazy(loadPalette);
const ExplainDialog = lazy(() => import('../pages/explain/explain-dialog.tsx'));

/** The frame around every page: the rail, the messages from the service, the keys that work everywhere. */
export function Shell() {
  const overlay = useOverlay();
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const close = () => setOverlay(null);
  // Whoever goes back or elsewhere leaves what was open over the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every page
  useEffect(() => setOverlay(null), [path]);
  useFocusBack();
  useListKeys();

  // What is typed right after Ctrl K must not fall into the page while the palette loads.
  useLoadSoon(loadPalette);

  useKeys({
    '/': () => navigate('/'),
    'Ctrl+k': openPalette,
    '?': openKeyHelp,
    e: openExplain,
    'Ctrl+z': undoLast,
    'g s': () => navigate('/'),
    'g b': () => navigate('/browse'),
    'g l': () => navigate('/libraries'),
    'g j': () => navigate('/jobs'),
  });

  return (
    <div className={s.shell}>
      <button type="button" className={s.skip} onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Rail />
      <main className={s.main} ref={main} tabIndex={-1} id="main">
        <UpdateOffer />
        <AwayBar />
        <PageBoundary key={path.split('/')[1]}>
          <Suspense fallback={<Loading what="the page" />}>
            <Switch>
              <Route path="/" component={SearchPage} />
              <Route path="/search" component={SearchPage} />
              <Route path="/item/:id" component={ItemPage} />
              <Route path="/browse/:library?" component={BrowsePage} />
              <Route path="/map" component={MapPage} />
              <Route path="/timeline" component={TimelinePage} />
              <Route path="/libraries/history" component={ScanHistoryPage} />
              <Route path="/libraries/:action?" component={LibrariesPage} />
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
      <KeyHelp opened={overlay === 'keys'} onClose={close} />
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'explain' && <ExplainDialog onClose={close} />}
      </Suspense>
      <SignInAgain />
    </div>
  );
}
