import { useEffect } from 'react';
import { navigate } from '../../shell/hash-location.ts';
import { searchHref } from '../search/search-state.ts';

/** Redirects to the map view of a search for all files. */
export default function MapPage() {
  useEffect(() => navigate(searchHref({ viewMode: 'map' }), { replace: true }), []);
  return null;
}
