/** What an inventory can collect, in words. */
import { defaultInventoryCollectors, type InventoryCollector, inventoryCollectors } from '@catalog/protocol';

interface Described {
  label: string;
  description: string;
  platforms: ('linux' | 'macos' | 'windows')[];
  /** How much longer the agent takes for a file. */
  cost: 'low' | 'medium' | 'high';
}

const described: Record<InventoryCollector, Described> = {
  stat: {
    label: 'Size and date',
    description: 'The size of each file, and when it was changed.',
    platforms: ['linux', 'macos', 'windows'],
    cost: 'low',
  },
  owner: {
    label: 'Owner',
    description: 'User and group of each file, by number and by name where the machine knows it.',
    platforms: ['linux', 'macos'],
    cost: 'low',
  },
  perms: {
    label: 'Mode',
    description: 'The permission bits of each file. On Windows they say only whether a file is read-only.',
    platforms: ['linux', 'macos', 'windows'],
    cost: 'low',
  },
  permissions: {
    label: 'Access list',
    description: 'Everybody who may read or change each file, from its access list. Only people whom no rule restricts can ask for it.',
    platforms: ['linux'],
    cost: 'medium',
  },
  placeholder: {
    label: 'Files in a cloud',
    description: 'Marks files that take up no space on the disk, because their contents are in a cloud.',
    platforms: ['linux', 'macos', 'windows'],
    cost: 'low',
  },
};

export const presentCollectors = (agents: ReadonlyMap<string, number>) =>
  inventoryCollectors.map((name) => ({
    name,
    ...described[name],
    by_default: defaultInventoryCollectors.includes(name),
    advertised_by: agents.get(name) ?? 0,
  }));
