import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifyInstance, FastifyRequest } from 'fastify';
import { type FieldError, problem } from '../problem.ts';

type Part = 'body' | 'query' | 'path' | 'headers';
const parts: Record<string, Part> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' };

/** Bodies are taken as they are; address parts are text, so numbers, booleans and single values of lists are read from it. */
const strictAjv = newAjv(false);
const textAjv = newAjv(true);
/** Answers are held against their schema in tests. */
const responseAjv = newAjv(false);

function newAjv(coerce: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    // With the schema in every error: a form is told in the words of its description.
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

export function compileResponseSchema(schema: object): ValidateFunction {
  return responseAjv.compile(schema);
}

/** Ajv's errors as {loc, msg, type}; at most 50, the first tell enough. */
export function fieldErrors(errors: readonly ErrorObject[], httpPart: string | undefined): FieldError[] {
  const part = parts[httpPart ?? ''] ?? 'body';
  return errors.slice(0, 50).map(({ instancePath, keyword, message, params, parentSchema }) => {
    const loc: (string | number)[] = [part, ...instancePath.split('/').slice(1).map(readSegment)];
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

/** Patterns that only keep control characters out need no description; the others say what they want. */
function patternMessage({ pattern, description }: { pattern: string; description?: string }): string {
  if (pattern.startsWith('^[^\\u0000'))
    return pattern.includes('S') || pattern.includes('\\s')
      ? 'must hold a visible character and no control characters'
      : 'must hold no control characters';
  return description === undefined ? `must match ${pattern}` : `must be ${description}`;
}

function readSegment(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** "query.limit must be <= 200; body.name is required": the detail sentence of a validation problem. */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  const said = errors.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')} ${msg}`);
  return `${said.join('; ')}${errors.length > 3 ? ` (and ${errors.length - 3} more)` : ''}.`;
}

/**
 * Bodies of routes that take none. Many programs announce JSON with every request: an empty body is no mistake there. One with members in it
 * is: what the caller meant to say would be dropped in silence.
 */
export function registerBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && !takesBody(request)) done(null, undefined);
    else parse(request, body as string, done);
  });
  app.addHook('preValidation', async (request) => {
    const { body, routeOptions } = request;
    if (request.is404 || takesBody(request) || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return;
    const members = Object.keys(body).slice(0, 50);
    if (members.length === 0) return;
    const parameters = (routeOptions.schema?.querystring as { properties?: object } | undefined)?.properties ?? {};
    const errors = members.map((name) => ({
      loc: ['body', name],
      msg: name in parameters ? 'is a parameter of the address (?name=value), not of the body' : 'is not a known field',
      type: 'additionalProperties',
    }));
    throw problem('validation_failed', describeFieldErrors(errors), { errors });
  });
}

function takesBody({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.schema?.body !== undefined || routeOptions.config.raw === true;
}
