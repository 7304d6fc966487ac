import type { Page } from 'playwright-core';

/** Something that opens over a page: where, by which control, and what then is there. */
export interface Overlay {
  name: string;
  at: string;
  /** Brings the page to where the control is. */
  before?: (page: Page) => Promise<unknown>;
  /** The control that opens it; the focus returns there. */
  by: (page: Page) => ReturnType<Page['getByRole']>;
  opens: 'dialog' | 'menu' | 'listbox';
  /** Where the focus goes instead, so that the arrows move on. */
  back?: Overlay['by'];
  /** Where only one layout has it. */
  only?: 'desktop' | 'phone';
  /** Looked at once more after this: another tab of the dialog, an answer in it. */
  further?: ((page: Page) => Promise<unknown>)[];
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const cardOf = (library: string, name: string | RegExp) => (page: Page) =>
  page.getByRole('article', { name: library, exact: true }).getByRole('button', { name });
const selectAll = async (page: Page) => {
  await page.getByRole('row').first().waitFor();
  await page.getByRole('grid', { name: 'Results' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('toolbar', { name: 'Chosen files' }).waitFor();
};
const tab = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('tab', { name }).click();

/** Every dialog, menu and sheet of the console. The catalog has a library Studio, an emptied one and a person called tor. */
export const OVERLAYS: Overlay[] = [
  {
    name: 'commands',
    at: '?q=harbour',
    by: button(/^Commands/),
    opens: 'dialog',
    only: 'desktop',
    further: [(page) => page.keyboard.type('scan')],
  },
  { name: 'keys', at: '?q=harbour', by: button('Keyboard help'), opens: 'dialog', only: 'desktop' },
  { name: 'filter-menu', at: '?q=harbour', by: button(/^Filter$/), opens: 'menu', only: 'desktop' },
  { name: 'sort-menu', at: '?q=harbour', by: button(/^Sorted by/), opens: 'menu' },
  { name: 'save-search', at: '?q=harbour', by: button('Save search'), opens: 'dialog', only: 'desktop' },
  {
    name: 'status-choice',
    at: '?q=harbour',
    by: (page) => page.getByRole('combobox', { name: 'Status' }),
    opens: 'listbox',
    only: 'desktop',
  },
  { name: 'filters-sheet', at: '?q=harbour', by: button(/^Filters/), opens: 'dialog', only: 'phone' },
  { name: 'more-pages', at: '?q=harbour', by: button(/^More$/), opens: 'menu', only: 'phone' },
  { name: 'tag-many', at: '?q=harbour', before: selectAll, by: button(/^Tag$/), opens: 'dialog' },
  { name: 'note-many', at: '?q=harbour', before: selectAll, by: button(/^Note$/), opens: 'dialog', only: 'desktop' },
  {
    name: 'quick-look',
    at: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    by: button('Quick look'),
    back: (page) => page.getByRole('grid', { name: 'Results' }),
    opens: 'dialog',
    only: 'desktop',
  },
  {
    name: 'file-menu',
    at: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    by: button(/^More/),
    opens: 'menu',
    only: 'desktop',
  },
  { name: 'explain', at: 'libraries', by: button(/^Explain a path/), opens: 'dialog', only: 'desktop' },
  {
    name: 'new-library',
    at: 'libraries',
    by: (page) =>
      page
        .getByRole('link', { name: 'New library' })
        .or(page.getByRole('button', { name: 'New library' }))
        .first(),
    opens: 'dialog',
    further: [tab('Kinds'), tab('Leave out'), tab('Scans'), tab('Content')],
  },
  { name: 'library-menu', at: 'libraries', by: cardOf('Studio', 'More about Studio'), opens: 'menu' },
  { name: 'force', at: 'libraries', by: cardOf('emptied', 'Mark as missing…'), opens: 'dialog' },
  { name: 'errors', at: 'libraries', by: cardOf('Studio', 'Review'), opens: 'dialog' },
  { name: 'new-kind', at: 'taxonomy', by: button('New kind'), opens: 'dialog' },
  { name: 'new-group', at: 'taxonomy', by: button('New group'), opens: 'dialog' },
  { name: 'new-preset', at: 'presets', by: button('New preset'), opens: 'dialog' },
  { name: 'copy-preset', at: 'presets', by: button('Copy'), opens: 'dialog' },
  { name: 'new-field', at: 'fields', by: button('New field'), opens: 'dialog' },
  { name: 'new-key', at: 'account', by: button('New key'), opens: 'dialog' },
  { name: 'new-person', at: 'admin', by: button('New person'), opens: 'dialog' },
  { name: 'remove-person', at: 'admin', by: button('Remove tor'), opens: 'dialog' },
  { name: 'new-role', at: 'admin/roles', by: button('New role'), opens: 'dialog' },
  { name: 'who-may', at: 'admin/rules', by: (page) => page.getByRole('combobox', { name: 'What' }), opens: 'listbox' },
];
