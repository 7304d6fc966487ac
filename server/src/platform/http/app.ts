import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
import type { Log } from '../log/index.ts';
import { hasScope, type Principal, type RouteScope } from '../principal.ts';
import { type Problem, problem } from '../problem.ts';
import type { CallerReader } from './caller.ts';
import { type ConnectionLimits, type CountedConnections, defaultConnectionLimits, limitBodyTime, limitConnections } from './connections.ts';
import { drainOnClose } from './drain.ts';
import { answerClientError, problemFromError, securityHeaders, sendProblem } from './errors.ts';
import { createMethodTable } from './methods.ts';
import { registerOpenApi } from './openapi.ts';
import {
  compileResponseSchema,
  createLazySerializerCompiler,
  lazyValidatorCompiler,
  refuseUnstorableText,
  registerBodyParser,
  validatorCompiler,
} from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** The caller's address after trusted proxies. */
    clientAddress: string;
    /** The host and port that the browser uses, after trusted proxies. */
    publicHost: string;
    /** The browser uses HTTPS, directly or up to a trusted proxy. */
    secure: boolean;
    /** The connection comes from a trusted proxy. */
    fromTrustedProxy: boolean;
  }
  interface FastifyInstance {
    /**
     * Replaces the caller of a request by the same caller with the rights of this moment. False when their credential has ended or no longer
     * covers the route; the response must then end.
     */
    renewCaller(request: FastifyRequest): Promise<boolean>;
    /** Aborted when a stop begins, while requests are still served. What waits for events must end its requests then. */
    stopping: AbortSignal;
    connections: CountedConnections;
  }
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** For streams and downloads: the response is not JSON and is not validated against a schema. */
    raw?: boolean;
    /** How long the request body may take to arrive; routes that take large files need more than the default. */
    bodySeconds?: number;
  }
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

interface AppOptions {
  log: Log;
  version: string;
  readCaller: CallerReader;
  /** Returns null when the request has no credential, and throws a Problem when its credential is invalid. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Principal | null>;
  /** The caller with the rights of this moment; null when their credential has ended. */
  renew(principal: Principal): Promise<Principal | null>;
  /** Validates every response against its schema; used by tests. */
  strictResponses?: boolean;
  /** Compiles every schema before the first request; used by the test that all of them can be compiled. */
  compileAtStart?: boolean;
  tls?: { cert: Buffer; key: Buffer } | undefined;
  bodyLimit?: number;
  /** When the app closes, requests are accepted for this long while the app reports that it is not ready. */
  delaySeconds?: number;
  /** When the app closes, responses that are still being sent after this long are cut. */
  drainSeconds?: number;
  connectionLimits?: Partial<ConnectionLimits>;
}

