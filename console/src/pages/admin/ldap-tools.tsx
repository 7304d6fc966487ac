import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleX, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/providers.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './admin-page.module.css';

/** A name and password for the test; they are neither saved nor logged. */
export function SampleSignIn({ onChange }: { onChange: (sample: api.ConfigValues) => void }) {
  const [sample, setSample] = useState({ sample_username: '', sample_password: '' });
  const set = (change: Partial<typeof sample>) => {
    const next = { ...sample, ...change };
    setSample(next);
    onChange(next.sample_username ? next : {});
  };
  return (
    <fieldset className={s.fieldGroup}>
      <legend className="m5">{t('Try a sign-in')}</legend>
      <TextInput
        label={t('User name for the test')}
        description={t('Optional. The test then also checks this password and shows the role and the groups.')}
        autoComplete="off"
        value={sample.sample_username}
        onChange={(event) => set({ sample_username: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('Password for the test')}
        autoComplete="off"
        value={sample.sample_password}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        onChange={(event) => set({ sample_password: event.currentTarget.value })}
      />
    </fieldset>
  );
}

/** Shows what the server presents, so that a person can compare it before they trust it. */
export function FetchCertificate({ draft, onUse }: { draft: api.ConfigValues; onUse: (pem: string) => void }) {
  const fetched = useMutation({
    mutationFn: () =>
      api.fetchCertificate(
        typeof draft['server'] === 'string' ? draft['server'] : undefined,
        typeof draft['start_tls'] === 'boolean' ? draft['start_tls'] : undefined,
      ),
  });
  const { data } = fetched;
  return (
    <div className="col g2">
      <div>
        <Button size="s" onClick={() => fetched.mutate()} disabled={fetched.isPending}>
          <ShieldCheck size={16} aria-hidden />
          {fetched.isPending ? t('Fetching…') : t('Fetch the server’s certificate')}
        </Button>
      </div>
      <ErrorNote error={fetched.error} />
      {data && !data.ok && (
        <Note tone="danger" icon={CircleX} live>
          {data.error}
        </Note>
      )}
      {data?.chain?.map((each) => (
        <p key={each.sha256} className="meta" style={{ overflowWrap: 'anywhere' }}>
          {rich('{subject}, issued by {issuer}, valid until {not_after}. SHA-256: {sha256}', {
            subject: each.subject,
            issuer: each.issuer,
            not_after: each.not_after.slice(0, 10),
            sha256: <code>{each.sha256}</code>,
          })}
        </p>
      ))}
      {data?.note && <p className="meta muted">{data.note}</p>}
      {data?.suggested_ca_pem && (
        <div>
          <Button size="s" onClick={() => onUse(data.suggested_ca_pem ?? '')}>
            {t('Trust this authority')}
          </Button>
        </div>
      )}
    </div>
  );
}
