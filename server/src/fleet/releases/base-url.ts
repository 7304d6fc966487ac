import type { FastifyRequest } from 'fastify';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';

/** The address of this service as the machine reached it. Only characters of an address get into a script. */
export function baseUrl({ publicBaseUrl }: Settings, request: FastifyRequest): string {
  const found = publicBaseUrl ?? `${request.protocol}://${request.host}`;
  if (!/^https?:\/\/[A-Za-z0-9.:[\]_-]+(\/[A-Za-z0-9._~/-]*)?$/.test(found))
    throw problem('bad_request', 'The host name of the request is not valid.');
  return found.replace(/\/+$/, '');
}
