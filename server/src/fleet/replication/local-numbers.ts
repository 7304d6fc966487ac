import type { FileAcl } from '@catalog/scanner';
import { createCombiner } from '../../catalog/permissions/index.ts';
import type { ReportedChange, ReportedFolder } from '../../catalog/scan/index.ts';
import type { Db } from '../../platform/database/index.ts';

interface Report {
  changes: readonly ReportedChange[];
  folders: readonly ReportedFolder[];
}

export const hasLists = ({ changes, folders }: Report): boolean =>
  folders.length > 0 || changes.some((change) => change.kind !== 'gone' && change.file.acl !== undefined);

/** Gives lists the numbers that accounts of the agent's machine have here. Where a library records no permissions, there are no lists. */
export async function localNumbers(tx: Db, agentId: string): Promise<(report: Report, recorded: boolean) => Report> {
  const combine = await createCombiner(tx, agentId);
  return ({ changes, folders }, recorded) => {
    const listOf = (acl: FileAcl | null): FileAcl | null => (acl === null || !recorded ? null : combine(acl));
    return {
      folders: folders.map(({ path, acl, above }) => ({ path, acl: listOf(acl), above: above.map(combine) })),
      changes: changes.map((change) =>
        change.kind === 'gone' || change.file.acl === undefined
          ? change
          : { ...change, file: { ...change.file, acl: listOf(change.file.acl) } },
      ),
    };
  };
}
