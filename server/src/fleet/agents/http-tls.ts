/**
 * The port of agents: mutual TLS, terminated here. Only certificates of the built-in authority get through the handshake, and every request
 * is checked against the agent's record, so a revoked agent is refused at once, also on a connection that is already open. The certificate
 * of the server comes from the same root, which agents pinned when they enrolled, and has a fixed name that no agent can have.
 */
import { createPublicKey, generateKeyPairSync, type X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { agentPlaneName } from '@catalog/protocol';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { issueServerCertificate, requireRoot } from '../authority/index.ts';

const certificateDays = 7;
const renewEveryMs = 86_400_000;
/** Each connection has proved that it is an agent's, so there may be more than of unknown callers. */
const maxConnections = 20_000;

/** Listens beside the app, on SVC_AGENT_TLS_PORT, as long as the app does. */
export function serveAgentTls(app: App, deps: Dependencies, port: number): void {
  const { settings, log } = deps;
  let server: Server | undefined;
  let renewal: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    if (settings.caUrl !== undefined) {
      log.error('SVC_AGENT_TLS_PORT needs the built-in authority, but SVC_CA_URL is set. Agents use the main port.');
      return;
    }
    try {
      server = createServer({ ...(await credentials(deps)), requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
      server.maxConnections = maxConnections;
      server.on('request', (request, response) => {
        // Other routes would let an agent's connection try the credentials of people.
        if (request.url?.startsWith('/api/v1/agents/')) app.routing(request, response);
        else response.writeHead(404).end();
      });
      await listening(server, port, settings.host);
      log.info(`Agents can connect with certificates on port ${port}.`);
      renewal = setInterval(() => {
        credentials(deps).then(
          (renewed) => server?.setSecureContext(renewed),
          (error: unknown) => log.error('The certificate of the port for agents was not renewed.', { error }),
        );
      }, renewEveryMs);
      renewal.unref();
    } catch (error) {
      log.error(
        `The port for agents (SVC_AGENT_TLS_PORT ${port}) cannot be opened: ${(error as Error).message}. Agents use the main port.`,
      );
    }
  });
  app.addHook('preClose', async () => {
    clearInterval(renewal);
    const open = server;
    if (!open?.listening) return;
    const ended = new Promise<void>((resolve) => open.close(() => resolve()));
    open.closeIdleConnections();
    const late = setTimeout(() => open.closeAllConnections(), 2000);
    await ended;
    clearTimeout(late);
  });
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A new key and certificate. They are never stored: agents trust the root, not this certificate. */
async function credentials({ db, settings, clock }: Dependencies): Promise<{ key: string; cert: string; ca: string }> {
  const root = await requireRoot(db, settings, clock.now());
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = issueServerCertificate(root, agentPlaneName, createPublicKey(privateKey), clock.now(), certificateDays * 24);
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, ca: root.certificatePem };
}

/** The certificate that a client proved to hold; null on every other connection. */
export function clientCertificate({ socket }: Pick<IncomingMessage, 'socket'>): X509Certificate | null {
  const { authorized, getPeerX509Certificate } = socket as Partial<TLSSocket>;
  return authorized && getPeerX509Certificate ? ((socket as TLSSocket).getPeerX509Certificate() ?? null) : null;
}
