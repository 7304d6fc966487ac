import { Modal, Switch } from '@mantine/core';
import { Kbd } from '../components/button.tsx';
import s from './key-help.module.css';
import { setPreference, usePreferences } from './preferences.ts';

const KEYS: readonly { group: string; keys: readonly [keys: string, does: string][] }[] = [
  {
    group: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['Ctrl K', 'Commands'],
      ['?', 'Keyboard shortcuts'],
      ['E', 'Explain a path'],
      ['Esc', 'Close, then clear'],
      ['Ctrl Z', 'Undo'],
      ['Backspace', 'Parent folder'],
      ['G H', 'Go to Home'],
      ['G S', 'Go to Search'],
      ['G B', 'Go to Browse'],
      ['G L', 'Go to Libraries'],
      ['G T', 'Go to Timeline'],
      ['G R', 'Go to Reports'],
      ['G A', 'Go to Alerts'],
      ['G J', 'Go to Jobs'],
    ],
  },
  {
    group: 'Lists',
    keys: [
      ['↑ ↓', 'Move'],
      ['Home End', 'First, last'],
      ['Enter', 'Open'],
    ],
  },
  {
    group: 'Search results',
    keys: [
      ['← →', 'Move in the grid'],
      ['Space', 'Quick look'],
      ['X', 'Select'],
      ['Ctrl Space', 'Select'],
      ['Shift ↑ ↓', 'Select a range'],
      ['Ctrl A', 'Select all results'],
    ],
  },
  {
    group: 'Timeline',
    keys: [
      ['PgUp PgDn', 'Previous, next month'],
      ['Shift PgUp PgDn', 'Previous, next year'],
    ],
  },
  {
    group: 'Compare',
    keys: [
      ['S', 'Swipe'],
      ['D', 'Difference'],
      ['Z', 'Zoom'],
    ],
  },
  {
    group: 'Files',
    keys: [
      ['T', 'Add a tag'],
      ['N', 'Add a note'],
      ['C', 'Copy path'],
      ['[ ]', 'Previous, next file'],
      ['J K', 'Next, previous match'],
      ['+ −', 'Zoom in, out'],
      ['0', 'Fit to page'],
      ['PgUp PgDn', 'Previous, next page'],
      [', .', 'Rotate a 3D model'],
    ],
  },
  {
    group: 'Alerts',
    keys: [
      ['A', 'Acknowledge'],
      ['S', 'Silence'],
      ['N', 'New rule'],
      ['Ctrl Enter', 'Save'],
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
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={640} closeButtonProps={{ 'aria-label': 'Close' }}>
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
        label="Single-letter shortcuts"
        description="Turn off if you use speech input or if they conflict with another tool."
        checked={letterKeys}
        onChange={(event) => setPreference('letterKeys', event.currentTarget.checked)}
      />
    </Modal>
  );
}
