import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CircleCheck, Library as LibraryIcon, RefreshCw, Search } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { useParams, useSearch } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { CategoryIcon } from '../../components/thumb.tsx';
import { toast } from '../../components/toast.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { formatRecent } from '../../format/dates.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { baseName, visibleName } from '../../format/paths.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { searchHref } from '../search/search-state.ts';
import s from './browse-page.module.css';
import { FolderTree } from './folder-tree.tsx';
import { ancestors, parentOf, treeLines } from './tree-lines.ts';
import { Treemap } from './treemap.tsx';
import { categoriesByArea } from './treemap-layout.ts';
import { useFolders } from './use-folders.ts';

/** The folders of one library as a tree and as a treemap with the same selection. */
export default function BrowsePage() {
  const { library: libraryId } = useParams<{ library?: string }>();
  const path = new URLSearchParams(useSearch()).get('path') ?? '';
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const library = libraries.data?.find((one) => one.id === libraryId) ?? libraries.data?.[0];
  usePageTitle(library ? `Browse ${library.name}` : 'Browse');
  if (libraries.error) return <ErrorState error={libraries.error} retry={() => void libraries.refetch()} />;
  if (!libraries.data) return <Loading what="libraries" />;
  if (!library)
    return (
      <EmptyState wholePage title="No libraries yet" actions={<ButtonLink href="#/libraries">Go to Libraries</ButtonLink>}>
        Folders appear here after a library is scanned.
      </EmptyState>
    );
  return (
    <BrowseLibrary
      key={library.id}
      id={library.id}
      name={library.name}
      scannedAt={library.last_scan?.finished_at ?? null}
      path={path}
      others={libraries.data.filter((l) => l.id !== library.id)}
    />
  );
}

function BrowseLibrary({
  id,
  name,
  scannedAt,
  path,
  others,
}: {
  id: string;
  name: string;
  scannedAt: string | null;
  path: string;
  others: { id: string; name: string }[];
}) {
  const { can } = useSession();
  const [open, setOpen] = useState<Set<string>>(() => new Set(ancestors(path)));
  const [by, setBy] = useState<'size' | 'count'>('size');
  const [show, setShow] = useState<'tree' | 'map'>('tree');
  const go = (next: string, replace = false) => navigate(`/browse/${id}${next ? `?path=${encodeURIComponent(next)}` : ''}`, { replace });

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
  useKeys({ Backspace: () => (path ? go(parentOf(path)) : false) });

  const filesHere = here?.total_files ?? null;
  const mapBytes = mapTree?.total_bytes ?? 0;
  const mapFiles = mapTree?.total_files ?? 0;

  return (
    <>
      <TopBar>
        <SearchBox value="" placeholder={`Search in ${name}`} onChange={(q) => q && navigate(searchHref({ q, libraries: [id], path }))} />
      </TopBar>
      <nav className={s.crumbs} aria-label="Breadcrumb">
        <ButtonLink variant="ghost" size="s" href="#/libraries">
          <LibraryIcon size={16} aria-hidden />
          Libraries
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
            Search {pluralize(filesHere, 'file')}
          </ButtonLink>
        )}
        {can('write') && (
          <Button
            size="s"
            className="sm-hide"
            onClick={() =>
              void catalog.scanFolder(id, path).then(
                () => toast(`Scan of ${path ? baseName(path) : name} started`),
                (error: unknown) => toast(`Could not start the scan. ${errorMessage(error)}`),
              )
            }
          >
            <RefreshCw size={16} aria-hidden />
            Scan this folder
          </Button>
        )}
        <span className={s.narrow}>
          <Segmented
            label="View"
            value={show}
            onChange={setShow}
            options={[
              { value: 'tree', label: 'Tree' },
              { value: 'map', label: 'Treemap' },
            ]}
          />
        </span>
      </nav>
      {error && lines.length <= 1 ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <div className={s.cols} data-show={show}>
          <section className={s.side} aria-label="Folders">
            <FolderTree lines={lines} selected={path} totalBytes={totalBytes} onSelect={select} onToggle={toggle} onMore={loadMore} />
            {others.length > 0 && path === '' && (
              <div className={`${s.foot} row g2 wrap meta`}>
                <span className="muted">Other libraries</span>
                {others.map((one) => (
                  <a key={one.id} href={`#/browse/${one.id}`} style={{ color: 'var(--accent-text)', fontWeight: 500 }}>
                    {one.name}
                  </a>
                ))}
              </div>
            )}
            <div className={`${s.foot} row g2 meta muted`}>
              <CircleCheck size={14} aria-hidden />
              <span>{scannedAt ? `Last scan: ${formatRecent(scannedAt)}` : 'Sizes are incomplete until the first scan finishes'}</span>
            </div>
          </section>
          <section className={s.main} aria-label="Treemap">
            <div className={s.tools}>
              <span className="cut">
                <b className="b">{mapTree?.path ? baseName(mapTree.path) : name}</b>{' '}
                <span className="muted">
                  {mapBytes > 0 ? `${formatBytes(mapBytes)} in ` : ''}
                  {pluralize(mapFiles, 'file')}
                </span>
              </span>
              <span className="grow" />
              <div className={s.legend} aria-hidden>
                {categoriesByArea(root)
                  .slice(0, 6)
                  .map(categoryStyle)
                  .map(({ color, label }) => (
                    <span key={label}>
                      <i style={{ background: color }} />
                      {label}
                    </span>
                  ))}
              </div>
              <Segmented
                label="Tile size"
                value={by}
                onChange={setBy}
                options={[
                  { value: 'size', label: 'Size' },
                  { value: 'count', label: 'Count' },
                ]}
              />
            </div>
            {error && !here ? (
              <ErrorState error={error} retry={retry} />
            ) : root.children?.length ? (
              <Treemap
                root={root}
                selected={path}
                words={(n) => (by === 'count' ? pluralize(n, 'file') : formatBytes(n))}
                onSelect={select}
                onEnter={enter}
              />
            ) : mapTree ? (
              <p className="muted" style={{ padding: 16 }}>
                No subfolders. {pluralize(mapTree.total_items, 'file')}.
              </p>
            ) : (
              <Loading what="folders" />
            )}
            {here && here.items.length > 0 && (
              <ul className={s.files} data-list aria-label="Files in this folder">
                {here.items.map((file) => (
                  <li key={file.id}>
                    <CategoryIcon category={file.file_category} labelled />
                    <a href={`#/item/${file.id}`} className="cut m5">
                      <bdi>{visibleName(file.filename)}</bdi>
                    </a>
                    <span className={s.num}>{formatBytes(file.size)}</span>
                  </li>
                ))}
                {here.total_items > here.items.length && (
                  <li>
                    <span />
                    <a href={`#${searchHref({ libraries: [id], path })}`} style={{ color: 'var(--accent-text)' }}>
                      Show all {formatCount(here.total_items)} files in search
                    </a>
                  </li>
                )}
              </ul>
            )}
          </section>
        </div>
      )}
    </>
  );
}
