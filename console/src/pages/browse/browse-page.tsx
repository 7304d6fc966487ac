import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  ChartNoAxesGantt,
  ChevronRight,
  CircleCheck,
  Columns3,
  LayoutGrid,
  Library as LibraryIcon,
  List,
  RefreshCw,
  Search,
} from 'lucide-react';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { useParams, useSearch } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import * as reports from '../../api/reports.ts';
import type { TreeResponse } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { EmptyState, ErrorState, Loading, NoAccess } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { baseName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { ExportMenu } from '../reports/export-menu.tsx';
import { InspectorFrame } from '../search/inspector-frame.tsx';
import { searchHref } from '../search/search-state.ts';
import { StartSearch } from '../search/start-search.tsx';
import s from './browse-page.module.css';
import { FolderColumns } from './folder-columns.tsx';
import { FolderMap, SmallMap } from './folder-map.tsx';
import { FolderTree } from './folder-tree.tsx';
import { FolderView } from './folder-view.tsx';
import { ancestors, type BrowseView, browseHref, parentOf, readDisplay, treeLines } from './tree-lines.ts';
import type { FileSort } from './use-folder-files.ts';
import { useFolders } from './use-folders.ts';

const Inspector = lazy(() => import('../item/inspector.tsx').then((part) => ({ default: part.Inspector })));
const QuickLook = lazy(() => import('../search/quick-look.tsx').then((part) => ({ default: part.QuickLook })));

const countsOf = ({ folders_total, total_items }: TreeResponse): string =>
  [...(folders_total > 0 ? [t('{n|# folder|# folders}', { n: folders_total })] : []), t('{n|# file|# files}', { n: total_items })].join(
    ', ',
  );

const VIEWS = [
  { value: 'list' as const, label: t('List'), icon: List },
  { value: 'grid' as const, label: t('Grid'), icon: LayoutGrid },
  { value: 'columns' as const, label: t('Columns'), icon: Columns3 },
  { value: 'map' as const, label: t('Treemap'), icon: ChartNoAxesGantt },
];
/** Columns need more width than a phone has. */
const NARROW_VIEWS = VIEWS.filter(({ value }) => value !== 'columns');
const NO_WORDS: string[] = [];

/** One library as a file manager: the folder tree, the files of the selected folder, and the details of the selected file. */
export default function BrowsePage() {
  const { library: libraryId } = useParams<{ library?: string }>();
  const params = new URLSearchParams(useSearch());
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const { can } = useSession();
  const library = libraryId === undefined ? libraries.data?.[0] : libraries.data?.find((one) => one.id === libraryId);
  usePageTitle(library ? t('Browse {name}', { name: library.name }) : t('Browse'));
  if (libraries.error && !libraries.data) return <ErrorState error={libraries.error} retry={() => void libraries.refetch()} />;
  if (!libraries.data) return <Skeleton layout="browse" what={t('libraries')} />;
  if (libraries.data.length === 0 && !can('admin')) return <NoAccess wholePage />;
  if (!library && libraryId !== undefined)
    return (
      <EmptyState wholePage title={t('Library not found')} actions={<ButtonLink href="#/libraries">{t('Go to Libraries')}</ButtonLink>}>
        {t('It was removed, you do not have access to it, or the link is wrong.')}
      </EmptyState>
    );
  if (!library)
    return (
      <EmptyState wholePage title={t('No libraries yet')} actions={<ButtonLink href="#/libraries">{t('Go to Libraries')}</ButtonLink>}>
        {t('Folders appear here after a library is scanned.')}
      </EmptyState>
    );
  return (
    <BrowseLibrary
      key={library.id}
      id={library.id}
      name={library.name}
      scannedAt={library.last_scan?.finished_at ?? null}
      path={params.get('path') ?? ''}
      file={params.get('file') ?? ''}
      {...readDisplay(params)}
      others={libraries.data.filter((l) => l.id !== library.id)}
    />
  );
}

function BrowseLibrary({
  id,
  name,
  scannedAt,
  path,
  file,
  view,
  sort,
  others,
}: {
  id: string;
  name: string;
  scannedAt: string | null;
  path: string;
  /** The selected file, or ''. */
  file: string;
  view: BrowseView;
  sort: FileSort;
  others: { id: string; name: string }[];
}) {
  const { can } = useSession();
  const [open, setOpen] = useState<Set<string>>(() => new Set(ancestors(path)));
  const [by, setBy] = useState<'size' | 'count'>('size');
  const [show, setShow] = useState<'tree' | 'files'>('files');
  const [quickLook, setQuickLook] = useState<{ id: string; ids: string[] } | null>(null);
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false }) ?? false;
  const tablet = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false }) ?? false;
  const hrefOf = (folder: string, one = '') => browseHref(id, folder, one, { view, sort });
  const go = (next: string, replace = false) => navigate(hrefOf(next), { replace });
  const setFile = (next: string) => navigate(hrefOf(path, next), { replace: true });
  const display = (next: { view: BrowseView; sort: FileSort }) => {
    if (next.view !== view || next.sort !== sort) navigate(browseHref(id, path, file, next));
  };
  const setView = (next: BrowseView) => display({ view: next, sort });

  useEffect(() => setOpen((now) => new Set([...now, ...ancestors(path).slice(0, -1), ''])), [path]);

  const { levels, here, mapTree, root, totalFiles, totalBytes, loadMore, error, retry } = useFolders({ id, name, path, open, by });
  const lines = treeLines({ name, files: totalFiles, bytes: totalBytes }, (p) => levels.get(p), open);

  const toggle = (p: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(p)) next.add(p);
      return next;
    });
  const select = (p: string) => go(p, true);
  const enter = (p: string) => {
    setOpen((now) => new Set([...now, p]));
    go(p);
  };
  const openFile = (one: string) => navigate(`/item/${one}`);
  useKeys({
    Backspace: () => (path ? go(parentOf(path)) : false),
    1: () => setView('list'),
    2: () => setView('grid'),
    3: () => setView('columns'),
    4: () => setView('map'),
  });

  const filesHere = here?.total_files ?? null;
  const shown = phone && view === 'columns' ? 'list' : view;

  return (
    <>
      <TopBar>
        <StartSearch placeholder={t('Search in {name}', { name })} state={{ libraries: [id], path }} />
      </TopBar>
      <nav className={s.crumbs} aria-label={t('Breadcrumb')}>
        <ButtonLink variant="ghost" size="s" href="#/libraries">
          <LibraryIcon size={16} aria-hidden />
          {t('Libraries')}
        </ButtonLink>
        {ancestors(path).map((p) => (
          <Fragment key={p}>
            <ChevronRight size={14} aria-hidden />
            {p === path ? (
              <h1 className="b cut" style={{ padding: '0 8px', font: '600 13px/20px var(--font)' }}>
                {p ? baseName(p) : name}
              </h1>
            ) : (
              <Button variant="ghost" size="s" onClick={() => go(p)}>
                {p ? baseName(p) : name}
              </Button>
            )}
          </Fragment>
        ))}
        <span className="grow" />
        {filesHere !== null && (
          <ButtonLink size="s" href={`#${searchHref({ libraries: [id], path })}`}>
            <Search size={16} aria-hidden />
            {t('Search {filesHere|# file|# files}', { filesHere })}
          </ButtonLink>
        )}
        {can('write') && (
          <Button
            size="s"
            className="sm-hide"
            onClick={() =>
              void catalog.scanFolder(id, path).then(
                () => toast(t('Scan of {path} started', { path: path ? baseName(path) : name })),
                (error: unknown) => toast(t('Could not start the scan. {errorMessage}', { errorMessage: errorMessage(error) })),
              )
            }
          >
            <RefreshCw size={16} aria-hidden />
            {t('Scan this folder')}
          </Button>
        )}
        <span className="sm-hide">
          <ExportMenu
            total={here ? here.total_files : null}
            directUrl={(format) => `/api/v1/libraries/${id}/export?${new URLSearchParams({ format, path })}`}
            inBackground={(format) => reports.startExport({ source: { kind: 'folder', library_id: id, path }, format })}
            variant="ghost"
            size="s"
          />
        </span>
        <span className={s.narrow}>
          <Segmented
            label={t('View')}
            value={show}
            onChange={setShow}
            options={[
              { value: 'tree', label: t('Folders') },
              { value: 'files', label: t('Files') },
            ]}
          />
        </span>
      </nav>
      {error && lines.length <= 1 ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <div className={s.cols} data-show={show}>
          <section className={s.side} aria-label={t('Folders')}>
            <FolderTree lines={lines} selected={path} onSelect={select} onToggle={toggle} onMore={loadMore} />
            {shown !== 'map' && !phone && (
              <SmallMap root={root} path={path} onSelect={select} onEnter={enter} onOpen={() => setView('map')} />
            )}
            {others.length > 0 && path === '' && (
              <div className={`${s.foot} row g2 wrap meta`}>
                <span className="muted">{t('Other libraries')}</span>
                {others.map((one) => (
                  <a
                    key={one.id}
                    href={`#${browseHref(one.id, '', '', { view, sort })}`}
                    style={{ color: 'var(--accent-text)', fontWeight: 500 }}
                  >
                    {one.name}
                  </a>
                ))}
              </div>
            )}
            <div className={`${s.foot} row g2 meta muted`}>
              <CircleCheck size={14} aria-hidden />
              <span>
                {scannedAt
                  ? t('Last scan: {scannedAt}', { scannedAt: formatRecent(scannedAt) })
                  : t('Sizes are incomplete until the first scan finishes')}
              </span>
            </div>
          </section>
          <section className={s.main} aria-label={t('Files')}>
            <div className={s.tools}>
              <span className="cut">
                <b className="b">{here ? countsOf(here) : name}</b>
                <span className="muted">
                  {here && ' · '}
                  {here && here.folders_total > 0
                    ? t('{total_files|# file|# files} and {total_bytes} with subfolders', {
                        total_files: here.total_files,
                        total_bytes: formatBytes(here.total_bytes),
                      })
                    : here
                      ? formatBytes(here.total_bytes)
                      : ''}
                </span>
              </span>
              <span className="grow" />
              {shown === 'map' && (
                <Segmented
                  label={t('Tile size')}
                  value={by}
                  onChange={setBy}
                  options={[
                    { value: 'size', label: t('Size') },
                    { value: 'count', label: t('Count') },
                  ]}
                />
              )}
              <Segmented label={t('Show as')} value={shown} onChange={setView} options={phone ? NARROW_VIEWS : VIEWS} />
            </div>
            {error && !here ? (
              <ErrorState error={error} retry={retry} />
            ) : shown === 'map' ? (
              <FolderMap root={root} tree={mapTree} path={path} by={by} onSelect={select} onEnter={enter} />
            ) : shown === 'columns' ? (
              <FolderColumns
                library={id}
                name={name}
                path={path}
                foldersOf={(folder) => levels.get(folder) ?? { folders: [], total: 0 }}
                onMore={loadMore}
                sort={sort}
                selected={file}
                onShow={(folder, one) => navigate(hrefOf(folder, one), { replace: true })}
                onOpen={openFile}
                onQuickLook={(one, ids) => setQuickLook({ id: one, ids })}
              />
            ) : (
              <FolderView
                library={id}
                path={path}
                folders={levels.get(path)?.folders ?? []}
                more={(levels.get(path)?.total ?? 0) - (levels.get(path)?.folders.length ?? 0)}
                grid={shown === 'grid'}
                sort={sort}
                selected={file}
                touch={phone}
                onSort={(next) => display({ view, sort: next })}
                onSelect={setFile}
                onEnter={enter}
                onMore={() => loadMore(path)}
                onOpen={openFile}
                onQuickLook={(one, ids) => setQuickLook({ id: one, ids })}
              />
            )}
          </section>
          {file !== '' && !phone && (
            <InspectorFrame narrow={tablet}>
              <Suspense fallback={<Loading what={t('the file')} />}>
                <Inspector
                  id={file}
                  words={NO_WORDS}
                  href={`#/item/${file}`}
                  onQuickLook={() => setQuickLook({ id: file, ids: [file] })}
                  onClose={() => setFile('')}
                />
              </Suspense>
            </InspectorFrame>
          )}
        </div>
      )}
      {quickLook && (
        <Suspense>
          <QuickLook
            id={quickLook.id}
            words={NO_WORDS}
            href={`#/item/${quickLook.id}`}
            onStep={(by) => {
              const next = quickLook.ids[quickLook.ids.indexOf(quickLook.id) + by];
              if (!next) return;
              setQuickLook({ ...quickLook, id: next });
              setFile(next);
            }}
            onClose={() => setQuickLook(null)}
          />
        </Suspense>
      )}
    </>
  );
}
