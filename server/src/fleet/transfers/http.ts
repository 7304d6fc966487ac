import { contentDigest } from '@catalog/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findItem, type ItemRow, type OpenFile } from '../../catalog/items/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { type AgentRow, auditOf } from '../agents/index.ts';
import { transferEventRoutes } from './http-events.ts';
import { openTransfer } from './read.ts';
import { cancelTransfer, openUpload, receivePart, requestTransfer, requireTransfer, transferLimits } from './service.ts';
import { listTransfers, lockTransfer, type TransferRow } from './store.ts';

const tags = ['transfers'];
const params = Type.Object({ transfer_id: Id });
const agentParams = Type.Object({ agent_id: Id, transfer_id: Id });
const State = Type.Enum(['pending', 'uploading', 'verifying', 'staged', 'failed', 'expired']);
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const TransferOut = Type.Object(
  {
    transfer_id: Id,
    item_id: Id,
    agent_id: Id,
    state: State,
    verified: Type.Boolean({ description: 'The bytes were compared with the catalog.' }),
    bytes_transferred: Type.Integer(),
    total_bytes: nullable(Type.Integer()),
    error: nullable(Type.String()),
    created_at: Time,
    expires_at: Time,
    last_range_request_at: nullable(Time),
  },
  { title: 'Transfer' },
);
const ListedTransferOut = Type.Object(
  { ...TransferOut.properties, filename: Type.String(), rel_path: Type.String(), agent_name: Type.String() },
  { title: 'ListedTransfer' },
);
const UploadOut = Type.Object({ id: Id, state: State, bytes_transferred: Type.Integer(), total_bytes: nullable(Type.Integer()) });

/** Sends a file of an item with the headers and ranges of every download. */
export type SendItemFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  item: Pick<ItemRow, 'filename' | 'extension'>,
  file: OpenFile,
  download: boolean,
) => Promise<unknown>;

export function transferRoutes(app: App, deps: Dependencies, sendItemFile: SendItemFile): void {
  const { db } = deps;
  /** The transfer, if the caller may download its item now. */
  const permitted = async (request: FastifyRequest, id: string) => {
    const transfer = await requireTransfer(deps, id);
    return { transfer, item: await findItem(db, await visibilityOf(db, callerOf(request)), transfer.item_id, 'download') };
  };
  transferEventRoutes(app, deps, async (request, id) => (await permitted(request, id)).transfer);
  app.post(
    '/items/:item_id/transfer',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Fetch a file from the machine of an agent',
        params: Type.Object({ item_id: Id }),
        body: Type.Object(
          {
            verify_hash: Type.Optional(Type.Boolean({ default: true, description: 'Accept only the bytes that are catalogued.' })),
            max_bytes_per_sec: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 })),
          },
          noExtraFields,
        ),
        response: { 202: TransferOut },
      },
    },
    async (request, reply) => {
      const { verify_hash: verify = true, max_bytes_per_sec: maxBytesPerSecond } = request.body;
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'download');
      return reply.code(202).send(present(await requestTransfer(deps, item, { verify, maxBytesPerSecond }, actorOf(request))));
    },
  );
  app.get(
    '/transfers',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List transfers of files that you may download, newest first',
        querystring: Type.Object(
          {
            before: Type.Optional(Type.String({ format: 'uuid', description: 'Only transfers older than this one.' })),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(ListedTransferOut) },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const rows = await listTransfers(db, visibility, { before: request.query.before ?? null, limit: request.query.limit ?? 50 });
      return rows.map((row) => ({ ...present(row), filename: row.filename, rel_path: row.rel_path, agent_name: row.agent_name }));
    },
  );
  app.get(
    '/transfers/:transfer_id',
    { config: { scope: 'read' }, schema: { tags, summary: 'Get the state of a transfer', params, response: { 200: TransferOut } } },
    async (request) => present((await permitted(request, request.params.transfer_id)).transfer),
  );
  app.delete(
    '/transfers/:transfer_id',
    {
      config: { scope: 'write' },
      schema: { tags, summary: 'Cancel a transfer and remove its file', params, response: { 200: TransferOut } },
    },
    async (request) => {
      const { transfer } = await permitted(request, request.params.transfer_id);
      await cancelTransfer(deps, transfer, actorOf(request));
      return present(await requireTransfer(deps, transfer.id));
    },
  );
  app.get(
    '/transfers/:transfer_id/download',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags,
        summary: 'Download the file of a transfer, also while it arrives (supports ranges)',
        params,
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const { transfer, item } = await permitted(request, request.params.transfer_id);
      const file = await openTransfer(deps, transfer);
      await recordEvent(db, {
        event_type: 'agent_transfer_downloaded',
        ...auditOf(actorOf(request)),
        details: { transfer_id: transfer.id, item_id: item.id, range: request.headers.range ?? null },
      });
      return sendItemFile(request, reply, item, file, true);
    },
  );
}

