import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { FacetPanel } from './facet-panel.tsx';
import { EMPTY_SEARCH } from './search-state.ts';
import type { Facets } from './use-facets.ts';

const none = { bars: [], min: null, max: null };
const facets: Facets = {
  categories: {},
  groups: {},
  libraries: {},
  extensions: {},
  tags: {},
  cameras: {},
  facts: { lens: {}, artist: {}, album: {}, author: {}, language: {}, resolution: {} },
  owners: {},
  modified: none,
  taken: none,
  size: none,
};
const open = (more: { semantic?: boolean; facets?: Partial<Facets> }) =>
  renderWithProviders(
    <FacetPanel
      state={EMPTY_SEARCH}
      facets={{ ...facets, ...more.facets }}
      libraries={[]}
      semantic={more.semantic ?? false}
      onChange={() => {}}
    />,
  );

test('the semantic slider is shown only when the server supports semantic search', async () => {
  open({ semantic: false });
  await screen.findByRole('combobox', { name: 'Status' });
  expect(screen.queryByRole('slider', { name: 'Semantic weight' })).toBeNull();
  open({ semantic: true });
  expect(await screen.findByRole('slider', { name: 'Semantic weight' })).toBeTruthy();
});

test('file types without hits stay visible', () => {
  open({ facets: { categories: { image: 4 } } });
  expect(screen.getByRole('checkbox', { name: /Image/ })).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: /Video/ })).toBeTruthy();
});

test('facts such as artist and language are facets where files have them', () => {
  open({ facets: { facts: { ...facets.facts, artist: { 'Nina Simone': 3 } } } });
  expect(screen.getByText('Nina Simone')).toBeTruthy();
  expect(screen.queryByText('Language')).toBeNull();
});
