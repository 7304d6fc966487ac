import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, PlugZap, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Problem } from '../../api/problem.ts';
import * as api from '../../api/providers.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import s from './admin-page.module.css';
import { DirectoryCard } from './directory-card.tsx';
import { FetchCertificate, SampleSignIn } from './ldap-tools.tsx';
import { ProviderFieldInput } from './provider-field-input.tsx';
import { directoryGroups, type FieldGroup, ldapGroups, oidcGroups } from './provider-fields.ts';

export function ProvidersTab() {
  return (
    <div className="col g4">
      <ProviderCard provider="oidc" title={t('Single sign-on with OpenID Connect')} groups={oidcGroups} />
      <ProviderCard provider="ldap" title={t('LDAP and Active Directory')} groups={ldapGroups} />
      <ProviderCard provider="directory" title={t('Directory sync and more directories')} groups={directoryGroups} />
      <DirectoryCard />
    </div>
  );
}

/** The form of one provider. Only changed values are sent; the others keep coming from the environment. */
function ProviderCard({ provider, title, groups }: { provider: api.ProviderName; title: string; groups: FieldGroup[] }) {
  const client = useQueryClient();
  const config = useQuery({ queryKey: ['auth-config', provider], queryFn: () => api.providerConfig(provider) });
  const [draft, setDraft] = useState<api.ConfigValues>({});
  const [warnings, setWarnings] = useState<string[] | null>(null);
  const [sample, setSample] = useState<api.ConfigValues>({});
  const test = useMutation({ mutationFn: () => api.testProvider(provider === 'oidc' ? 'oidc' : 'ldap', { ...draft, ...sample }) });
  if (config.error && !config.data) return <ErrorState error={config.error} retry={() => void config.refetch()} />;
  if (!config.data) return <Loading what={title} />;
  const { values, source } = config.data;
  const saved = async (next: api.ProviderConfig) => {
    client.setQueryData(['auth-config', provider], next);
    setDraft({});
    test.reset();
    toast(t('Saved. It applies to the next sign-in.'));
    await client.invalidateQueries({ queryKey: ['auth', 'status'] });
  };
  const save = async () => {
    try {
      return await api.saveProvider(provider, draft, false);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'would_lock_out') throw error;
      setWarnings([error.message]);
      return null;
    }
  };
  return (
    <Card title={title}>
      <Form
        layout="card"
        submit={t('Save')}
        ready={Object.keys(draft).length > 0}
        save={save}
        onSaved={(next) => next && saved(next)}
        aside={
          provider !== 'directory' && (
            <Button onClick={() => test.mutate()} disabled={test.isPending}>
              <PlugZap size={16} aria-hidden />
              {test.isPending ? t('Testing…') : t('Test without saving')}
            </Button>
          )
        }
      >
        {(errorAt) => (
          <>
            {groups.map((group) => (
              <fieldset key={group.title} className={s.fieldGroup}>
                <legend className="m5">{group.title}</legend>
                {group.fields.map((field) => (
                  <ProviderFieldInput
                    key={field.name}
                    field={field}
                    value={field.name in draft ? (draft[field.name] ?? null) : (values[field.name] ?? null)}
                    stored={values[field.name] ?? null}
                    isStored={values[`has_${field.name}`] === true}
                    isChanged={field.name in draft}
                    source={source[field.name] ?? 'unset'}
                    error={errorAt(field.name)}
                    onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
                  />
                ))}
              </fieldset>
            ))}
            {provider === 'ldap' && <FetchCertificate draft={draft} onUse={(pem) => setDraft((before) => ({ ...before, ca_pem: pem }))} />}
            {provider === 'ldap' && <SampleSignIn onChange={setSample} />}
            <ErrorNote error={test.error} />
            {test.data && (
              <Note tone={test.data.ok ? 'ok' : 'danger'} icon={test.data.ok ? CircleCheck : CircleX} live>
                {test.data.ok ? testSentence(test.data) : (test.data.error ?? t('The test failed.'))}
              </Note>
            )}
            {test.data?.warnings.map((warning) => (
              <Note key={warning} tone="warn" icon={TriangleAlert}>
                {warning}
              </Note>
            ))}
          </>
        )}
      </Form>
      <ConfirmDialog
        opened={warnings !== null}
        title={t('Save a change that locks people out?')}
        confirm={t('Save anyway')}
        danger
        onConfirm={async () => saved(await api.saveProvider(provider, draft, true))}
        onClose={() => setWarnings(null)}
      >
        {t('{warnings} Administrators with a password can always sign in.', { warnings: warnings?.join(' ') })}
      </ConfirmDialog>
    </Card>
  );
}

function testSentence(result: api.ProviderTest & Record<string, unknown>): string {
  const sample = result['sample'] as { dn: string; role: string; groups: string[] } | undefined;
  if (result['detail'])
    return `${String(result['detail'])}${sample ? ` ${t('{dn} can sign in as {role}, with {groups|# group|# groups}.', { dn: sample.dn, role: sample.role, groups: sample.groups.length })}` : ''}`;
  return t('The provider answers as {issuer} and publishes {n|# signing key|# signing keys}.', {
    issuer: String(result['issuer']),
    n: Number(result['keys']),
  });
}
