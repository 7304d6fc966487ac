import { PasswordInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Gauge, Lock } from 'lucide-react';
import { useRef, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import type { FolderCount, Library } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { baseName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { BrandMark } from '../../shell/brand.tsx';
import { navigate } from '../../shell/hash-location.ts';
import { useListKeys } from '../../shell/list-keys.ts';
import { ConnectionBar } from '../../shell/notice-bars.tsx';
import { countExclusions, estimateScanTime, useFolderCount } from '../libraries/exclusion-counts.ts';
import { FolderPicker } from '../libraries/folder-picker.tsx';
import { PresetPicker } from '../libraries/preset-picker.tsx';
import s from './first-visit-page.module.css';
import { passwordStrength } from './password.ts';

const STEPS = [
  [t('Create the administrator'), t('This is you. Add other people later.')],
  [t('Choose the first folder'), t('Read-only. Your files stay where they are.')],
  [t('Search while it scans'), t('First results within seconds.')],
] as const;

/** First-run setup: create an administrator, choose a folder, search while the scan runs. */
export default function FirstVisitPage() {
  usePageTitle(t('Welcome'));
  // The shell, which otherwise installs these keys, is not mounted yet.
  useListKeys();
  const [username, setUsername] = useState('');
  const [step, setStep] = useState(0);
  const client = useQueryClient();
  const enter = () => {
    navigate('/', { replace: true });
    void client.invalidateQueries();
  };
  return (
    <div className={s.frame}>
      <ConnectionBar />
      <div className={s.grid}>
        <header>
          <BrandMark size={40} />
          <p className="h1" style={{ marginTop: 20 }}>
            Catalog
          </p>
          <p className="read t2" style={{ marginTop: 4 }}>
            {t('Find any file. Know why it is there.')}
          </p>
          <ol className={s.steps}>
            {STEPS.map(([title, text], i) => (
              <li key={title} className={s.step} aria-current={i === step ? 'step' : undefined} data-done={i < step}>
                <span className={s.number}>{i < step ? <Check size={14} aria-label={t('Done')} /> : i + 1}</span>
                <b>{title}</b>
                <p>{i < step ? t('Signed in as {username}', { username }) : text}</p>
              </li>
            ))}
          </ol>
        </header>
        <main className={s.panel}>
          {step === 0 ? (
            <Administrator
              onDone={(name) => {
                setUsername(name);
                setStep(1);
              }}
            />
          ) : (
            <FirstFolder onDone={enter} />
          )}
        </main>
      </div>
    </div>
  );
}

function Administrator({ onDone }: { onDone: (username: string) => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [repeat, setRepeat] = useState('');
  const [tried, setTried] = useState(false);
  const strength = passwordStrength(password);
  const differs = repeat !== '' && repeat !== password;
  const ready = username.trim() !== '' && strength.isEnough && repeat === password;
  const create = useMutation({
    mutationFn: async () => {
      await people.bootstrap({ username: username.trim(), password });
      // If the bootstrap response did not open a session, sign in explicitly.
      await people.me().catch(() => people.login({ username: username.trim(), password }));
    },
    onSuccess: () => onDone(username.trim()),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (ready) create.mutate();
      }}
    >
      <h1 className="h1">{t('Create the administrator')}</h1>
      <p className="read t2" style={{ marginTop: 4 }}>
        {t('This account can see and change everything. There is no default password.')}
      </p>
      <div className="col g4" style={{ marginTop: 24 }}>
        <TextInput
          label={t('User name')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          error={tried && !username.trim() ? t('Enter a username.') : undefined}
        />
        <div>
          <PasswordInput
            label={t('Password')}
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          />
          <div className={s.strength} data-enough={strength.isEnough} aria-hidden>
            <i style={{ width: `${strength.ratio * 100}%` }} />
          </div>
          <p className="meta muted row g1" style={{ marginTop: 4 }} role="status">
            {strength.isEnough && <Check size={12} aria-hidden />}
            {strength.text}
          </p>
        </div>
        <PasswordInput
          label={t('Confirm password')}
          autoComplete="new-password"
          value={repeat}
          onChange={(e) => setRepeat(e.currentTarget.value)}
          error={differs ? t('The passwords do not match.') : undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        />
        <ErrorNote error={create.error} />
      </div>
      <div className={s.foot}>
        <span className="meta muted row g2">
          <Lock size={14} aria-hidden />
          {t('Everything stays on this server. Catalog sends nothing to the internet.')}
        </span>
        <span className="grow" />
        <Button type="submit" variant="primary" size="l" disabled={create.isPending || !ready}>
          {create.isPending ? t('Creating…') : t('Create and continue')}
        </Button>
      </div>
    </form>
  );
}

/** The second step: the folder, its exclusions, and an estimate of the scan. */
function FirstFolder({ onDone }: { onDone: () => void }) {
  const [path, setPath] = useState('');
  const [touched, setTouched] = useState(false);
  const [presets, setPresets] = useState(['system_files', 'os_metadata', 'node_modules_build']);
  const [debounced] = useDebouncedValue(path, 300);
  const files = useFolderCount(debounced);
  const created = useRef<Library | null>(null);
  const scan = useMutation({
    mutationFn: async () => {
      const fields = { name: baseName(path) || path, root_path: path, enabled_presets: presets, count_pruned_files: true };
      // The scan may not start at once; the next attempt then starts the scan of the library that was created.
      created.current = created.current ? await catalog.updateLibrary(created.current.id, fields) : await catalog.createLibrary(fields);
      await catalog.startScan(created.current.id);
    },
    onSuccess: onDone,
  });
  const choose = (next: string) => {
    scan.reset();
    setPath(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (path) scan.mutate();
      }}
    >
      <h1 className="h1">{t('Choose the first folder')}</h1>
      <p className="read t2" style={{ margin: '4px 0 16px' }}>
        {t('Catalog only reads it and never changes your files. You can add more folders later.')}
      </p>
      <FolderPicker value={path} onChange={choose} preselect={!touched} />
      <TextInput
        mt={16}
        label={t('Or enter a path')}
        value={path}
        onChange={(e) => {
          setTouched(true);
          choose(e.currentTarget.value);
        }}
        styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
      />
      <div style={{ marginTop: 24 }}>
        <PresetPicker value={presets} onChange={setPresets} files={path === debounced ? files.data : undefined} />
      </div>
      <p className={s.sum} role="status">
        <Gauge size={18} aria-hidden />
        <ScanEstimate counting={files.isFetching} files={files.data} presets={presets} />
      </p>
      {scan.error && (
        <div style={{ marginTop: 16 }}>
          <ErrorNote error={scan.error} />
        </div>
      )}
      <div className={s.foot}>
        <span className="grow" />
        <Button size="l" variant="ghost" onClick={onDone}>
          {t('Skip')}
        </Button>
        <Button type="submit" size="l" variant="primary" className={s.scan} disabled={!path || scan.isPending}>
          <span className="cut">{scan.isPending ? t('Starting…') : path ? t('Scan {path}', { path }) : t('Scan')}</span>
        </Button>
      </div>
    </form>
  );
}

/** An estimate of the scan, as exact as a few seconds of counting allow. */
function ScanEstimate({ counting, files, presets }: { counting: boolean; files: FolderCount | undefined; presets: string[] }) {
  const known = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  if (counting) return <Summary first={t('Counting files…')} then={t('You can continue without waiting.')} />;
  const unknown = !files || (!files.complete && files.files === 0);
  if (unknown || !known.data)
    return <Summary first={t('File names are indexed first.')} then={t('Previews and text follow while you search.')} />;
  const { kept } = countExclusions(files, known.data.presets, presets);
  if (!files.complete)
    return (
      <Summary
        first={t('More than {kept|# file|# files} to catalog.', { kept })}
        then={t('File names are indexed first; previews and text follow.')}
      />
    );
  if (kept === 0) return <Summary first={t('No files to catalog.')} then={t('Choose another folder or remove exclusions.')} />;
  return (
    <Summary
      first={t('{kept|# file|# files} to catalog.', { kept })}
      then={t('File names are searchable in {estimateScanTime}; previews and text follow.', { estimateScanTime: estimateScanTime(kept) })}
    />
  );
}

function Summary({ first, then }: { first: string; then: string }) {
  return (
    <span>
      <b className="b">{first}</b> <span className="t2">{then}</span>
    </span>
  );
}
