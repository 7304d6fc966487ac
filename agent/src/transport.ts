/**
 * How a request travels: over mutual TLS to the port of agents when the service named one at enrolment, otherwise over the connection that
 * the address of the service says, with a signature. Over mutual TLS only the pinned root is trusted.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import { agentPlaneName } from '@catalog/protocol';
import { filesIn } from './config.ts';

export interface Sent {
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  signal: AbortSignal;
}

export type Transport = (url: URL, sent: Sent) => Promise<Response>;

export const plainTransport: Transport = (url, { method, headers, body, signal }) =>
  fetch(url, { method, headers, redirect: 'error', signal, ...(body === undefined ? {} : { body }) });

/** Presents the certificate of the agent, as renewed last. */
export function createMutualTransport(dataDir: string, rootFingerprint: string): Transport {
  const { key, certificate, authority } = filesIn(dataDir);
  let known: { agent: Agent; version: number } | undefined;
  const connections = (): Agent => {
    const version = statSync(certificate).mtimeMs;
    if (known?.version === version) return known.agent;
    known?.agent.destroy();
    const ca = readFileSync(authority, 'utf8');
    if (new X509Certificate(ca).fingerprint256.replaceAll(':', '').toLowerCase() !== rootFingerprint)
      throw new Error(`${authority} is not the root that was pinned when this machine was enrolled.`);
    const agent = new Agent({
      keepAlive: true,
      ca,
      key: readFileSync(key, 'utf8'),
      cert: readFileSync(certificate, 'utf8'),
      minVersion: 'TLSv1.2',
      servername: agentPlaneName,
      checkServerIdentity: (_host, presented) => checkServerIdentity(agentPlaneName, presented),
    });
    known = { agent, version };
    return agent;
  };
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sending = request(url, { agent: connections(), method, headers, signal }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const given = Object.entries(answer.headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, String(value)] as [string, string]],
          );
          const status = answer.statusCode ?? 500;
          resolve(new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, headers: given }));
        });
      });
      sending.on('error', reject);
      sending.end(body);
    });
}
