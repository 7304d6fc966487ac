import { contentDigest } from '@catalog/protocol';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { isEnabled } from '../../settings/index.ts';
import { createAdmission } from './admission.ts';
import { type AuthenticatedAgent, authenticateAgent, type KeptKeys } from './authenticate.ts';
import { clientCertificate } from './http-tls.ts';
import type { AgentRow } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** On routes with the scope `agent`: who sent the request. */
    agentCaller: AuthenticatedAgent | null;
    /** The digest of the body as received. */
    bodyDigest: string | null;
    /** Ends the work on this request before its response: it only waits from now on. */
    endWork: () => void;
  }
  interface FastifyContextConfig {
    /** An agent whose certificate has expired may call this route. */
    acceptExpired?: boolean;
    /** Every agent sends this request every minute or so. It is refused while too many others are being worked on. */
    isRoutine?: boolean;
    /** Throws when the request cannot be worked on now; called before anything is read for it. */
    admit?: () => void;
  }
}

/** The agent that sent the request. */
export function agentOf({ agentCaller }: { agentCaller: AuthenticatedAgent | null }): AgentRow {
  if (agentCaller === null) throw problem('agent_credentials');
  return agentCaller.agent;
}

/** Makes every route of this context answer 404 while agents are off, and authenticates agents on routes with the scope `agent`. */
export function registerAgentPlane(app: App, deps: Dependencies): void {
  const enabled = isEnabled(deps.settings, 'SVC_AGENTS_ENABLED');
  app.decorateRequest('agentCaller', null);
  app.decorateRequest('bodyDigest', null);
  app.decorateRequest('endWork', () => {});
  const admission = createAdmission();
  const keys: KeptKeys = new Map();
  app.addHook('onRequest', async (request, reply) => {
    if (!enabled) throw problem('not_found', 'Agents are off. Set SVC_AGENTS_ENABLED to true to use them.');
    const { scope, acceptExpired = false, isRoutine = false, admit } = request.routeOptions.config;
    if (scope !== 'agent') return;
    admit?.();
    if (isRoutine) {
      request.endWork = admission.enter();
      reply.raw.once('close', request.endWork);
    }
    const given = {
      method: request.method,
      url: request.raw.url ?? '',
      hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
      headers: request.headers,
      address: request.clientAddress,
      acceptExpired,
      certificate: clientCertificate(request.raw),
    };
    request.agentCaller = await authenticateAgent(deps, (request.params as { agent_id: string }).agent_id, given, keys);
    app.connections.provedAgent(request.raw.socket);
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    request.bodyDigest = contentDigest(bytes);
    if (bytes.length === 0 && request.routeOptions.schema?.body === undefined) done(null, undefined);
    else void parse(request, bytes.toString('utf8'), done);
  });
  app.addHook('preValidation', async ({ agentCaller, bodyDigest }) => {
    const signed = agentCaller?.signedDigest ?? null;
    if (signed !== null && signed !== bodyDigest) throw problem('agent_credentials', 'The body is not the one that was signed.');
  });
}
