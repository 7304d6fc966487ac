import { problem } from '../../platform/problem.ts';
import type { Filter, SortKey } from '@catalog/engine';

import type { SearchParams } from './schemas.ts';

const geoProblem = (detail: string, field: string) =>
  problem('geo_invalid', detail, { errors: [{ loc: ['query', field], msg: detail, type: 'geo' }] });

function inRange(value: number | undefined, most: number, field: string): void {
  if (value !== undefined && !(Math.abs(value) <= most)) throw geoProblem(`${field} must be between -${most} and ${most}.`, field);
}

/** The geo rules of the specification: each mistake is a 422 that says what is missing. */
export function readGeo(params: SearchParams): { filters: Filter[]; sort: SortKey | null } {
  const { geo_lat: lat, geo_lng: lng, geo_radius_m: metres, geo_sort } = params;
  const { geo_top_lat: top, geo_right_lng: right, geo_bottom_lat: bottom, geo_left_lng: left } = params;
  for (const [field, value] of Object.entries({ geo_lat: lat, geo_top_lat: top, geo_bottom_lat: bottom })) inRange(value, 90, field);
  for (const [field, value] of Object.entries({ geo_lng: lng, geo_right_lng: right, geo_left_lng: left })) inRange(value, 180, field);
  if ((lat === undefined) !== (lng === undefined))
    throw geoProblem('A centre needs both geo_lat and geo_lng.', lat === undefined ? 'geo_lat' : 'geo_lng');
  const centre = lat !== undefined && lng !== undefined ? { lat, lng } : null;
  if (metres !== undefined && !(metres > 0)) throw geoProblem('geo_radius_m must be above 0.', 'geo_radius_m');
  if (metres !== undefined && !centre) throw geoProblem('A radius needs a centre: give geo_lat and geo_lng.', 'geo_radius_m');
  if (geo_sort !== undefined && !centre) throw geoProblem('Sorting by distance needs a centre: give geo_lat and geo_lng.', 'geo_sort');
  if (centre && metres === undefined && geo_sort === undefined)
    throw geoProblem('A centre alone filters nothing: give geo_radius_m or geo_sort.', 'geo_lat');

  const filters: Filter[] = [];
  if (centre && metres !== undefined) filters.push({ geoRadius: { ...centre, metres } });
  const edges = [top, right, bottom, left];
  if (edges.some((edge) => edge !== undefined)) {
    if (edges.some((edge) => edge === undefined)) throw geoProblem('A box needs all four edges.', 'geo_top_lat');
    if (top! < bottom!) throw geoProblem('The top of the box lies below its bottom.', 'geo_top_lat');
    if (left! > right!)
      throw geoProblem('The west edge lies east of the east edge; a box cannot cross the 180th meridian.', 'geo_left_lng');
    filters.push({ geoBox: { top: top!, right: right!, bottom: bottom!, left: left! } });
  }
  return { filters, sort: centre && geo_sort ? { geo: centre, order: geo_sort as 'asc' | 'desc' } : null };
}
