import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem } from '../problem.ts';
import { describeFieldErrors } from './validation.ts';

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
