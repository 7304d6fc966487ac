import type { Query } from '@catalog/engine';
import { countByPrincipal } from '../../catalog/permissions/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { SearchReader } from '../engines/index.ts';
import { everyClass } from './facets.ts';
import { permissionScope } from './filters.ts';
import { type Partition, searchPartition } from './partitions.ts';

const maxOwners = 100;

/** Owners of the files on disk, counted over those whose permissions the caller may see. */
export async function ownerFacet(
  db: Db,
  reader: SearchReader,
  visibility: Visibility,
  partitions: readonly Partition[],
  { text, filter, deadlineMs }: Query,
): Promise<Record<string, number>> {
  const guard = permissionScope(visibility);
  const guarded: Query = {
    ...(text === undefined ? {} : { text }),
    filter: { and: [...(filter ? [filter] : []), ...(guard ? [guard] : [])] },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    limit: 0,
    facets: [everyClass],
  };
  const counts = new Map<string, number>();
  for (const partition of partitions)
    for (const { value, count } of (await searchPartition(reader, partition, guarded)).facets['perm_class'] ?? [])
      counts.set(value, (counts.get(value) ?? 0) + count);
  const counted = [...counts].map(([value, count]) => ({ value, count }));
  const owners: Record<string, number> = Object.create(null);
  for (const { value, count } of await countByPrincipal(db, counted, 'owner', { limit: maxOwners })) owners[value] = count;
  return owners;
}
