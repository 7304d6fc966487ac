/** Joins what arrives while a write is under way into the next one: many slots, one commit. `write` must not reject. */
export function groupWrites<Item>(write: (items: readonly Item[]) => Promise<void>): (items: readonly Item[]) => Promise<void> {
  let arriving: Item[] = [];
  let next: Promise<void> | null = null;
  let current: Promise<void> = Promise.resolve();
  return (items) => {
    arriving.push(...items);
    next ??= current.then(() => {
      const group = arriving;
      arriving = [];
      next = null;
      current = write(group);
      return current;
    });
    return next;
  };
}
