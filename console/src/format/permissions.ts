import { t } from '../language/text.ts';

const VERBS: Record<string, string> = {
  read: t('read'),
  write: t('write'),
  execute: t('run'),
  append: t('append'),
  delete: t('delete'),
  delete_child: t('delete files in it'),
  list: t('list'),
  read_attr: t('read attributes'),
  write_attr: t('change attributes'),
  read_perms: t('read permissions'),
  change_perms: t('change permissions'),
  take_ownership: t('take ownership'),
  full: t('do everything'),
};

/** "read, write", or "do nothing" for an entry without verbs. */
export const verbsText = (verbs: readonly string[]): string => verbs.map((verb) => VERBS[verb] ?? verb).join(', ') || t('do nothing');

/** One part of a summary: `owner a -> b`, `+allow X: read, write` or `~allow Y: read -> read, write`. */
const OWNER = /^(owner|group) (.*) -> (.*)$/s;
const ENTRY = /^([+~-])(allow|deny) (.*): ([a-z_, ]+?)(?: -> ([a-z_, ]+))?$/s;
const MORE = /^\.\.\. \+(\d+) more$/;
const SUMMARY = /^(.*?): ((?:owner |group |[+~-](?:allow|deny) ).*)$/s;

const verbsOf = (list: string): string => verbsText(list === 'nothing' ? [] : list.split(', '));

function partText(part: string): string {
  const [, role, from = '', to = ''] = OWNER.exec(part) ?? [];
  if (role) return t(role === 'owner' ? 'owner {from} → {to}' : 'group {from} → {to}', { from, to });
  const [, sign, type, who = '', list = '', after] = ENTRY.exec(part) ?? [];
  if (sign === '~') return t('{who}: {before} → {after}', { who, before: verbsOf(list), after: verbsOf(after ?? list) });
  const verbs = verbsOf(list);
  if (type === 'deny') return t(sign === '+' ? '{who} may not {verbs}' : '{who} was not allowed to {verbs}', { who, verbs });
  if (sign) return t(sign === '+' ? '{who} can {verbs}' : '{who} could {verbs}', { who, verbs });
  const [, more] = MORE.exec(part) ?? [];
  return more ? t('{more|# more change|# more changes}', { more: Number(more) }) : part;
}

/** The message of an alert about permissions, which the server writes as a path and signs: "plans/a.txt: +allow ada: read, write". */
export function permissionChangeText(message: string): string {
  const [, path = '', summary] = SUMMARY.exec(message) ?? [];
  if (summary === undefined) return message;
  const place = path === 'The folder of the library' ? t('The folder of the library') : path;
  return `${place}: ${summary.split('; ').map(partText).join('; ')}`;
}
