import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../platform/problem.ts';

/** Sends a program as bytes, in whole or from one range. */
export async function sendProgram(request: FastifyRequest, reply: FastifyReply, file: string): Promise<unknown> {
  const facts = await stat(file).catch(() => null);
  if (!facts?.isFile()) throw problem('not_found', 'This program is not here.');
  reply
    .type('application/octet-stream')
    .header('x-content-type-options', 'nosniff')
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'no-cache');
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return reply.header('content-length', String(facts.size)).send(createReadStream(file));
  const [start, end] = [Number(first), Math.min(Number(last ?? facts.size), facts.size - 1)];
  if (start > end) throw problem('range_not_satisfiable', `The program has ${facts.size} bytes.`);
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${facts.size}`)
    .header('content-length', String(end - start + 1))
    .send(createReadStream(file, { start, end }));
}
