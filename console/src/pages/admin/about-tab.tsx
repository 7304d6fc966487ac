import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react';
import { about, disk } from '../../api/operations.ts';
import { Card } from '../../components/page.tsx';
import { PathText } from '../../components/path-text.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { formatDate } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import { EmbeddingsCard } from './embeddings-card.tsx';
import { UpdatesCard } from './updates-card.tsx';

/** Versions, external tools with what is missing without them, and free disk space. */
export function AboutTab() {
  const facts = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000 });
  const space = useQuery({ queryKey: ['disk'], queryFn: disk, staleTime: 30_000 });
  if (facts.error && !facts.data) return <ErrorState error={facts.error} retry={() => void facts.refetch()} />;
  if (!facts.data) return <Loading what={t('system information')} />;
  const { application, services, host_tools, sandbox, key_fingerprints, embedding, packages } = facts.data;
  const key = key_fingerprints.secret_key;
  const keyIsWrong = key.state === 'mismatch' || key.state === 'missing';
  const root = key_fingerprints.ca_root;
  const rootIsWrong = root?.state === 'mismatch' || root?.state === 'missing';
  return (
    <div className="col g4">
      <Card
        title={
          <h2 className="h3">
            <bdi>
              {application.name} {application.version}
            </bdi>
          </h2>
        }
      >
        <p className="t2">
          {t('Node {node} on {platform}{services}', {
            node: application.node,
            platform: application.platform,
            services: services.map((service) => ` · ${service.name} ${service.version ?? ''}`).join(''),
          })}
        </p>
        <p className="row g2 wrap" style={{ minHeight: 32 }}>
          <StatusText
            tone={keyIsWrong ? 'danger' : key.state === 'unset' ? 'idle' : 'ok'}
            icon={keyIsWrong ? TriangleAlert : key.state === 'unset' ? CircleSlash : CircleCheck}
          >
            {t('Secret key')}
          </StatusText>
          <span className={keyIsWrong ? '' : 't2'}>
            {key.message ??
              (key.state === 'unset' ? t('Not set. Passwords of alert channels cannot be saved.') : t('The key of the stored secrets'))}
          </span>
          {!keyIsWrong && key.configured && <span className="mono muted">{key.configured}</span>}
        </p>
        {root && (
          <p className="row g2 wrap" style={{ minHeight: 32 }}>
            <StatusText
              tone={rootIsWrong ? 'danger' : root.state === 'none' ? 'idle' : 'ok'}
              icon={rootIsWrong ? TriangleAlert : CircleCheck}
            >
              {t('Certificates of agents')}
            </StatusText>
            <span className={rootIsWrong ? '' : 't2'}>
              {root.message ?? (root.state === 'none' ? t('No agent has enrolled yet.') : t('The root that issued them'))}
            </span>
            {!rootIsWrong && root.configured && <span className="mono muted">{root.configured}</span>}
          </p>
        )}
        <p className="row g2 wrap" style={{ minHeight: 32 }}>
          <StatusText tone={embedding.enabled ? 'ok' : 'idle'} icon={embedding.enabled ? CircleCheck : CircleSlash}>
            {t('Search by meaning')}
          </StatusText>
          <span className="t2">{serverText(embedding.detail)}</span>
          {embedding.repository && (
            <span className="mono muted anywhere">
              {embedding.repository} {embedding.file} {embedding.revision}
            </span>
          )}
          {embedding.size_bytes !== null && <span className="muted">{formatBytes(embedding.size_bytes)}</span>}
          {embedding.downloaded_at && (
            <span className="muted">{t('since {downloaded_at}', { downloaded_at: formatDate(embedding.downloaded_at) })}</span>
          )}
        </p>
      </Card>
      <EmbeddingsCard />
      <UpdatesCard />
      <Card title={t('Tools')}>
        <Table
          rows={host_tools}
          keyOf={(tool) => tool.name}
          columns={[
            { head: t('Tool'), className: 'm5', cell: (tool) => <bdi>{tool.name}</bdi> },
            { head: t('Purpose'), className: 't2', cell: (tool) => purposeText(tool.purpose) },
            {
              head: t('Status'),
              cell: (tool) => (
                <StatusText tone={tool.present ? 'ok' : 'idle'} icon={tool.present ? CircleCheck : CircleSlash}>
                  {tool.present ? (tool.version ?? t('Installed')) : t('Not installed')}
                </StatusText>
              ),
            },
            { head: t('Without it'), className: 'muted', cell: impactText },
          ]}
        />
      </Card>
      <Card title={t('Protection from harmful files')}>
        <p className="t2">
          {t('Files are read by separate processes that see only their library. Each layer below limits what a harmful file can do.')}
        </p>
        <Table
          rows={sandbox}
          keyOf={(layer) => layer.name}
          columns={[
            { head: t('Layer'), className: 'm5', cell: (layer) => serverText(layer.title) },
            {
              head: t('Status'),
              cell: (layer) => (
                <StatusText tone={layer.active ? 'ok' : 'warn'} icon={layer.active ? CircleCheck : TriangleAlert}>
                  {layer.active ? t('Active') : t('Not available')}
                </StatusText>
              ),
            },
            { head: t('Reason'), className: 'muted', cell: (layer) => layer.reason ?? '' },
            { head: t('Without it'), className: 'muted', cell: (layer) => serverText(layer.effect ?? '') },
          ]}
        />
      </Card>
      <Card title={t('Disk space')}>
        {space.data?.paths.map((place) => (
          <p key={place.label} className="row g2 wrap" style={{ minHeight: 32 }}>
            <StatusText
              tone={place.status === 'ok' ? 'ok' : place.status === 'critical' ? 'danger' : 'warn'}
              icon={place.status === 'ok' ? CircleCheck : TriangleAlert}
            >
              <bdi>{place.label}</bdi>
            </StatusText>
            <span>
              {rich('{free} free <span>of {total}</span>', {
                free: formatBytes(place.free),
                total: formatBytes(place.total),
                span: (text) => <span className="muted">{text}</span>,
              })}
            </span>
            <bdi className="mono muted">
              <PathText path={place.path} />
            </bdi>
          </p>
        ))}
      </Card>
      <Card title={t('Packages')}>
        <details>
          <summary className="t2">
            {t('{packages|# package|# packages} of other authors, with their versions', { packages: packages.length })}
          </summary>
          <Table
            rows={packages}
            keyOf={(each) => each.name}
            columns={[
              { head: t('Package'), className: 'mono anywhere', cell: (each) => each.name },
              { head: t('Version'), className: 'mono', cell: (each) => each.version },
            ]}
          />
        </details>
      </Card>
    </div>
  );
}

/** What a tool is for. The server joins the uses of all readers. */
const purposeText = (purpose: string): string => purpose.split('; ').map(serverText).join('; ');

const impactText = ({ present, purpose, impact }: { present: boolean; purpose: string; impact: string | null }): string =>
  present || !impact ? serverText(impact ?? '') : t('Unavailable without it: {purpose}', { purpose: purposeText(purpose) });
