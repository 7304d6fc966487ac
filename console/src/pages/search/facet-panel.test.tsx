import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { FacetPanel } from './facet-panel.tsx';
import { EMPTY } from './search-state.ts';
import type { Facets } from './use-facets.ts';

const none = { bars: [], min: null, max: null };
const facets: Facets = { categories: {}, groups: {}, libraries: {}, extensions: {}, tags: {}, modified: none, size: none };
const open = (more: { semantic?: boolean; facets?: Partial<Facets> }) =>
  renderWithProviders(
    <FacetPanel
      state={EMPTY}
      facets={{ ...facets, ...more.facets }}
      libraries={[]}
      semantic={more.semantic ?? false}
      onChange={() => {}}
    />,
  );

test('meaning has a slider only where the service can search by it', () => {
  open({ semantic: false });
  expect(screen.queryByRole('slider', { name: 'Share of meaning' })).toBeNull();
  open({ semantic: true });
  expect(screen.getByRole('slider', { name: 'Share of meaning' })).toBeTruthy();
});

test('a zero stays visible, and so does every kind', () => {
  open({ facets: { categories: { image: 4 } } });
  expect(screen.getByRole('checkbox', { name: /Image/ })).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: /Video/ })).toBeTruthy();
});
