import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseFailure } from '../database/index.ts';
import { type ErrorCode, errorCatalogue, Problem, problem } from '../problem.ts';
import { statusOf } from './status.ts';
import { describeFieldErrors, fieldErrors } from './validation.ts';

export const securityHeaders = {
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
  FST_ERR_BAD_URL: 'bad_url',
  FST_ERR_MAX_PARAM_LENGTH: 'bad_url',
};
/** Errors of the file system that say something about the requested path or its disk. */
const fileCodes: Record<string, ErrorCode> = {
  ENOENT: 'file_gone',
  ENOTDIR: 'file_gone',
  ENAMETOOLONG: 'path_too_long',
  ELOOP: 'path_too_long',
  EACCES: 'path_unreadable',
  EPERM: 'path_unreadable',
  EIO: 'disk_unavailable',
  ESTALE: 'disk_unavailable',
  ENOTCONN: 'disk_unavailable',
  EHOSTDOWN: 'disk_unavailable',
  ENODEV: 'disk_unavailable',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'disk_unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
};

export function problemFromError(error: FastifyError | Problem | Error): Problem {
  if (error instanceof Problem) return error;
  const { code = '', statusCode, validation, validationContext, message } = error as FastifyError;
  if (validation) {
    const errors = fieldErrors(validation, validationContext);
    return problem('validation_failed', describeFieldErrors(errors), { errors });
  }
  if (frameworkCodes[code]) return problem(frameworkCodes[code]);
  if (statusCode === 400 && error instanceof SyntaxError) return problem('malformed_json');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return problem(statusCode === 404 ? 'not_found' : 'bad_request', message);
  const failure = databaseFailure(error);
  if (failure === 'full') return problem('disk_full');
  if (failure === 'lost') return problem('database_unavailable', undefined, { retryAfter: 5 });
  if (fileCodes[code]) return problem(fileCodes[code]);
  return problem('internal');
}

/** The problem document and headers of a response. */
function describe({ code, message, extras }: Problem, instance: string) {
  const status = statusOf[code];
  const { retryAfter, ...members } = extras;
  const headers: Record<string, string> = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  };
  const body = { type: `about:blank#${code}`, title: errorCatalogue[code].title, status, detail: message, code, instance, ...members };
  return { status, headers, body };
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, cause: Problem): void {
  const { status, headers, body } = describe(cause, request.id);
  reply.headers(headers).code(status).type('application/problem+json').serializer(JSON.stringify).send(body);
}

/** Answers on a connection that has no usable request, and closes it. */
export function writeProblem(socket: Socket, cause: Problem): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = describe(cause, randomUUID());
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...securityHeaders,
    ...headers,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${body.title}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy());
}

const parserCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Node could not parse the request, or its headers were late. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy();
  else writeProblem(socket, problem(parserCodes[error.code ?? ''] ?? 'bad_request', undefined));
}
