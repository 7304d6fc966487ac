import { useEffect } from 'react';
import { navigate } from '../../shell/hash-location.ts';
import { searchHref } from '../search/search-state.ts';

/** The map is a viewMode of the search; its entry in the rail opens that viewMode over everything. */
export default function MapPage() {
  useEffect(() => navigate(searchHref({ viewMode: 'map' }), { replace: true }), []);
  return null;
}
