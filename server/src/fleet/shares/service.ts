/** Network addresses of folders on machines of agents. Items are given their address when they are read (`share_rule_of`). */
import type { Visibility } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { auditOf, requireAgent } from '../agents/index.ts';
import {
  deleteShareRule,
  findShareRule,
  insertShareRule,
  isLibraryOf,
  lockShareRule,
  type ShareRule,
  type ShareRuleRow,
  updateShareRule,
} from './store.ts';

const isAbsolute = /^(\/|[A-Za-z]:([\\/]|$)|\\\\)/;
const isAddress = /^(\\\\[^\\]+\\[^\\]|\/|(smb|sftp|ftp|nfs|webdav):\/\/[^/])/i;
const hasCredentials = /^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i;

/** Without separators at the end; `/` and `C:\` stay recognizable. */
const withoutEnd = (path: string): string => (/^[\\/]+$/.test(path) ? path.slice(0, 1) : path.replace(/(?<!^)[\\/]+$/, ''));

function checked(rule: ShareRule): ShareRule {
  if (!isAbsolute.test(rule.local_prefix))
    throw fieldProblem(['body', 'local_prefix'], 'The folder must be an absolute path on the machine of the agent.', 'local_prefix');
  if (!isAddress.test(rule.share_prefix))
    throw fieldProblem(
      ['body', 'share_prefix'],
      'The address must be a UNC path, an absolute path, or a URL with smb, sftp, ftp, nfs or webdav.',
      'share_prefix',
    );
  if (hasCredentials.test(rule.share_prefix))
    throw fieldProblem(['body', 'share_prefix'], 'The address must not contain a user name or password.', 'share_prefix');
  if (rule.unc !== null && !/^\\\\[^\\]+\\[^\\]/.test(rule.unc))
    throw fieldProblem(['body', 'unc'], 'A UNC path begins with two backslashes, a host and a share.', 'unc');
  return { ...rule, local_prefix: withoutEnd(rule.local_prefix), share_prefix: withoutEnd(rule.share_prefix) };
}

async function requireLibraryOf(db: Db, { library_id, agent_id }: ShareRule): Promise<void> {
  if (library_id !== null && !(await isLibraryOf(db, library_id, agent_id)))
    throw fieldProblem(['body', 'library_id'], 'This library does not belong to the agent.', 'library_id');
}

export async function requireShareRule(db: Db, visibility: Visibility, id: string): Promise<ShareRuleRow> {
  const rule = await findShareRule(db, visibility, id);
  if (!rule) throw notFound('share map');
  return rule;
}

export async function createShareRule(db: Db, given: ShareRule, actor: Actor): Promise<string> {
  if (given.agent_id !== null) await requireAgent(db, given.agent_id);
  const rule = checked(given);
  await requireLibraryOf(db, rule);
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const id = await insertShareRule(tx, rule);
    if (id === null) throw problem('conflict', 'There is already an address for this folder.');
    await recordEvent(tx, { event_type: 'agent_share_map_created', ...auditOf(actor), details: { id, ...rule } });
    return id;
  });
}

export async function changeShareRule(db: Db, id: string, change: Partial<Omit<ShareRule, 'agent_id'>>, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const before = await lockShareRule(tx, id);
    if (!before) throw notFound('share map');
    const { agent_id, library_id, local_prefix, share_prefix, unc, storage_type, host } = before;
    const rule = checked({ agent_id, library_id, local_prefix, share_prefix, unc, storage_type, host, ...change });
    await requireLibraryOf(tx, rule);
    if (!(await updateShareRule(tx, id, rule))) throw problem('conflict', 'There is already an address for this folder.');
    await recordEvent(tx, { event_type: 'agent_share_map_updated', ...auditOf(actor), details: { id, ...rule } });
  });
}

export async function removeShareRule(db: Db, { id, local_prefix }: ShareRuleRow, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await deleteShareRule(tx, id);
    await recordEvent(tx, { event_type: 'agent_share_map_deleted', ...auditOf(actor), details: { id, local_prefix } });
  });
}
