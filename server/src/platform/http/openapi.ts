import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { RouteScope } from '../principal.ts';

const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    instance: Type.Optional(Type.String()),
    errors: Type.Optional(
      Type.Array(Type.Object({ loc: Type.Array(Type.Union([Type.String(), Type.Integer()])), msg: Type.String(), type: Type.String() })),
    ),
  },
  { additionalProperties: true, title: 'Problem' },
);

const security: Record<RouteScope, Record<string, string[]>[]> = {
  public: [],
  session: [{ session: [] }],
  agent: [{ agent: [] }],
  read: [{ key: ['read'] }, { session: ['read'] }],
  write: [{ key: ['write'] }, { session: ['write'] }],
  admin: [{ key: ['admin'] }, { session: ['admin'] }],
};

/** Serves the OpenAPI document and its interactive page. Must be registered before the routes. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    // Only the API is documented; routes that serve pages and files have no tag.
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Catalog',
        version,
        description: 'A catalog of every file you own.',
        license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: '__Host-catalog_session' },
          agent: {
            type: 'apiKey',
            in: 'header',
            name: 'Signature',
            description: 'HTTP message signature (RFC 9421) with the key of the agent’s certificate.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const scope = (route.config as { scope?: RouteScope } | undefined)?.scope ?? 'public';
      const described = {
        ...schema,
        security: security[scope],
        summary: schema?.summary ?? schema?.description,
        operationId: schema?.operationId ?? operationId(String(route.method), url),
        response: {
          ...Object.fromEntries(Object.entries(schema?.response ?? {}).map(([status, each]) => [status, describeResponse(each)])),
          default: { description: 'A problem document', content: { 'application/problem+json': { schema: ProblemSchema } } },
        },
        'x-scope': scope,
      };
      return { schema: described, url };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    transformStaticCSP: () =>
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    uiConfig: { docExpansion: 'none', deepLinking: true, validatorUrl: null },
    theme: { title: 'Catalog API' },
  });
  app.get('/api/openapi.json', { config: { scope: 'public' }, schema: { hide: true } }, async () => app.swagger());
}

/** Responses of bytes have the media type of the file, streams of events and lines their own; all others are JSON. */
function describeResponse(schema: unknown): unknown {
  const { format, 'x-ndjson': asLines } = (schema ?? {}) as { format?: string; 'x-ndjson'?: boolean };
  const text = { schema: { type: 'string' } };
  if (format === 'binary') return { description: 'The bytes of the file', content: { '*/*': { schema } } };
  if (format === 'event-stream') return { description: 'Server-sent events', content: { 'text/event-stream': text } };
  if (asLines)
    return { description: 'JSON, or one line per entry', content: { 'application/json': { schema }, 'application/x-ndjson': text } };
  return schema;
}

function operationId(method: string, url: string): string {
  const words = url
    .replace(/^\/api\/v1\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
