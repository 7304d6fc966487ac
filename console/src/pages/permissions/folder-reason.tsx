import { useQuery } from '@tanstack/react-query';
import { Check, CircleCheck, CircleMinus, Users, X } from 'lucide-react';
import { folderReasons } from '../../api/permissions.ts';
import type { ReadableFolder } from '../../api/types.ts';
import { ButtonLink, TextLink } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { baseName, visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import s from './permissions.module.css';
import type { Right, Subject } from './subject.ts';

type Reasons = Awaited<ReturnType<typeof folderReasons>>;
type FolderStep = Reasons['folders'][number];
type FileStep = Reasons['files'][number];

/** Why somebody can or cannot use the files of the selected folder: every folder on the way, then the files, and what decided. */
export function FolderReason({ row, subject, name }: { row: ReadableFolder; subject: Subject; name: string }) {
  const { principal, right, on } = subject;
  const reasons = useQuery({
    queryKey: ['folder-reasons', principal, right, row.library_id, row.folder],
    queryFn: () => folderReasons({ principal, right, library_id: row.library_id, folder: row.folder }),
    enabled: on === '',
    retry: false,
  });
  const search = new URLSearchParams({ principal, library: row.library_id, ...(row.folder ? { path: row.folder } : {}) });
  const stopAt = reasons.data?.folders.findIndex(({ allowed }) => !allowed) ?? -1;
  const steps = stopAt < 0 ? reasons.data?.folders : reasons.data?.folders.slice(0, stopAt + 1);
  const group = reasons.data?.files.find(({ allowed, entry }) => allowed && entry === 'group')?.through;
  return (
    <Card title={visibleName([row.library, row.folder].filter(Boolean).join('/'))}>
      <StatusText tone={row.allowed === 0 ? 'idle' : 'ok'} icon={row.allowed === 0 ? CircleMinus : CircleCheck}>
        {canWords(name, right, row, on !== '')}
      </StatusText>
      <ErrorNote error={reasons.error} />
      {on !== '' && <p className={s.groups}>{t('Reasons are shown for today.')}</p>}
      {steps && (
        <ol className={s.steps} aria-label={t('Reasons in order')}>
          {steps.map((step, at) => (
            <Step
              key={step.folder ?? `above ${at}`}
              number={at + 1}
              kind={step.allowed ? 'passed' : 'stops'}
              title={placeOf(step, row.library)}
              text={enterWords(step, name)}
            />
          ))}
          {stopAt < 0 &&
            reasons.data?.files.map((step, at) => (
              <Step
                key={`${step.allowed} ${step.entry} ${step.through?.id} ${step.in_folder}`}
                number={(steps?.length ?? 0) + at + 1}
                kind={step.allowed ? 'allows' : 'stops'}
                title={t('{n|# file|# files}', { n: step.files })}
                text={fileWords(step, name, right)}
              />
            ))}
        </ol>
      )}
      {stopAt >= 0 && (
        <p className="meta muted">{t('What is further down was not needed: who may not enter a folder reaches nothing in it.')}</p>
      )}
      <p className={s.groups}>
        {right === 'read' && row.allowed > 0 && <TextLink href={`#/?${search}`}>{t('Search these files')}</TextLink>}
        {group && (
          <ButtonLink size="s" href={`#/reports/access?principal=${encodeURIComponent(group.id)}`}>
            <Users size={16} aria-hidden />
            {t('Open {group}', { group: group.name ?? group.id })}
          </ButtonLink>
        )}
      </p>
    </Card>
  );
}

type Kind = 'passed' | 'allows' | 'stops';

function Step({ number, kind, title, text }: { number: number; kind: Kind; title: string; text: string }) {
  return (
    <li data-kind={kind}>
      <span className={s.step} aria-hidden>
        {kind === 'passed' ? number : kind === 'allows' ? <Check size={14} /> : <X size={14} />}
      </span>
      <div>
        <div className={kind === 'passed' ? 'm5' : 'b'}>{title}</div>
        <div className="meta">{text}</div>
      </div>
    </li>
  );
}

function placeOf({ folder }: FolderStep, library: string): string {
  if (folder === null) return t('A folder above the library');
  return folder === '' ? library : visibleName(baseName(folder));
}

function enterWords({ allowed, entry, through, masked }: FolderStep, name: string): string {
  const who = through?.name ?? through?.id ?? '';
  if (masked) return t('{name} may not enter: the mask of the list takes it away.', { name });
  if (!allowed) {
    if (entry === 'everyone') return t('{name} may not enter. Only the entry for everyone else applies.', { name });
    return through
      ? t('{name} may not enter. The entry of {who} decides.', { name, who })
      : t('{name} may not enter. No entry is about {name}.', { name });
  }
  if (entry === 'owner') return t('{name} may enter as its owner.', { name });
  if (entry === 'root') return t('{name} may enter as the administrator of the machine.', { name });
  if (entry === 'group') return t('{name} may enter through the group {who}.', { name, who });
  return entry === 'everyone' ? t('Everyone may enter.') : t('{name} may enter through the entry of {who}.', { name, who });
}

function fileWords({ allowed, entry, through, masked, in_folder }: FileStep, name: string, right: Right): string {
  const who = through?.name ?? through?.id ?? '';
  if (in_folder) return t('In folders further down that {name} may not enter.', { name });
  if (masked) return t('The entry would allow it, but the mask of the list takes it away.');
  if (!allowed)
    return through && entry !== 'everyone'
      ? t('The entry of {who} does not allow it.', { who })
      : t('No entry allows it to {name}.', { name });
  if (entry === 'owner') return t('{name} owns them.', { name });
  if (entry === 'root') return t('{name} is the administrator of the machine.', { name });
  if (entry === 'group')
    return right === 'read' ? t('The group {who} can read them.', { who }) : t('The group {who} can change them.', { who });
  if (entry === 'everyone') return right === 'read' ? t('Everyone can read them.') : t('Everyone can change them.');
  return right === 'read' ? t('{who} can read them by name.', { who }) : t('{who} can change them by name.', { who });
}

function canWords(name: string, right: Right, { allowed, files: n }: ReadableFolder, past: boolean): string {
  const values = { name, allowed, n };
  if (past) return t('{allowed} of {n|# file|# files}', values);
  if (right === 'read') {
    if (allowed === 0) return t('{name} can read none of {n|# file|# files}', values);
    return allowed === n
      ? t('{name} can read all {n|# file|# files}', values)
      : t('{name} can read {allowed} of {n|# file|# files}', values);
  }
  if (allowed === 0) return t('{name} can change none of {n|# file|# files}', values);
  return allowed === n
    ? t('{name} can change all {n|# file|# files}', values)
    : t('{name} can change {allowed} of {n|# file|# files}', values);
}
