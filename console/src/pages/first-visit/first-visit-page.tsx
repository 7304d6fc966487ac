import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Lock } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { ConnectionBar } from '../../shell/notice-bars.tsx';
import { BrandMark } from '../../shell/brand.tsx';
import { navigate } from '../../shell/hash-location.ts';
import { useListKeys } from '../../shell/list-keys.ts';
import { ErrorNote } from '../../components/states.tsx';
import { FirstFolder } from './first-folder.tsx';
import s from './first-visit-page.module.css';
import { strengthOf } from './password.ts';

const STEPS = [
  ['Create the administrator', 'You. Others can be added later.'],
  ['Choose the first folder', 'Read only. Files stay where they are.'],
  ['Search while it scans', 'First results in a few seconds.'],
] as const;

/** The first minutes: an administrator, a folder, and results while the scan still runs. */
export default function FirstVisitPage() {
  usePageTitle('Welcome');
  // The shell, which brings these keys elsewhere, is not there yet.
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
            Find any file. Know why it is there.
          </p>
          <ol className={s.steps}>
            {STEPS.map(([title, words], i) => (
              <li key={title} className={s.step} aria-current={i === step ? 'step' : undefined} data-done={i < step}>
                <span className={s.number}>{i < step ? <Check size={14} aria-label="done" /> : i + 1}</span>
                <b>{title}</b>
                <p>{i < step ? `${username}, signed in` : words}</p>
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
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const strength = strengthOf(password);
  const differs = again !== '' && again !== password;
  const ready = username.trim() !== '' && strength.enough && again === password;
  const create = useMutation({
    mutationFn: async () => {
      await people.bootstrap({ username: username.trim(), password });
      // A service that opens no session with the bootstrap answer wants a sign-in.
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
      <h1 className="h1">Create the administrator</h1>
      <p className="read t2" style={{ marginTop: 4 }}>
        This account can see and change everything. There is no default password.
      </p>
      <div className="col g4" style={{ marginTop: 24 }}>
        <TextInput
          label="User name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          error={tried && !username.trim() ? 'Choose a name.' : undefined}
        />
        <div>
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
          <div className={s.strength} data-enough={strength.enough} aria-hidden>
            <i style={{ width: `${strength.share * 100}%` }} />
          </div>
          <p className="meta muted row g1" style={{ marginTop: 4 }} role="status">
            {strength.enough && <Check size={12} aria-hidden />}
            {strength.words}
          </p>
        </div>
        <PasswordInput
          label="Password again"
          autoComplete="new-password"
          placeholder="Type it once more"
          value={again}
          onChange={(e) => setAgain(e.currentTarget.value)}
          error={differs ? 'The two differ.' : undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        />
        <ErrorNote error={create.error} />
      </div>
      <div className={s.foot}>
        <span className="meta muted row g2">
          <Lock size={14} aria-hidden />
          Stays on this machine. Catalog makes no outside request.
        </span>
        <span className="grow" />
        <Button type="submit" variant="primary" size="l" disabled={create.isPending || !ready}>
          {create.isPending ? 'Creating…' : 'Create and continue'}
        </Button>
      </div>
    </form>
  );
}
