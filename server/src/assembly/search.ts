import type { App } from '../platform/http/index.ts';
import type { MaintenanceTask } from '../operations/maintenance/index.ts';
import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';
import type { Check } from './checks.ts';
import { builderRoutes } from '../search/builder/index.ts';
import { openSearchReader, openSearchWriter, type SearchReader } from '../search/engines/index.ts';
import { checkParity, createProjector, type Projector, projectionRoutes, projectionTasks } from '../search/projection/index.ts';
import { federatedRoutes, pruneInterest, searchRoutes } from '../search/query/index.ts';
import { savedSearchRoutes } from '../search/saved/index.ts';
import { similarRoutes } from '../search/similar/index.ts';
import { upkeep } from './upkeep.ts';

/** The rooms of search, for the assembly of the app. */
export const searchRooms: ((app: App, parts: Parts, reader: SearchReader) => void)[] = [
  searchRoutes,
  federatedRoutes,
  similarRoutes,
  builderRoutes,
  savedSearchRoutes,
  projectionRoutes,
];

/** The index as one process needs it; both open lazily. */
export function openSearch(parts: Parts) {
  const reader = openSearchReader(parts.settings);
  const writer = openSearchWriter(parts.settings);
  return { reader, writer, projector: (): Projector => createProjector({ ...parts, log: parts.log.child('index') }, writer) };
}

/** What must hold between index and database. */
export const searchChecks: Check[] = [
  {
    name: 'the search index is what the database says, by id and content',
    async run({ db, settings }) {
      const reader = openSearchReader(settings);
      try {
        return await checkParity(db, reader);
      } finally {
        await reader.close();
      }
    },
  },
];

/** Upkeep of the index, with its default schedule. */
export function searchUpkeep(parts: Pick<Parts, 'settings'>): MaintenanceTask[] {
  const tasks = projectionTasks(parts, { reader: openSearchReader(parts.settings), writer: openSearchWriter(parts.settings) });
  const row = (
    key: string,
    task: Task,
    title: string,
    description: string,
    category: MaintenanceTask['category'],
    defaultCron: string | null,
  ): MaintenanceTask => ({ key, title, description, category, defaultCron, task });
  return [
    row(
      'reconcile_meili',
      tasks.reconcile,
      'Search index drift',
      'Compares the index with the database by content and mends what differs.',
      'integrity',
      '7 * * * *',
    ),
    row(
      'reap_shadow_indexes',
      tasks.reap,
      'Unfinished indexes',
      'Removes shadow indexes that no rebuild finished.',
      'cleanup',
      '47 * * * *',
    ),
    row(
      'compact_meili',
      tasks.compact,
      'Index compaction',
      'Compacts the index when it holds much more than it needs.',
      'integrity',
      '0 6 * * 0',
    ),
    row(
      'prune_frecency',
      upkeep('prune_frecency', ({ db }) => pruneInterest(db)),
      'Opened files',
      'Forgets which files people opened more than 90 days ago.',
      'cleanup',
      '40 4 * * *',
    ),
    row('rebuild_index', tasks.rebuild, 'Rebuild the index', 'Builds the whole index anew beside the old one and swaps.', 'ondemand', null),
  ];
}
