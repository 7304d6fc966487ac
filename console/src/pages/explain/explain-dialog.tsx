import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleHelp, CircleSlash, CircleX, Link as LinkIcon, Lock, MoveRight, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Explanation, Library } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Note, type Tone } from '../../components/status.tsx';

const LOOKS: Record<string, { tone: Tone; icon: LucideIcon; title: string }> = {
  item: { tone: 'ok', icon: CircleCheck, title: 'In the catalog' },
  folder: { tone: 'ok', icon: CircleCheck, title: 'A folder of this library' },
  missing: { tone: 'danger', icon: CircleX, title: 'In the catalog, missing on disk' },
  trashed: { tone: 'idle', icon: CircleSlash, title: 'In the recycle bin' },
  excluded: { tone: 'idle', icon: CircleSlash, title: 'Left out' },
  pruned: { tone: 'idle', icon: CircleSlash, title: 'Inside a folder that is left out' },
  outside_selection: { tone: 'idle', icon: CircleSlash, title: 'Outside the selection' },
  unreadable: { tone: 'warn', icon: Lock, title: 'Cannot be read' },
  symlink: { tone: 'idle', icon: LinkIcon, title: 'A link, never followed' },
  special: { tone: 'idle', icon: CircleSlash, title: 'Not a file' },
  not_there: { tone: 'warn', icon: CircleHelp, title: 'Not on disk' },
  never_seen: { tone: 'warn', icon: CircleHelp, title: 'Not seen yet' },
  moved: { tone: 'active', icon: MoveRight, title: 'Moved' },
};
const UNKNOWN = { tone: 'warn' as Tone, icon: CircleHelp, title: 'Never seen' };

/** The library whose folder holds the path; the longest one wins. */
export function libraryOfPath(path: string, libraries: Library[]): Library | undefined {
  return libraries
    .filter((library) => path === library.root_path || path.startsWith(`${library.root_path.replace(/\/+$/, '')}/`))
    .sort((a, b) => b.root_path.length - a.root_path.length)[0];
}

/** "Why is this file here, or not?" for any path. */
export default function ExplainDialog({ onClose }: { onClose: () => void }) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries });
  const [path, setPath] = useState('');
  const [picked, setPicked] = useState<string | null>(null);
  const list = libraries.data ?? [];
  const guessed = libraryOfPath(path.trim(), list);
  const library = guessed ?? list.find((one) => one.id === picked);
  const explain = useMutation({
    mutationFn: () => {
      if (!library) throw new Error('Choose the library, or type the whole path from the root of the disk.');
      return catalog.explainPath(library.id, path.trim());
    },
  });

  return (
    <Modal opened onClose={onClose} title="Explain a path" size={640} closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="t2">Give any path, of a file you see or one you miss. The catalog says why it is here, or why not.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          explain.mutate();
        }}
      >
        <TextInput
          mt={16}
          data-autofocus
          label="Path"
          placeholder="/mnt/photos/2023/IMG_4417.jpg"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
        />
        <Select
          mt={12}
          label="Library"
          description={guessed ? 'Found from the path.' : 'Needed when the path starts inside the library.'}
          data={list.map((one) => ({ value: one.id, label: `${one.name} (${one.root_path})` }))}
          value={library?.id ?? null}
          onChange={setPicked}
          disabled={Boolean(guessed)}
          placeholder="Choose a library"
        />
        <div className="row g2" style={{ marginTop: 16 }}>
          <Button type="submit" variant="primary" disabled={!path.trim() || explain.isPending}>
            {explain.isPending ? 'Looking…' : 'Explain'}
          </Button>
        </div>
      </form>
      <div aria-live="polite" style={{ marginTop: 16 }}>
        {explain.error && (
          <Note tone="danger" icon={CircleX}>
            {errorMessage(explain.error)}
          </Note>
        )}
        {explain.data && <Verdict answer={explain.data} />}
      </div>
    </Modal>
  );
}

export function Verdict({ answer }: { answer: Explanation }) {
  const look = LOOKS[answer.verdict] ?? UNKNOWN;
  return (
    <Note tone={look.tone} icon={look.icon}>
      <div className="b">{LOOKS[answer.verdict] ? look.title : answer.verdict.replaceAll('_', ' ')}</div>
      <p className="t2 anywhere">{answer.reason}</p>
      {answer.preset && (
        <p className="t2">
          Preset <span className="b">{answer.preset}</span>
          {answer.line ? `, line ${answer.line}` : ''} {answer.pattern && <code className="mono">{answer.pattern}</code>}
        </p>
      )}
      {answer.at && answer.at !== answer.path && (
        <p className="t2">
          Decided at <bdi className="mono">{answer.at}</bdi>
        </p>
      )}
      {(answer.moved_to ?? answer.item) && <TextLink href={`#/item/${(answer.moved_to ?? answer.item)!.id}`}>Open the file</TextLink>}
    </Note>
  );
}
