import { Modal, Switch } from '@mantine/core';
import { Kbd } from '../components/kbd.tsx';
import s from './key-help.module.css';
import { setPreference, usePreferences } from './preferences.ts';

const KEYS: readonly { group: string; keys: readonly [keys: string, does: string][] }[] = [
  {
    group: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['Ctrl K', 'Commands'],
      ['?', 'This list'],
      ['E', 'Explain a path'],
      ['Esc', 'Close, then clear'],
      ['Ctrl Z', 'Undo'],
      ['Backspace', 'Up a folder'],
      ['G S', 'Go to Search'],
      ['G B', 'Go to Browse'],
      ['G L', 'Go to Libraries'],
      ['G J', 'Go to Jobs'],
    ],
  },
  {
    group: 'In every list',
    keys: [
      ['↑ ↓', 'Move'],
      ['Home End', 'First, last'],
      ['Enter', 'Open'],
    ],
  },
  {
    group: 'In search results',
    keys: [
      ['← →', 'Move in the grid'],
      ['Space', 'Quick look'],
      ['X', 'Select'],
      ['Ctrl Space', 'Select'],
      ['Shift ↑ ↓', 'Select a range'],
      ['Ctrl A', 'Select the whole result'],
    ],
  },
  {
    group: 'With a file',
    keys: [
      ['T', 'Tag'],
      ['N', 'Note'],
      ['C', 'Copy path'],
      ['[ ]', 'Previous, next file'],
      ['J K', 'Next, previous match'],
      ['+ −', 'Zoom in, out'],
      ['0', 'Fit to the page'],
      ['PgUp PgDn', 'Turn the pages of a document'],
      [', .', 'Turn a model'],
    ],
  },
  {
    group: 'View',
    keys: [
      ['1 2 3', 'List, grid, map'],
      ['I', 'Details'],
      ['F', 'Filters'],
    ],
  },
];

export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { letterKeys } = usePreferences();
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size={640} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={s.columns}>
        {KEYS.map((group) => (
          <section key={group.group}>
            <h3 className="b">{group.group}</h3>
            <dl className={s.list}>
              {group.keys.map(([keys, does]) => (
                <div key={keys + does}>
                  <dt>
                    {keys.split(' ').map((k) => (
                      <Kbd key={k}>{k}</Kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        mt={16}
        label="Single-letter keys"
        description="Switch them off when you speak to your computer or use another tool's shortcuts."
        checked={letterKeys}
        onChange={(event) => setPreference('letterKeys', event.currentTarget.checked)}
      />
    </Modal>
  );
}
