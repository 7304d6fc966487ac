import { fireEvent, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import type { Scan } from '../api/types.ts';
import { FacetRow, FacetSection } from '../components/facet.tsx';
import { RecentScans } from '../pages/libraries/recent-scans.tsx';
import { useKeys } from './keys.ts';
import { listProps, readOnlyListProps, useListKeys } from './list-keys.ts';

function Page({ children, pageKeys = {} }: { children: ReactNode; pageKeys?: Parameters<typeof useKeys>[0] }) {
  useKeys(pageKeys);
  useListKeys();
  return children;
}

/** A page with one list: a link in the first row, then the given rows. */
const showList = (others: ReactNode) =>
  render(
    <Page>
      <ul {...listProps}>
        <li>
          <a href="#/one">one</a>
        </li>
        {others}
      </ul>
    </Page>,
  );

const here = (): string => document.activeElement?.textContent ?? '';

test('arrow keys move by row and stop at the ends; Home and End go to the first and last row', async () => {
  const pageDown = vi.fn();
  render(
    <Page pageKeys={{ ArrowDown: pageDown }}>
      <ul {...listProps}>
        {['one', 'two', 'three'].map((name) => (
          <li key={name}>
            <button type="button">remove</button>
            <a href={`#/${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Page>,
  );
  document.querySelector<HTMLElement>('a')!.focus();
  const seen: string[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'ArrowUp', 'End']) {
    await userEvent.keyboard(`{${key}}`);
    seen.push(here());
  }
  expect(seen).toEqual(['two', 'three', 'three', 'two', 'one', 'one', 'three']);
  // The list handled the key, so the page shortcut does not run.
  expect(pageDown).not.toHaveBeenCalled();
});

test('Left and Right move only in a horizontal list', async () => {
  const { getByText } = render(
    <Page>
      {(['across', ''] as const).map((way) => (
        <ul key={way} data-list={way}>
          <li>
            <a href="#/1">first {way}</a>
          </li>
          <li>
            <a href="#/2">second {way}</a>
          </li>
        </ul>
      ))}
    </Page>,
  );
  getByText('first across').focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(here()).toBe('second across');
  await userEvent.keyboard('{ArrowLeft}');
  expect(here()).toBe('first across');
  getByText('first').focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(here()).toBe('first ');
});

test('Tab reaches a read-only list, and the arrow keys its rows', async () => {
  render(
    <Page>
      <table>
        <thead>
          <tr>
            <th>When</th>
          </tr>
        </thead>
        <tbody {...readOnlyListProps}>
          <tr>
            <td>first</td>
          </tr>
          <tr>
            <td>second</td>
          </tr>
        </tbody>
      </table>
    </Page>,
  );
  await userEvent.tab();
  expect(document.activeElement?.tagName).toBe('TBODY');
  await userEvent.keyboard('{ArrowDown}');
  expect([document.activeElement?.tagName, here()]).toEqual(['TR', 'first']);
  await userEvent.keyboard('{End}');
  expect(here()).toBe('second');
  expect((document.activeElement as HTMLElement).tabIndex).toBe(-1);
});

test('only a button marked as the main control is entered, never one that may delete something', async () => {
  const [removed, edited] = [vi.fn(), vi.fn()];
  const { getByText } = render(
    <Page>
      <ul {...listProps}>
        <li>
          <button type="button" onClick={removed}>
            Remove
          </button>
        </li>
        <li>
          <button type="button" onClick={removed}>
            Remove it
          </button>
          <button type="button" data-main onClick={edited}>
            Edit
          </button>
        </li>
      </ul>
    </Page>,
  );
  getByText('Edit').focus();
  await userEvent.keyboard('{ArrowUp}');
  expect(document.activeElement?.tagName).toBe('LI');
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  expect(removed).not.toHaveBeenCalled();
  expect(edited).toHaveBeenCalledOnce();
});

test('Enter activates the main control of a focused card and toggles a checkbox', async () => {
  const [opened, ticked] = [vi.fn(), vi.fn()];
  const { getByText, getAllByRole } = render(
    <Page>
      <div {...listProps}>
        <article data-row="self">
          <button type="button">Scan</button>
        </article>
        <article data-row="self">
          <button type="button" data-main onClick={opened}>
            More
          </button>
        </article>
      </div>
      <section {...listProps}>
        <label data-row>
          <input type="checkbox" onChange={ticked} /> Image
        </label>
        <label data-row>
          <input type="checkbox" onChange={ticked} /> Video
        </label>
      </section>
    </Page>,
  );
  getByText('Scan').focus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(opened).toHaveBeenCalledOnce();
  const [image, video] = getAllByRole('checkbox');
  image!.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(video);
  await userEvent.keyboard('{Enter}');
  expect(ticked).toHaveBeenCalledOnce();
  expect((video as HTMLInputElement).checked).toBe(true);
});

test('inputs, scrollable elements and open menus keep their keys', () => {
  const { container } = showList(
    <li>
      <input />
      <textarea />
      <select />
      <input type="range" />
      <input role="combobox" aria-expanded="false" aria-controls="none" />
      <pre tabIndex={-1}>patterns</pre>
      <button type="button" aria-expanded="true">
        More
      </button>
      <div role="menu">
        <button type="button" role="menuitem">
          Rename
        </button>
      </div>
    </li>,
  );
  const keepers = container.querySelectorAll<HTMLElement>('input, textarea, select, pre, button');
  expect(keepers).toHaveLength(8);
  for (const keeper of keepers) {
    keeper.focus();
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter']) {
      // True means that the default was not prevented.
      expect([keeper.tagName, key, fireEvent.keyDown(keeper, { key })]).toEqual([keeper.tagName, key, true]);
    }
    expect(document.activeElement).toBe(keeper);
  }
});

test('search results, trees and tabs keep their own keys, also inside a list', async () => {
  const moved = vi.fn();
  const { getByRole } = render(
    <Page pageKeys={{ ArrowDown: moved }}>
      <div role="grid" aria-label="Results" tabIndex={0}>
        <div role="row" tabIndex={-1}>
          pebble
        </div>
      </div>
      <ul {...listProps}>
        <li>
          <div role="tree" aria-label="Folders" tabIndex={0} />
        </li>
        <li>
          <div role="tablist" aria-label="Tabs" tabIndex={0} />
        </li>
      </ul>
    </Page>,
  );
  for (const role of ['grid', 'tree', 'tablist']) {
    getByRole(role).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(getByRole(role));
  }
  expect(moved).toHaveBeenCalledTimes(3);
});

test('keys with a modifier, and keys that were already handled, are ignored', () => {
  const { getByText } = showList(
    <li>
      <a href="#/two" onKeyDown={(event) => event.preventDefault()}>
        two
      </a>
    </li>,
  );
  getByText('one').focus();
  for (const modifier of [{ shiftKey: true }, { ctrlKey: true }, { altKey: true }, { metaKey: true }])
    fireEvent.keyDown(getByText('one'), { key: 'ArrowDown', ...modifier });
  expect(here()).toBe('one');
  getByText('two').focus();
  fireEvent.keyDown(getByText('two'), { key: 'ArrowUp' });
  expect(here()).toBe('two');
});

test('filter values and scans are lists with these keys', async () => {
  const change = vi.fn();
  const scan = (id: string) => ({ id, status: 'finished', library_id: 'l1', started_at: '2026-05-01T12:00:00Z' }) as unknown as Scan;
  const { getByRole, getAllByRole } = render(
    <Page>
      <FacetSection title="File type" onClear={() => {}}>
        <FacetRow value="image" label="Image" count={2} share={1} checked={false} onToggle={change} />
        <FacetRow value="video" label="Video" count={1} share={0.5} checked={false} onToggle={change} />
      </FacetSection>
      <RecentScans scans={[scan('s1'), scan('s2')]} libraries={[]} />
    </Page>,
  );
  getByRole('button', { name: 'Clear file type' }).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(document.activeElement).toBe(getByRole('checkbox', { name: /Video/ }));
  expect(change).toHaveBeenCalledOnce();
  await userEvent.tab();
  await userEvent.keyboard('{End}');
  expect(document.activeElement).toBe(getAllByRole('row').at(-1));
});
