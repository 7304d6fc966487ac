import type { ReactNode } from 'react';
import type { FilePrincipal, ItemPermissions } from '../../api/types.ts';
import { verbsText } from '../../format/permissions.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import a from './access-tab.module.css';

type Change = ItemPermissions['history'][number];
type Line = Change['lines'][number];

export const principalLabel = ({ name, id }: FilePrincipal): string => name ?? id;

export function placeWords(folder: string | null): string {
  if (folder === null) return t('The file was changed');
  return folder ? t('The folder {folder} was changed', { folder }) : t('The folder of the library was changed');
}

/** Entries that were removed and added, with the number of people they are about. */
export function Diff({ lines, owner }: Pick<Change, 'lines' | 'owner'>) {
  return (
    <ul className={a.diff}>
      {owner && (
        <li data-sign="+">
          <span aria-hidden>±</span>
          <span>
            {rich('Owner {before} → {after}', { before: principalLabel(owner.before), after: <b>{principalLabel(owner.after)}</b> })}
          </span>
        </li>
      )}
      {lines.map((line) => (
        <li key={`${line.sign}${line.type} ${line.principal.id} ${line.verbs.join()}`} data-sign={line.sign}>
          <span aria-hidden>{line.sign === '+' ? '+' : '−'}</span>
          <span className="grow">{lineWords(line)}</span>
          <span className={a.people}>{t('{n|# person|# people}', { n: line.people })}</span>
        </li>
      ))}
    </ul>
  );
}

/** "ada can read, write". */
function lineWords({ sign, type, principal, verbs: list }: Line): ReactNode {
  const who = <b>{principalLabel(principal)}</b>;
  const verbs = verbsText(list);
  if (type === 'deny') return rich(sign === '+' ? '{who} may not {verbs}' : '{who} was not allowed to {verbs}', { who, verbs });
  return rich(sign === '+' ? '{who} can {verbs}' : '{who} could {verbs}', { who, verbs });
}

export function effect(gained: number, lost: number): string {
  if (gained === 0 && lost === 0) return t('The same people can read the file as before.');
  if (gained === 0) return t('{lost|# person|# people} lost access, nobody gained it.', { lost });
  if (lost === 0) return t('Nobody lost access, {gained|# person|# people} gained it.', { gained });
  return t('{lost|# person|# people} lost access, {gained|# person|# people} gained it.', { lost, gained });
}