/** Uploads, as the agent that was asked sees them. */
export function stagingRoutes(app: App, deps: Dependencies, agentOf: (request: object) => AgentRow): void {
  const type = 'application/offset+octet-stream';
  app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: transferLimits.chunkBytes }, (request, body, done) => {
    request.bodyDigest = contentDigest(body as Buffer);
    done(null, body);
  });
  app.post(
    '/agents/:agent_id/staging',
    {
      config: { scope: 'agent' },
      schema: {
        tags: ['agents'],
        summary: 'Begin or continue an upload',
        params: Type.Object({ agent_id: Id }),
        body: Type.Object({ command_id: Id, total_bytes: Bytes }, noExtraFields),
        response: { 200: UploadOut, 201: UploadOut },
      },
    },
    async (request, reply) => {
      const { command_id, total_bytes } = request.body;
      const { transfer, created } = await openUpload(deps, agentOf(request), command_id, total_bytes);
      return withOffset(reply, transfer)
        .code(created ? 201 : 200)
        .send(presentUpload(transfer));
    },
  );
  app.get(
    '/agents/:agent_id/staging/:transfer_id',
    {
      config: { scope: 'agent' },
      schema: { tags: ['agents'], summary: 'How much of an upload has arrived', params: agentParams, response: { 200: UploadOut } },
    },
    async (request, reply) => {
      const transfer = await lockTransfer(deps.db, agentOf(request).id, request.params.transfer_id);
      if (!transfer) throw problem('not_found', 'This transfer does not exist.');
      return withOffset(reply, transfer).send(presentUpload(transfer));
    },
  );
  app.patch(
    '/agents/:agent_id/staging/:transfer_id',
    {
      config: { scope: 'agent' },
      bodyLimit: transferLimits.chunkBytes,
      schema: {
        tags: ['agents'],
        summary: 'Upload the next part of a file, at most 8 MiB',
        params: agentParams,
        headers: Type.Object({ 'upload-offset': Bytes }),
        body: { content: { [type]: { schema: {} } } },
        response: { 200: UploadOut },
      },
    },
    async (request, reply) => {
      const bytes = request.body as unknown;
      if (!Buffer.isBuffer(bytes)) throw problem('unsupported_media_type', `Send the bytes as ${type}.`);
      const offset = request.headers['upload-offset'];
      const transfer = await receivePart(deps, agentOf(request), request.params.transfer_id, offset, bytes);
      return withOffset(reply, transfer).send(presentUpload(transfer));
    },
  );
}

function withOffset<Reply extends FastifyReply>(reply: Reply, { state, bytes_transferred, total_bytes }: TransferRow): Reply {
  reply.header('upload-offset', String(bytes_transferred)).header('upload-state', state);
  if (total_bytes !== null) reply.header('upload-total', String(total_bytes));
  return reply;
}

const presentUpload = ({ id, state, bytes_transferred, total_bytes }: TransferRow) => ({ id, state, bytes_transferred, total_bytes });

function present(row: TransferRow) {
  return {
    transfer_id: row.id,
    item_id: row.item_id,
    agent_id: row.agent_id,
    state: row.state,
    verified: row.state === 'staged' && row.verify && row.expected_hash !== null,
    bytes_transferred: row.bytes_transferred,
    total_bytes: row.total_bytes,
    error: row.error,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_range_request_at: row.last_range_request_at?.toISOString() ?? null,
  };
}
