import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { FolderCount } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { baseName } from '../../format/paths.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { FolderPicker } from '../libraries/folder-picker.tsx';
import { aboutTime, addUp } from '../libraries/left-out.ts';
import { PresetChoice } from '../libraries/preset-choice.tsx';
import { useFolderCount } from '../libraries/use-folder-count.ts';
import s from './first-visit-page.module.css';

/** The second step: a folder, what to leave out of it, and what that comes to. */
export function FirstFolder({ onDone }: { onDone: () => void }) {
  const [path, setPath] = useState('');
  const [touched, setTouched] = useState(false);
  const [presets, setPresets] = useState(['system_files', 'os_metadata', 'node_modules_build']);
  const [settled] = useDebouncedValue(path, 300);
  const files = useFolderCount(settled);
  const scan = useMutation({
    mutationFn: async () => {
      const library = await catalog.createLibrary({
        name: baseName(path) || path,
        root_path: path,
        enabled_presets: presets,
        count_pruned_files: true,
      });
      await catalog.startScan(library.id);
    },
    onSuccess: onDone,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (path) scan.mutate();
      }}
    >
      <h1 className="h1">Choose the first folder</h1>
      <p className="read t2" style={{ margin: '4px 0 16px' }}>
        Catalog reads it and never writes to it. You can add more folders later.
      </p>
      <FolderPicker value={path} onChange={setPath} offer={!touched} />
      <TextInput
        mt={16}
        label="Or type its path"
        value={path}
        onChange={(e) => {
          setTouched(true);
          setPath(e.currentTarget.value);
        }}
        styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
      />
      <div style={{ marginTop: 24 }}>
        <PresetChoice value={presets} onChange={setPresets} files={path === settled ? files.data : undefined} />
      </div>
      <p className={s.sum} role="status">
        <Gauge size={18} aria-hidden />
        <Outlook counting={files.isFetching} files={files.data} presets={presets} />
      </p>
      {scan.error && (
        <div style={{ marginTop: 16 }}>
          <ErrorNote error={scan.error} />
        </div>
      )}
      <div className={s.foot}>
        <span className="grow" />
        <Button size="l" variant="ghost" onClick={onDone}>
          Later
        </Button>
        <Button type="submit" size="l" variant="primary" className={s.scan} disabled={!path || scan.isPending}>
          <span className="cut">{scan.isPending ? 'Starting…' : path ? `Scan ${path}` : 'Scan'}</span>
        </Button>
      </div>
    </form>
  );
}

/** What the scan is going to be: as exact as a few seconds of counting allow. */
function Outlook({ counting, files, presets }: { counting: boolean; files: FolderCount | undefined; presets: string[] }) {
  const known = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  if (counting) return <Words first="Counting files…" then="You need not wait for it." />;
  const unknown = !files || (!files.complete && files.files === 0);
  if (unknown || !known.data) return <Words first="Names come first." then="Previews and text follow while you already search." />;
  const { kept } = addUp(files, known.data.presets, presets);
  if (!files.complete)
    return <Words first={`More than ${pluralize(kept, 'file')} to catalog.`} then="Names first; previews and text follow." />;
  if (kept === 0) return <Words first="Nothing to catalog here yet." then="Choose another folder, or leave out less." />;
  return <Words first={`${pluralize(kept, 'file')} to catalog.`} then={`Names in ${aboutTime(kept)}, previews and text follow.`} />;
}

function Words({ first, then }: { first: string; then: string }) {
  return (
    <span>
      <b className="b">{first}</b> <span className="t2">{then}</span>
    </span>
  );
}
