import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { issueStreamToken, streamTokenSeconds } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf, openEventStream } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem.ts';
import { Id } from '../../platform/schemas.ts';
import type { TransferRow } from './store.ts';

const tags = ['transfers'];
const params = Type.Object({ transfer_id: Id });
const pollMs = 1000;

/** The transfer, if the caller may download its item now; throws otherwise. */
type Permitted = (request: FastifyRequest, id: string) => Promise<TransferRow>;

/** The progress of a transfer as it changes. Credential and rights are checked again with every look. */
export function transferEventRoutes(app: App, { db, log }: Dependencies, permitted: Permitted): void {
  app.post(
    '/transfers/:transfer_id/events-token',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a single-use token for the progress stream of a transfer',
        description: 'For clients that can send neither a header nor a cookie. Pass it as `stream_token`.',
        params,
        response: { 200: Type.Object({ token: Type.String(), expires_in: Type.Integer() }) },
      },
    },
    async (request) => {
      const { id } = await permitted(request, request.params.transfer_id);
      return { token: await issueStreamToken(db, callerOf(request), `/api/v1/transfers/${id}/events`), expires_in: streamTokenSeconds };
    },
  );
  app.get(
    '/transfers/:transfer_id/events',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags,
        summary: 'Stream the progress of a transfer',
        description: 'Sends `progress` events while the file arrives, then `done` when it can be downloaded completely, or `error`.',
        params,
        querystring: Type.Object({
          stream_token: Type.Optional(Type.String({ maxLength: 128, description: 'From `events-token`, instead of a header or cookie.' })),
        }),
        response: { 200: Type.Unsafe<void>({ type: 'string', format: 'event-stream' }) },
      },
    },
    async (request, reply) => {
      const first = await permitted(request, request.params.transfer_id);
      const stream = openEventStream(request, reply);
      try {
        let last = '';
        for (let transfer = first; ; transfer = await permitted(request, first.id)) {
          const progress = progressOf(transfer);
          const shown = JSON.stringify(progress);
          if (shown !== last) stream.send('progress', progress);
          last = shown;
          if (transfer.state === 'staged') return stream.send('done', { ...progress, reason: 'staged' });
          if (transfer.state === 'failed' || transfer.state === 'expired')
            return stream.send('error', { ...progress, detail: transfer.error ?? 'The transfer has ended. Request the file again.' });
          await pause(stream.signal);
          if (!(await stream.renewCaller())) return;
        }
      } catch (error) {
        if (!(error instanceof Problem)) log.warning('The progress stream of a transfer failed.', { transfer_id: first.id, error });
        const detail = error instanceof Problem ? error.message : 'The progress of the transfer is not available. Connect again.';
        stream.send('error', { transfer_id: first.id, detail });
      } finally {
        stream.close();
      }
    },
  );
}

const progressOf = ({ id, state, bytes_transferred, total_bytes, expected_size }: TransferRow) => ({
  transfer_id: id,
  state,
  bytes_transferred,
  total_bytes: total_bytes ?? expected_size,
  waiting_for_agent: state === 'pending',
});

/** Ends early when the stream is closed. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, pollMs);
    signal.addEventListener('abort', end);
  });
}
