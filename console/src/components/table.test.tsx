import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderWithProviders } from '../test-render.tsx';
import { RowActions, Table } from './table.tsx';

const people = [
  { id: 'a', name: 'Ada' },
  { id: 'b', name: 'Bo' },
];
const columns = [{ head: 'Name', cell: (one: { name: string }) => one.name }];

test('the buttons of a row name the row', async () => {
  const remove = vi.fn();
  renderWithProviders(
    <Table
      rows={people}
      keyOf={(one) => one.id}
      columns={columns}
      actions={(one) => <RowActions name={one.name} onEdit={() => {}} onRemove={() => remove(one.id)} />}
    />,
  );
  const row = screen.getByRole('row', { name: /^Bo/ });
  expect(within(row).getByRole('button', { name: 'Edit Bo' }).dataset['main']).toBe('true');
  await userEvent.click(within(row).getByRole('button', { name: 'Remove Bo' }));
  expect(remove).toHaveBeenCalledWith('b');
});

test('a read-only table is one tab stop; a table with buttons is reached through them', () => {
  const { container, unmount } = renderWithProviders(<Table rows={people} keyOf={(one) => one.id} columns={columns} />);
  expect(container.querySelector('tbody[data-list]')?.getAttribute('tabindex')).toBe('0');
  unmount();
  const other = renderWithProviders(
    <Table rows={people} keyOf={(one) => one.id} columns={columns} actions={(one) => <RowActions name={one.name} onEdit={() => {}} />} />,
  );
  expect(other.container.querySelector('tbody[data-list]')?.hasAttribute('tabindex')).toBe(false);
});

test('a table without rows is not a tab stop', () => {
  const { container } = renderWithProviders(<Table rows={[]} keyOf={String} columns={columns} />);
  expect(container.querySelector('[data-list]')).toBeNull();
});
