/** What an inventory can collect of each file and folder, beside its path and type. */
export const inventoryCollectors = ['stat', 'owner', 'perms', 'permissions', 'placeholder'] as const;
export type InventoryCollector = (typeof inventoryCollectors)[number];

/** Collected unless the command names others. */
export const defaultInventoryCollectors: readonly InventoryCollector[] = ['stat', 'owner', 'perms'];
