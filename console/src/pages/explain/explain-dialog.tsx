import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleHelp, CircleSlash, CircleX, Link as LinkIcon, Lock, type LucideIcon, MoveRight } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Explanation, Library } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Note, type Tone } from '../../components/status.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';

const VERDICTS: Record<string, { tone: Tone; icon: LucideIcon; title: string }> = {
  item: { tone: 'ok', icon: CircleCheck, title: t('In the catalog') },
  folder: { tone: 'ok', icon: CircleCheck, title: t('Folder in this library') },
  missing: { tone: 'danger', icon: CircleX, title: t('Missing from disk') },
  trashed: { tone: 'idle', icon: CircleSlash, title: t('In the recycle bin') },
  excluded: { tone: 'idle', icon: CircleSlash, title: t('Excluded') },
  pruned: { tone: 'idle', icon: CircleSlash, title: t('Inside an excluded folder') },
  outside_selection: { tone: 'idle', icon: CircleSlash, title: t('Not selected for this library') },
  unreadable: { tone: 'warn', icon: Lock, title: t('Cannot be read') },
  symlink: { tone: 'idle', icon: LinkIcon, title: t('Symbolic link (not followed)') },
  special: { tone: 'idle', icon: CircleSlash, title: t('Not a regular file') },
  not_there: { tone: 'warn', icon: CircleHelp, title: t('Not on disk') },
  never_seen: { tone: 'warn', icon: CircleHelp, title: t('Not scanned yet') },
  moved: { tone: 'active', icon: MoveRight, title: t('Moved') },
};
const UNKNOWN = { tone: 'warn' as Tone, icon: CircleHelp };

/** The library that contains the path. Of nested libraries, the innermost. */
function libraryOfPath(path: string, libraries: Library[]): Library | undefined {
  return libraries
    .filter((library) => path === library.root_path || path.startsWith(`${library.root_path.replace(/\/+$/, '')}/`))
    .sort((a, b) => b.root_path.length - a.root_path.length)[0];
}

/** Explains why a path is in the catalog or why it is not. */
export default function ExplainDialog({ onClose }: { onClose: () => void }) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries });
  const [path, setPath] = useState('');
  const [picked, setPicked] = useState<string | null>(null);
  const list = libraries.data ?? [];
  const detected = libraryOfPath(path.trim(), list);
  const library = detected ?? list.find((one) => one.id === picked);
  const explain = useMutation({
    mutationFn: () => {
      if (!library) throw new Error(t('Choose a library or enter an absolute path.'));
      return catalog.explainPath(library.id, path.trim());
    },
  });

  return (
    <Modal opened onClose={onClose} title={t('Explain a path')} size={640} closeButtonProps={{ 'aria-label': t('Close') }}>
      <p className="t2">{t('Enter a path to see why a file is in the catalog or why it is not.')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          explain.mutate();
        }}
      >
        <TextInput
          mt={16}
          data-autofocus
          label={t('Path')}
          placeholder="/mnt/photos/2023/IMG_4417.jpg"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
        />
        <Select
          mt={12}
          label={t('Library')}
          description={detected ? t('Detected from the path.') : t('Required for a relative path.')}
          data={list.map((one) => ({ value: one.id, label: `${one.name} (${one.root_path})` }))}
          value={library?.id ?? null}
          onChange={setPicked}
          disabled={Boolean(detected)}
          placeholder={t('Choose a library')}
        />
        <div className="row g2" style={{ marginTop: 16 }}>
          <Button type="submit" variant="primary" disabled={!path.trim() || explain.isPending}>
            {explain.isPending ? t('Checking…') : t('Explain')}
          </Button>
        </div>
      </form>
      <div aria-live="polite" style={{ marginTop: 16 }}>
        {explain.error && (
          <Note tone="danger" icon={CircleX}>
            {errorMessage(explain.error)}
          </Note>
        )}
        {explain.data && <ExplanationNote explanation={explain.data} />}
      </div>
    </Modal>
  );
}

function ExplanationNote({ explanation }: { explanation: Explanation }) {
  const verdict = VERDICTS[explanation.verdict];
  const { tone, icon } = verdict ?? UNKNOWN;
  const item = explanation.moved_to ?? explanation.item;
  return (
    <Note tone={tone} icon={icon}>
      <div className="b">{verdict?.title ?? explanation.verdict.replaceAll('_', ' ')}</div>
      <p className="t2 anywhere">{explanation.reason}</p>
      {explanation.preset && (
        <p className="t2">
          {rich('Preset {preset}', { preset: <span className="b">{explanation.preset}</span> })}
          {explanation.line ? `, ${t('line {line}', { line: explanation.line })}` : ''}{' '}
          {explanation.pattern && <code className="mono">{explanation.pattern}</code>}
        </p>
      )}
      {explanation.at && explanation.at !== explanation.path && (
        <p className="t2">{rich('Matched at {at}', { at: <bdi className="mono">{explanation.at}</bdi> })}</p>
      )}
      {item && <TextLink href={`#/item/${item.id}`}>{t('Open file')}</TextLink>}
    </Note>
  );
}
