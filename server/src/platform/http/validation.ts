import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastify, { type FastifyInstance, type FastifyRequest, type FastifySchemaCompiler, type FastifySerializerCompiler } from 'fastify';
import { type FieldError, problem } from '../problem.ts';

type Location = 'body' | 'query' | 'path' | 'headers';
const locations: Record<string, Location> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' };

/** Types in a body must match exactly. Query, path and headers are text, so numbers, booleans and one-element lists are converted. */
const strictAjv = newAjv(false);
const textAjv = newAjv(true);
/** Used only in tests, which validate responses. */
const responseAjv = newAjv(false);

function newAjv(coerce: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    // Adds the schema to every error, because `patternMessage` uses its description.
    verbose: true,
    removeAdditional: false,
    useDefaults: true,
    coerceTypes: coerce ? 'array' : false,
    strict: false,
    allowUnionTypes: true,
  });
  addFormats.default(ajv);
  return ajv;
}

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const ajv = httpPart === 'body' ? strictAjv : textAjv;
  return ajv.compile(schema);
};

/** Compiles the schema of a route when its first request arrives: compiling all of them takes most of the start of the app. */
export const lazyValidatorCompiler: FastifySchemaCompiler<object> = (route) => {
  let validate: ReturnType<typeof validatorCompiler> | undefined;
  return (data) => {
    validate ??= validatorCompiler(route);
    return validate(data) === true || { error: validate.errors ?? [] };
  };
};

/** Does the same for responses, with Fastify’s own compiler, which Fastify creates only for an app with at least one schema. */
export async function createLazySerializerCompiler(): Promise<FastifySerializerCompiler<object>> {
  const other = fastify();
  other.get('/', { schema: { response: { 200: {} } } }, async () => ({}));
  await other.ready();
  const compile = other.serializerCompiler as FastifySerializerCompiler<object>;
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
}

export function compileResponseSchema(schema: object): ValidateFunction {
  return responseAjv.compile(schema);
}

/** Converts the first 50 Ajv errors to {loc, msg, type}. */
export function fieldErrors(errors: readonly ErrorObject[], httpPart: string | undefined): FieldError[] {
  const location = locations[httpPart ?? ''] ?? 'body';
  return errors.slice(0, 50).map(({ instancePath, keyword, message, params, parentSchema }) => {
    const loc: (string | number)[] = [location, ...instancePath.split('/').slice(1).map(readSegment)];
    if (keyword === 'required') loc.push(String(params['missingProperty']));
    if (keyword === 'additionalProperties') loc.push(String(params['additionalProperty']));
    const msg =
      keyword === 'additionalProperties'
        ? 'is not a known field'
        : keyword === 'enum'
          ? `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
          : keyword === 'pattern'
            ? patternMessage(parentSchema as { pattern: string; description?: string })
            : (message ?? 'is not valid');
    return { loc, msg, type: keyword };
  });
}

/** Uses the schema's description, except for the common patterns that only exclude control characters. */
function patternMessage({ pattern, description }: { pattern: string; description?: string }): string {
  if (pattern.startsWith('^[^\\u0000'))
    return pattern.includes('S') || pattern.includes('\\s')
      ? 'must contain a visible character and no control characters'
      : 'must not contain control characters';
  return description === undefined ? `must match ${pattern}` : `must be ${description}`;
}

function readSegment(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The detail of a validation problem, such as "query.limit must be <= 200; body.name is required." */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  const first = errors.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')} ${msg}`);
  return `${first.join('; ')}${errors.length > 3 ? ` (and ${errors.length - 3} more)` : ''}.`;
}

/**
 * Parses JSON bodies, also for routes that take none. There an empty body is accepted, because many clients send the JSON content type with
 * every request. A body with fields is rejected, because those fields would be ignored.
 */
export function registerBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && !takesBody(request)) done(null, undefined);
    else void parse(request, body as string, done);
  });
  app.addHook('preValidation', async (request) => {
    const { body, routeOptions } = request;
    if (request.is404 || takesBody(request) || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return;
    const members = Object.keys(body).slice(0, 50);
    if (members.length === 0) return;
    const parameters = (routeOptions.schema?.querystring as { properties?: object } | undefined)?.properties ?? {};
    const errors = members.map((name) => ({
      loc: ['body', name],
      msg: name in parameters ? 'is a query parameter (?name=value), not a body field' : 'is not a known field',
      type: 'additionalProperties',
    }));
    throw problem('validation_failed', describeFieldErrors(errors), { errors });
  });
}

function takesBody({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.schema?.body !== undefined || routeOptions.config.raw === true;
}

/**
 * Rejects text that the database cannot store: NUL, and halves of surrogate pairs, which JSON can carry but UTF-8 cannot. The only place
 * that does, for path, query and body.
 */
export function refuseUnstorableText({ params, query, body }: FastifyRequest): void {
  const parts: [Location, unknown][] = [
    ['path', params],
    ['query', query],
    ['body', isBytes(body) ? null : body],
  ];
  const errors = parts.flatMap(([location, value]) => unstorableText(location, value));
  if (errors.length > 0) throw problem('validation_failed', describeFieldErrors(errors), { errors });
}

/** A buffer or a stream. A stream of the web server leads to the server and back, so walking it would never end. */
const isBytes = (body: unknown): boolean =>
  Buffer.isBuffer(body) || typeof (body as { pipe?: unknown } | null | undefined)?.pipe === 'function';

/** Walks without recursion, because a body may be nested deeper than the stack. */
function unstorableText(location: Location, root: unknown): FieldError[] {
  const pending: { value: unknown; loc: (string | number)[] }[] = [{ value: root, loc: [location] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, loc } = next;
    if (typeof value === 'string' && !isStorable(value))
      return [{ loc, msg: 'must not contain NUL or incomplete Unicode characters', type: 'unstorable_text' }];
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name))
        return [{ loc, msg: 'must not have names with NUL or incomplete Unicode characters', type: 'unstorable_text' }];
      if (typeof member === 'string' || typeof member === 'object')
        pending.push({ value: member, loc: loc.length < 8 ? [...loc, Array.isArray(value) ? Number(name) : name] : loc });
    }
  }
  return [];
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
