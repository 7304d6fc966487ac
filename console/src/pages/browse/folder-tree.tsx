import { ChevronDown, ChevronRight, Folder, FolderOpen } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatBytes } from '../../format/numbers.ts';
import { inReadingDirection } from '../../language/direction.ts';
import { t } from '../../language/text.ts';
import s from './browse-page.module.css';
import { parentOf, type TreeLine } from './tree-lines.ts';

interface FolderTreeProps {
  lines: TreeLine[];
  selected: string;
  onSelect: (path: string) => void;
  onToggle: (path: string) => void;
  /** Loads more subfolders of a folder. */
  onMore: (path: string) => void;
}

/** The folder tree, with the keyboard interaction of the ARIA tree pattern. */
export function FolderTree({ lines, selected, onSelect, onToggle, onMore }: FolderTreeProps) {
  const box = useRef<HTMLDivElement>(null);
  const at = lines.findIndex((line) => line.path === selected && !line.more);
  useEffect(() => {
    box.current?.querySelector(`[data-line="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  // Moving onto the "Show more" line loads more folders.
  const go = (to: number) => {
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
    if (line) line.more ? onMore(line.path) : onSelect(line.path);
  };
  const up = (from: number): number => lines.findLastIndex((line, i) => i < from && !line.more);
  const keys = (event: KeyboardEvent) => {
    const line = lines[at];
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(up(at));
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(up(lines.length));
    else if (inReadingDirection(event.key) === 'ArrowRight' && line) line.open ? go(at + 1) : onToggle(line.path);
    else if (inReadingDirection(event.key) === 'ArrowLeft' && line)
      line.open ? onToggle(line.path) : line.path && onSelect(parentOf(line.path));
    else if (event.key === 'Enter' && line) onToggle(line.path);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <div className={s.head} aria-hidden>
        <span>{t('Folder')}</span>
        <span className="num" style={{ color: 'var(--text-1)' }}>
          {t('Size')}
        </span>
      </div>
      <div
        ref={box}
        className={s.tree}
        role="tree"
        aria-label={t('Folders')}
        tabIndex={0}
        aria-activedescendant={at >= 0 ? `folder-${at}` : undefined}
        onKeyDown={keys}
      >
        {lines.map((line, i) =>
          line.more ? (
            <MoreLine key={`${line.path}/`} line={line} onMore={onMore} />
          ) : (
            <div
              key={line.path}
              id={`folder-${i}`}
              data-line={i}
              className={s.line}
              role="treeitem"
              tabIndex={-1}
              aria-level={line.depth + 1}
              aria-expanded={line.expandable ? line.open : undefined}
              aria-selected={line.path === selected}
              onClick={() => onSelect(line.path)}
              onDoubleClick={() => onToggle(line.path)}
              onKeyDown={() => {}}
            >
              <span className={s.name} style={{ paddingInlineStart: line.depth * 16 }}>
                <button
                  type="button"
                  className={s.toggle}
                  tabIndex={-1}
                  aria-hidden
                  onClick={(event) => {
                    event.stopPropagation();
                    onToggle(line.path);
                  }}
                  style={{ visibility: line.expandable ? undefined : 'hidden' }}
                >
                  {line.open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
                </button>
                {line.open ? <FolderOpen size={16} aria-hidden /> : <Folder size={16} aria-hidden />}
                <bdi className="cut" title={line.name}>
                  {line.name}
                </bdi>
              </span>
              <span className={s.num}>{line.bytes === null ? '' : formatBytes(line.bytes)}</span>
            </div>
          ),
        )}
      </div>
    </>
  );
}

function MoreLine({ line: { path, depth, more = 0 }, onMore }: { line: TreeLine; onMore: (path: string) => void }) {
  return (
    <div
      className={s.line}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={false}
      onClick={() => onMore(path)}
      onKeyDown={() => {}}
    >
      <span className={s.more} style={{ paddingInlineStart: depth * 20 + 24 }}>
        {t('Show more folders ({more} left)', { more })}
      </span>
    </div>
  );
}
