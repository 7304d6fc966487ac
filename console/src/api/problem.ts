import { serverText, t } from '../language/text.ts';
/** An error response in the problem format of RFC 9457. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly errors: { loc: (string | number)[] | string; msg: string; type?: string }[];
  readonly body: Record<string, unknown>;

  constructor(given: number, response: Record<string, unknown>) {
    const [status, body] = isBadAddress(given, response) ? [404, nothingThere()] : [given, response];
    const detail = typeof body['detail'] === 'string' ? serverText(body['detail']) : undefined;
    const title = typeof body['title'] === 'string' ? serverText(body['title']) : statusMessage(status);
    super(detail ?? title);
    this.name = 'Problem';
    this.status = status;
    this.title = title;
    this.code = typeof body['code'] === 'string' ? body['code'] : `http-${status}`;
    const errors = Array.isArray(body['errors']) ? (body['errors'] as Problem['errors']) : [];
    this.errors = errors.map((error) => ({ ...error, msg: serverText(error.msg) }));
    this.body = body;
  }

  /** The server's message for one form field, if there is one. */
  field(name: string): string | undefined {
    return this.errors.find((e) => (Array.isArray(e.loc) ? e.loc.includes(name) : e.loc.split(/[./]/).includes(name)))?.msg;
  }
}

/** There was no response at all. */
export class ServerUnreachable extends Error {
  constructor() {
    super(t('The server is not responding.'));
    this.name = 'ServerUnreachable';
  }
}

/** A link that was cut off has an id or token that the server rejects by its form. To a person it is a link that leads nowhere. */
function isBadAddress(status: number, { errors }: Record<string, unknown>): boolean {
  return status === 422 && Array.isArray(errors) && errors.length > 0 && errors.every(({ loc }) => Array.isArray(loc) && loc[0] === 'path');
}

const nothingThere = (): Record<string, unknown> => ({ code: 'not_found', detail: t('There is nothing at this address.') });

function statusMessage(status: number): string {
  if (status === 401) return t('Sign in to see this.');
  if (status === 403) return t('You do not have permission to do this.');
  if (status === 404) return t('Not found.');
  if (status === 409) return t('Someone else changed this in the meantime. Reload the page and try again.');
  if (status === 413) return t('The request is too large for the server.');
  if (status === 429) return t('Too many attempts. Wait a moment, then try again.');
  if (status === 503) return t('The server is not ready or under maintenance. Try again in a moment.');
  return t('The server could not complete the request. Try again.');
}

/** A message for the user from any thrown value. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem && error.errors.length > 0) return error.errors.map((e) => e.msg).join(' ');
  if (error instanceof Error && error.message) return error.message;
  return t('Something went wrong. Reload the page.');
}
