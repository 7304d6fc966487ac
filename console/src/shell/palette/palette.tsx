import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command as CommandIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as searchApi from '../../api/search.ts';
import type { SearchHit } from '../../api/types.ts';
import { Kbd } from '../../components/button.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { parentFolder, visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../hash-location.ts';
import { useSession } from '../session.tsx';
import { allCommands, type Command, filterCommands } from './commands.ts';
import s from './palette.module.css';

const fileCommand = (hit: SearchHit): Command => ({
  id: `file-${hit.id}`,
  label: visibleName(hit.filename),
  icon: categoryStyle(hit.file_category).icon,
  effect: parentFolder(hit.rel_path),
  href: `#/item/${hit.id}`,
  run: () => navigate(`/item/${hit.id}`),
});

/** The command palette (Ctrl K): commands, files and saved searches. */
export default function Palette({ onClose }: { onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose} size={640} yOffset={112} centered={false} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('Commands')} radius="lg">
        <PaletteBody onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function useGroups(typed: string): { title: string; commands: Command[] }[] {
  const { can } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: searchApi.savedSearches, staleTime: 30_000 });
  const [debounced] = useDebouncedValue(typed.trim(), 120);
  const files = useQuery({
    queryKey: ['palette', debounced],
    queryFn: ({ signal }) => searchApi.search({ q: debounced, limit: 5 }, signal),
    enabled: debounced.length > 1,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const all = allCommands({
      libraries: libraries.data ?? [],
      saved: saved.data ?? [],
      admin: can('admin'),
      write: can('write'),
      switchTheme: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    });
    return [
      { title: t('Commands'), commands: filterCommands(all.commands, typed).slice(0, typed ? 6 : 12) },
      { title: t('Files'), commands: debounced.length > 1 ? (files.data?.hits ?? []).map(fileCommand) : [] },
      { title: t('Saved searches'), commands: filterCommands(all.saved, typed).slice(0, 5) },
    ].filter((group) => group.commands.length > 0);
  }, [libraries.data, saved.data, files.data, typed, debounced, can, scheme, setColorScheme]);
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const groups = useGroups(typed);
  const flat = groups.flatMap((group) => group.commands);
  const chosen = Math.min(at, flat.length - 1);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const run = (command: Command | undefined, newTab: boolean) => {
    if (!command) return;
    onClose();
    if (newTab && command.href) window.open(command.href, '_blank', 'noopener');
    else command.run();
  };

  const keys = (event: KeyboardEvent) => {
    // These keys belong to the input method while it composes a word.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setAt((chosen + 1) % flat.length);
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + flat.length) % flat.length);
    else if (event.key === 'Enter') run(flat[chosen], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <>
      <div className={s.query}>
        <CommandIcon size={18} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-label={t('Find a command or file')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={flat[chosen] ? `${id}-${chosen}` : undefined}
          placeholder={t('Find a command or file')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={keys}
        />
        <Kbd>{t('Esc')}</Kbd>
      </div>
      <div className={s.list} id={`${id}-list`} role="listbox" aria-label={t('Results')} ref={list} tabIndex={-1}>
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div className={s.group} aria-hidden>
              {group.title}
            </div>
            {group.commands.map((command) => {
              index += 1;
              const mine = index;
              return (
                <div
                  key={command.id}
                  id={`${id}-${mine}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={mine === chosen}
                  className={s.option}
                  onPointerMove={() => mine !== chosen && setAt(mine)}
                  onClick={(event) => run(command, event.ctrlKey || event.metaKey)}
                  onKeyDown={keys}
                >
                  <command.icon size={16} aria-hidden />
                  <bdi className="cut">{command.label}</bdi>
                  <span className="grow" />
                  {command.effect && (
                    <span className={group.title === t('Files') ? 'muted mono cut' : 'muted meta cut'}>{command.effect}</span>
                  )}
                  {mine === chosen ? <Kbd>{t('Enter')}</Kbd> : command.keys ? <Kbd>{command.keys}</Kbd> : null}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {flat.length === 0 && <p className={s.none}>{t('No matching commands or files.')}</p>}
      <div className={s.foot} aria-hidden>
        <span>{t('↑ ↓ move')}</span>
        <span>{t('Enter open')}</span>
        <span>{t('Ctrl Enter open in new tab')}</span>
      </div>
    </>
  );
}
