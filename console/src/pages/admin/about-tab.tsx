import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react';
import { about, disk } from '../../api/operations.ts';
import { bytes } from '../../format/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { StatusText } from '../../parts/status.tsx';
import { readListKeys } from '../../shell/list-keys.ts';
import s from './admin-page.module.css';

/** What runs, which tools it found and what is lost without the others, and how much room is left. */
export function AboutTab() {
  const facts = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000 });
  const room = useQuery({ queryKey: ['disk'], queryFn: disk, staleTime: 30_000 });
  if (facts.error) return <ErrorState error={facts.error} retry={() => void facts.refetch()} />;
  if (!facts.data) return <Loading what="the facts" />;
  const { application, services, host_tools } = facts.data;
  return (
    <div className="col g4">
      <Card title={`${application.name} ${application.version}`}>
        <p className="t2">
          Node {application.node} on {application.platform}
          {services.map((service) => ` · ${service.name} ${service.version ?? ''}`).join('')}
        </p>
      </Card>
      <Card title="Tools">
        <div className={s.scroll}>
          <table className={`${s.table} ${s.plain}`}>
            <thead>
              <tr>
                <th>Tool</th>
                <th>For</th>
                <th>Status</th>
                <th>Without it</th>
              </tr>
            </thead>
            <tbody {...readListKeys}>
              {host_tools.map((tool) => (
                <tr key={tool.name}>
                  <td className="m5">{tool.name}</td>
                  <td className="t2">{tool.purpose}</td>
                  <td>
                    <StatusText tone={tool.present ? 'ok' : 'idle'} icon={tool.present ? CircleCheck : CircleSlash}>
                      {tool.present ? (tool.version ?? 'Present') : 'Not installed'}
                    </StatusText>
                  </td>
                  <td className="muted">{tool.impact ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title="Room on disk">
        {room.data?.paths.map((place) => (
          <p key={place.label} className="row g2 wrap" style={{ minHeight: 32 }}>
            <StatusText
              tone={place.status === 'ok' ? 'ok' : place.status === 'critical' ? 'danger' : 'warn'}
              icon={place.status === 'ok' ? CircleCheck : TriangleAlert}
            >
              {place.label}
            </StatusText>
            <span>
              {bytes(place.free)} free <span className="muted">of {bytes(place.total)}</span>
            </span>
            <bdi className="mono muted anywhere">{place.path}</bdi>
          </p>
        ))}
      </Card>
    </div>
  );
}
