import { useEffect } from 'react';
import { navigate } from '../../shell/hash-location.ts';
import { searchHref } from '../search/search-state.ts';

/** The map is a lens of the search; its entry in the rail opens that lens over everything. */
export default function MapPage() {
  useEffect(() => navigate(searchHref({ lens: 'map' }), { replace: true }), []);
  return null;
}
