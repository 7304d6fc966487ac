/** The roots that a command concerns. A command can only name what this machine was told to report when it was enrolled. */
export function requireRoots(roots: readonly string[], named: unknown): string[] {
  if (named === undefined || named === null) return [...roots];
  const found = roots.filter((root) => root === named);
  if (found.length === 0) throw new Error(`${String(named)} is not a folder that this agent reports.`);
  return found;
}
