/** An answer that is not a success, as the service words it (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly errors: { loc: (string | number)[] | string; msg: string; type?: string }[];
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    const detail = typeof body['detail'] === 'string' ? body['detail'] : undefined;
    const title = typeof body['title'] === 'string' ? body['title'] : statusMessage(status);
    super(detail ?? title);
    this.name = 'Problem';
    this.status = status;
    this.title = title;
    this.code = typeof body['code'] === 'string' ? body['code'] : `http-${status}`;
    this.errors = Array.isArray(body['errors']) ? (body['errors'] as Problem['errors']) : [];
    this.body = body;
  }

  /** The message for one field of a form, when the service named it. */
  field(name: string): string | undefined {
    return this.errors.find((e) => (Array.isArray(e.loc) ? e.loc.includes(name) : e.loc.split(/[./]/).includes(name)))?.msg;
  }
}

/** The service could not be reached at all. */
export class ServerUnreachable extends Error {
  constructor() {
    super('The server does not answer.');
    this.name = 'ServerAway';
  }
}

export function statusMessage(status: number): string {
  if (status === 401) return 'Sign in to see this.';
  if (status === 403) return 'Your account may not do this.';
  if (status === 404) return 'There is nothing at this address.';
  if (status === 409) return 'This no longer fits what the server knows. Load it again and retry.';
  if (status === 413) return 'That is more than the server takes at once.';
  if (status === 429) return 'Too many tries. Wait a moment, then try again.';
  if (status === 503) return 'The server is busy with upkeep. Try again in a moment.';
  return 'The server could not do this.';
}

/** One sentence a person can act on, from whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem && error.errors.length > 0) return error.errors.map((e) => e.msg).join(' ');
  if (error instanceof Error && error.message) return error.message;
  return 'Something went wrong in this page. Load it again.';
}
