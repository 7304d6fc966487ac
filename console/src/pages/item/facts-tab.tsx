import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { LinkButton, TextLink } from '../../components/button.tsx';
import { CopyButton, copyText } from '../../components/copy-button.tsx';
import { PathText } from '../../components/path-text.tsx';
import { toast } from '../../components/toast.tsx';
import { parentFolder, visibleName } from '../../format/paths.ts';
import { inSentence, t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { factsOf } from './facts.ts';
import s from './inspector.module.css';
import { originLinks, sourceLinks } from './source-link.ts';

const shortHash = (hash: string): string => (hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-8)}` : hash);

function Fact({ label, children, copy }: { label: string; children: ReactNode; copy?: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={copy ? s.copy : undefined}>
        {children}
        {copy && <CopyButton text={copy} label={t('Copy {what}', { what: inSentence(label) })} />}
      </dd>
    </>
  );
}

/** A file without an extension is read only in libraries that detect types from content. */
function UnknownType({ item }: { item: Item }) {
  const { can } = useSession();
  const detect = useMutation({
    mutationFn: () => catalog.updateLibrary(item.library_id, { content_sniff_enabled: true }),
    onSuccess: (library) => toast(t('Types of files without an extension in {name} are now detected', { name: library.name })),
  });
  if (!can('admin') || detect.isSuccess) return null;
  return (
    <Fact label={t('Contents')}>
      {t('Not read: the name has no extension.')}{' '}
      <LinkButton onClick={() => detect.mutate()} disabled={detect.isPending}>
        {t('Detect types in {library_name}', { library_name: item.library_name })}
      </LinkButton>
      {detect.error && <span role="alert"> {errorMessage(detect.error)}</span>}
    </Fact>
  );
}

/** Facts, location, origin, hashes and sidecars of a file. */
export function FactsTab({ item }: { item: Item }) {
  const sidecars = useQuery({
    queryKey: ['item', item.id, 'sidecars'],
    queryFn: () => catalog.sidecarsOf(item.id),
    staleTime: 60_000,
    retry: false,
  });
  const folder = parentFolder(item.path).replace(/\/$/, '');
  return (
    <dl className={s.facts}>
      {factsOf(item).map((fact) => (
        <Fact key={fact.label} label={fact.label}>
          <bdi>{fact.value}</bdi> {fact.extra && <span className="muted">{fact.extra}</span>}
        </Fact>
      ))}
      {item.extension === null && !item.metadata['sniffed'] && <UnknownType item={item} />}
      {originLinks(item).map((origin) => (
        <Fact key={origin.label} label={origin.label} copy={origin.href}>
          <TextLink href={origin.href} target="_blank" rel="noopener noreferrer" className="anywhere">
            {origin.words}
          </TextLink>
        </Fact>
      ))}
      <Fact label={t('Library')}>
        <TextLink href={`#/browse/${item.library_id}?path=${encodeURIComponent(item.rel_path.split('/').slice(0, -1).join('/'))}`}>
          {item.library_name}
        </TextLink>
      </Fact>
      <Fact label={t('Folder')} copy={folder}>
        <bdi className="mono">
          <PathText path={folder} />
        </bdi>
      </Fact>
      {sourceLinks(item).map((source) => (
        <Fact key={source.label} label={source.label} copy={source.path}>
          <TextLink
            href={source.href}
            className="mono anywhere"
            title={t('Open {what}', { what: inSentence(source.label) })}
            onClick={() => {
              // Browsers often refuse to open file addresses.
              void copyText(source.path).then(
                () => toast(t('Path copied. If nothing opens, paste it into your file manager.')),
                (error: unknown) => toast(errorMessage(error)),
              );
            }}
          >
            <bdi>
              <PathText path={source.path} />
            </bdi>
          </TextLink>
        </Fact>
      ))}
      {item.source_agent_id !== null && <AgentFacts item={item} />}
      <Hashes item={item} />
      {(sidecars.data ?? []).map((side) => (
        <Fact key={side.id} label={t('Sidecar')}>
          <TextLink href={`#/item/${side.id}`}>
            <bdi>{visibleName(side.filename)}</bdi>
          </TextLink>
        </Fact>
      ))}
      {item.sidecar_of && (
        <Fact label={t('Sidecar of')}>
          <TextLink href={`#/item/${item.sidecar_of}`}>{t('Main file')}</TextLink>
        </Fact>
      )}
    </dl>
  );
}

const DIGEST_LABELS: Record<string, string> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };

function Hashes({ item }: { item: Item }) {
  const { can } = useSession();
  const more = useMutation({ mutationFn: () => catalog.itemDigests(item.id) });
  const kept = Object.entries(more.data?.digests ?? {}).filter(([name]) => name !== 'sha256' || !item.content_hash);
  return (
    <>
      {item.content_hash && (
        <Fact label="SHA-256" copy={item.content_hash}>
          <span className="mono" title={item.content_hash}>
            {shortHash(item.content_hash)}
          </span>
        </Fact>
      )}
      {item.quick_hash && (
        <Fact label={t('Quick hash')} copy={item.quick_hash}>
          <span className="mono">{item.quick_hash}</span>
        </Fact>
      )}
      {item.hash_error && <Fact label={t('Hash error')}>{item.hash_error}</Fact>}
      {kept.map(([name, value]) => (
        <Fact key={name} label={DIGEST_LABELS[name] ?? name} copy={value}>
          <span className="mono" title={value}>
            {shortHash(value)}
          </span>
        </Fact>
      ))}
      {can('write') && item.status === 'active' && item.source_agent_id === null && !more.data && (
        <Fact label={t('Compute')}>
          <LinkButton onClick={() => more.mutate()} disabled={more.isPending} className="row g1">
            <Fingerprint size={14} aria-hidden />
            {more.isPending ? t('Computing…') : t('MD5, SHA-1 and SHA-512')}
          </LinkButton>
          {more.error && <span role="alert"> {errorMessage(more.error)}</span>}
        </Fact>
      )}
    </>
  );
}
