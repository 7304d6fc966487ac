import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { filterChips } from './chips.ts';
import { SearchHead } from './search-head.tsx';
import { EMPTY_SEARCH } from './search-state.ts';

test('a folder that becomes part of the query counts for all of its alternatives', async () => {
  const state = { ...EMPTY_SEARCH, q: 'boats OR ships', path: 'Old "harbour"' };
  const onChange = vi.fn();
  const none = () => {};
  renderWithProviders(
    <SearchHead
      state={state}
      chips={filterChips(state, () => '', [])}
      restrictiveId={null}
      errorAt={undefined}
      phone
      tablet={false}
      box={{ current: null }}
      onChange={onChange}
      onNewSearch={none}
      onEnterResults={none}
      onFilters={none}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Edit folder/ }));
  expect(onChange).toHaveBeenCalledWith({ ...state, path: '', q: '(boats OR ships) path:"Old \\"harbour\\""' });
});