/** An app without routes. It enforces that every route declares a scope, and adds problem documents, security headers and request ids. */
export async function createApp(options: AppOptions): Promise<App> {
  const limits = { ...defaultConnectionLimits, ...options.connectionLimits };
  // Node checks every interval for connections whose headers are late. Bodies have their own timer, because routes differ.
  const server = { headersTimeout: limits.headerSeconds * 1000, connectionsCheckingInterval: Math.min(5000, limits.headerSeconds * 500) };
  const app = fastify({
    ...(options.tls ? { https: { ...options.tls, ...server } } : { http: server }),
    logger: false,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096 },
    // Requests on connections that are still open while the service stops are answered as usual, with Connection: close.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders);
      sendProblem(reply, request, problemFromError(error));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(options.compileAtStart ? validatorCompiler : lazyValidatorCompiler);
  if (!options.compileAtStart) app.setSerializerCompiler(await createLazySerializerCompiler());
  app.decorateRequest('principal', null);
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('publicHost', '');
  app.decorateRequest('secure', false);
  app.decorateRequest('fromTrustedProxy', false);
  app.decorate(
    'connections',
    limitConnections(app.server, limits, (address) => options.readCaller(address, {}).fromProxy),
  );
  const methods = createMethodTable();
  await app.register(cookie);

  app.addHook('onRoute', (route) => {
    // Routes registered by plugins cannot declare a scope: the API page, and the files of the console and the manual.
    const fromPlugin = route.url.startsWith('/api/docs') || route.url === '/*' || route.url === '/docs/*' || route.method === 'OPTIONS';
    if (fromPlugin) route.config = { ...route.config, scope: 'public' };
    if (!(route.config as { scope?: RouteScope } | undefined)?.scope)
      throw new Error(`${String(route.method)} ${route.url} declares no scope.`);
    methods.add(route.url, route.method);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    const caller = options.readCaller(request.socket.remoteAddress ?? '', request.headers);
    request.clientAddress = caller.address;
    request.publicHost = caller.host;
    request.secure = request.protocol === 'https' || caller.forwardedHttps;
    request.fromTrustedProxy = caller.fromProxy;
    limitBodyTime(request, reply, request.routeOptions.config.bodySeconds ?? limits.bodySeconds);
  });
  app.addHook('onRequest', async (request, reply) => {
    const scope = request.routeOptions.config.scope ?? 'public';
    // Agents are authenticated by the fleet's own hook.
    if (scope === 'public' || scope === 'agent') return;
    request.principal = await options.authenticate(request, reply);
    const refused = scopeProblem(request.principal, scope);
    if (refused) throw refused;
  });
  app.decorate('renewCaller', async (request: FastifyRequest) => {
    if (request.principal === null) return true;
    const renewed = await options.renew(request.principal);
    if (renewed === null || scopeProblem(renewed, request.routeOptions.config.scope ?? 'public') !== null) return false;
    request.principal = renewed;
    return true;
  });
  registerBodyParser(app);
  app.addHook('preValidation', async (request) => refuseUnstorableText(request));
  app.decorate('stopping', drainOnClose(app, { delaySeconds: options.delaySeconds ?? 0, drainSeconds: options.drainSeconds ?? 10 }));
  if (options.strictResponses) validateResponses(app);

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = problemFromError(error);
    if (known.code === 'disk_full') options.log.error(`The disk is full: ${error.message}`, { request_id: request.id });
    if (known.code === 'internal')
      options.log.error(`${request.method} ${request.routeOptions.url ?? request.url} failed`, { request_id: request.id, error });
    sendProblem(reply, request, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.allowedAt(request.url);
    if (allowed.length === 0) return sendProblem(reply, request, problem('not_found'));
    reply.header('allow', allowed.join(', '));
    sendProblem(reply, request, problem('method_not_allowed', `This URL supports ${allowed.join(', ')}.`));
  });
  await registerOpenApi(app, options.version);
  return app;
}

/** Why the caller may not use a route of this scope. */
function scopeProblem(principal: Principal | null, scope: RouteScope): Problem | null {
  if (scope === 'public' || scope === 'agent') return null;
  if (!principal) return problem('credentials_missing');
  if (scope === 'session') return principal.carrier === 'key' ? problem('session_required') : null;
  return hasScope(principal.scopes, scope) ? null : problem('scope_insufficient', `This needs the scope "${scope}".`);
}

function validateResponses(app: App): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (request.routeOptions.config.raw || reply.statusCode >= 400) return payload;
    const schema = (request.routeOptions.schema?.response as Record<string, object> | undefined)?.[String(reply.statusCode)];
    if (!schema) {
      if (request.routeOptions.url?.startsWith('/api/v1/'))
        throw new Error(`${request.method} ${request.routeOptions.url} responds with status ${reply.statusCode}, which has no schema.`);
      return payload;
    }
    const check = compileResponseSchema(schema);
    if (!check(JSON.parse(JSON.stringify(payload))))
      throw new Error(
        `${request.method} ${request.routeOptions.url} returned a response that does not match its schema: ${JSON.stringify(check.errors)}`,
      );
    return payload;
  });
}

/**
 * Serialises the response with JSON.stringify, which takes half the time of the schema serialiser on long lists. The schema then no longer
 * removes undeclared fields, so the route must build every field itself and never return a database row.
 */
export function serializeWithoutSchema(reply: Pick<FastifyReply, 'type'>): void {
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
}
