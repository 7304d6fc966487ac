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
import { databaseFailure } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { hasScope, type Principal, type RouteScope } from '../principal.ts';
import { type ErrorCode, errorCatalogue, Problem, type ProblemExtras, problem } from '../problem.ts';
import type { createAddressReader } from './caller.ts';
import { drainOnClose } from './drain.ts';
import { registerOpenApi } from './openapi.ts';
import { closeEventStreams } from './sse.ts';
import { statusOf } from './status.ts';
import { compileResponseSchema, describeFieldErrors, fieldErrors, registerBodyParser, validatorCompiler } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** The caller's address after trusted proxies. */
    clientAddress: string;
  }
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** For streams and downloads: the response is not JSON and is not validated against a schema. */
    raw?: boolean;
  }
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

interface AppOptions {
  log: Log;
  version: string;
  readAddress: ReturnType<typeof createAddressReader>;
  /** Returns null when the request has no credential, and throws a Problem when its credential is invalid. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Principal | null>;
  /** Validates every response against its schema; used by tests. */
  strictResponses?: boolean;
  tls?: { cert: Buffer; key: Buffer } | undefined;
  bodyLimit?: number;
  /** When the app closes, responses that are still being sent after this long are cut. */
  drainSeconds?: number;
}

/** An app without routes. It enforces that every route declares a scope, and adds problem documents, security headers and request ids. */
export async function createApp(options: AppOptions): Promise<App> {
  const app = fastify({
    ...(options.tls ? { https: options.tls } : {}),
    logger: false,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096 },
    // Requests are served until the server is closed; see drain.ts.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.decorateRequest('principal', null);
  app.decorateRequest('clientAddress', '');
  await app.register(cookie);

  app.addHook('onRoute', (route) => {
    // Routes registered by plugins cannot declare a scope: the API page, and the files of the console and the manual.
    const fromPlugin = route.url.startsWith('/api/docs') || route.url === '/*' || route.url === '/docs/*' || route.method === 'OPTIONS';
    if (fromPlugin) route.config = { ...route.config, scope: 'public' };
    if (!(route.config as { scope?: RouteScope } | undefined)?.scope)
      throw new Error(`${String(route.method)} ${route.url} declares no scope.`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    request.clientAddress = options.readAddress(request.socket.remoteAddress ?? '', request.headers);
  });
  app.addHook('onRequest', async (request, reply) => {
    const scope = request.routeOptions.config.scope ?? 'public';
    if (scope === 'public') return;
    request.principal = await options.authenticate(request, reply);
    requireScope(request.principal, scope);
  });
  registerBodyParser(app);
  app.addHook('preClose', async () => closeEventStreams());
  drainOnClose(app, options.drainSeconds ?? 10);
  if (options.strictResponses) validateResponses(app);

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = problemFromError(error);
    if (known.code === 'disk_full') options.log.error(`The disk is full: ${error.message}`, { request_id: request.id });
    if (known.code === 'internal')
      options.log.error(`${request.method} ${request.routeOptions.url ?? request.url} failed`, { request_id: request.id, error });
    send(reply, request, known);
  });
  app.setNotFoundHandler((request, reply) => send(reply, request, problem('not_found')));
  await registerOpenApi(app, options.version);
  return app;
}

function requireScope(principal: Principal | null, scope: RouteScope): void {
  if (scope === 'public') return;
  if (!principal) throw problem('credentials_missing');
  if (scope === 'session') {
    if (principal.carrier === 'key') throw problem('session_required');
    return;
  }
  if (!hasScope(principal.scopes, scope)) throw problem('scope_insufficient', `This needs the scope "${scope}".`);
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
};
function problemFromError(error: FastifyError | Problem | Error): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode, validation, validationContext, message } = error as FastifyError;
  if (validation) {
    const errors = fieldErrors(validation, validationContext);
    return problem('validation_failed', describeFieldErrors(errors), { errors });
  }
  if (code && frameworkCodes[code]) return problem(frameworkCodes[code]);
  if (statusCode === 400 && error instanceof SyntaxError) return problem('malformed_json');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return problem(statusCode === 404 ? 'not_found' : 'bad_request', message);
  const failure = databaseFailure(error);
  if (failure === 'full') return problem('disk_full');
  if (failure === 'lost') return problem('database_unavailable', undefined, { retryAfter: 5 });
  return problem('internal');
}

function send(reply: FastifyReply, request: FastifyRequest, { code, message, extras }: Problem): void {
  const status = statusOf[code];
  const { retryAfter, ...members } = extras as ProblemExtras;
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const body = {
    type: `about:blank#${code}`,
    title: errorCatalogue[code].title,
    status,
    detail: message,
    code,
    instance: request.id,
    ...members,
  };
  reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(body);
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
