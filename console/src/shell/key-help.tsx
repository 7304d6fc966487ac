import { Modal, Switch } from '@mantine/core';
import { Kbd } from '../components/button.tsx';
import { t } from '../language/text.ts';
import s from './key-help.module.css';
import { setPreference, usePreferences } from './preferences.ts';

const KEYS: readonly { group: string; keys: readonly [keys: string, does: string][] }[] = [
  {
    group: t('Everywhere'),
    keys: [
      ['/', t('Search')],
      [t('Ctrl K'), t('Commands')],
      ['?', t('Keyboard shortcuts')],
      ['E', t('Explain a path')],
      ['Esc', t('Close, then clear')],
      [t('Ctrl Z'), t('Undo')],
      ['Backspace', t('Parent folder')],
      ['G H', t('Go to Home')],
      ['G S', t('Go to Search')],
      ['G B', t('Go to Browse')],
      ['G L', t('Go to Libraries')],
      ['G T', t('Go to Timeline')],
      ['G R', t('Go to Reports')],
      ['G A', t('Go to Alerts')],
      ['G J', t('Go to Jobs')],
    ],
  },
  {
    group: t('Lists'),
    keys: [
      ['↑ ↓', t('Move')],
      [t('Home End'), t('First, last')],
      ['Enter', t('Open')],
    ],
  },
  {
    group: t('Search results'),
    keys: [
      ['← →', t('Move in the grid')],
      ['Space', t('Quick look')],
      ['X', t('Select')],
      [t('Ctrl Space'), t('Select')],
      [t('Shift ↑ ↓'), t('Select a range')],
      [t('Ctrl A'), t('Select all results')],
    ],
  },
  {
    group: t('Browse'),
    keys: [
      ['1 2 3 4', t('List, grid, columns, treemap')],
      ['← →', t('Previous, next column')],
    ],
  },
  {
    group: t('Timeline'),
    keys: [
      [t('PgUp PgDn'), t('Previous, next month')],
      [t('Shift PgUp PgDn'), t('Previous, next year')],
    ],
  },
  {
    group: t('Compare'),
    keys: [
      ['S', t('Swipe')],
      ['D', t('Difference')],
      ['Z', t('Zoom')],
    ],
  },
  {
    group: t('Files'),
    keys: [
      ['T', t('Add a tag')],
      ['N', t('Add a note')],
      ['C', t('Copy path')],
      ['[ ]', t('Previous, next file')],
      ['J K', t('Next, previous match')],
      ['+ −', t('Zoom in, out')],
      ['0', t('Fit to page')],
      [t('PgUp PgDn'), t('Previous, next page')],
      [', .', t('Rotate a 3D model')],
    ],
  },
  {
    group: t('Alerts'),
    keys: [
      ['A', t('Acknowledge')],
      ['S', t('Silence')],
      ['N', t('New rule')],
      [t('Ctrl Enter'), t('Save')],
    ],
  },
  {
    group: t('View'),
    keys: [
      ['1 2 3', t('List, grid, map')],
      ['I', t('Details')],
      ['F', t('Filters')],
    ],
  },
];

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const { letterKeys } = usePreferences();
  return (
    <Modal opened onClose={onClose} title={t('Keyboard shortcuts')} size={640} closeButtonProps={{ 'aria-label': t('Close') }}>
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
        label={t('Single-letter shortcuts')}
        description={t('Turn off if you use speech input or if they conflict with another tool.')}
        checked={letterKeys}
        onChange={(event) => setPreference('letterKeys', event.currentTarget.checked)}
      />
    </Modal>
  );
}
