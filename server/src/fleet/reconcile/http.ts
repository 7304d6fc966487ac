import { reconcileLimits } from '@catalog/protocol';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import type { AgentRow } from '../agents/index.ts';
import { applyFolders, compareBuckets, compareFolders, finish, start } from './service.ts';

const tags = ['agents'];
const config = { scope: 'agent' } as const;
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Digest = Type.String({ pattern: '^[0-9a-f]{16}$', description: '16 hexadecimal digits' });
const Path = Type.String({ maxLength: 4096, description: 'Relative to the root; empty for the root.' });
const Name = Type.String({ minLength: 1, maxLength: 1024 });
const params = Type.Object({ agent_id: Id, session_id: Id });

/** The comparison of an agent's index with the items here; service.ts describes its steps. */
export function reconcileRoutes(app: App, { db }: Dependencies, agentOf: (request: object) => AgentRow): void {
  const bodyLimit = reconcileLimits.bytes;
  app.post(
    '/agents/:agent_id/reconcile/start',
    {
      config,
      schema: {
        tags,
        summary: 'Compare the digest of a whole library',
        params: Type.Object({ agent_id: Id }),
        body: Type.Object(
          {
            library_ref: Type.String({ minLength: 1, maxLength: 4096 }),
            digest: Digest,
            row_count: Count,
            seq_no: Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'The last change that the agent has sent. All changes must have been applied.',
            }),
          },
          noExtraFields,
        ),
        response: {
          200: Type.Object({ status: Type.Enum(['match', 'mismatch']), session_id: Type.Optional(Id) }),
        },
      },
    },
    async (request) => {
      const { library_ref, digest, row_count, seq_no } = request.body;
      return start(db, agentOf(request), { libraryRef: library_ref, digest, files: row_count, seqNo: seq_no });
    },
  );
  app.post(
    '/agents/:agent_id/reconcile/:session_id/folders',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        summary: 'Compare folders; the answer says which to list and which trees to enter',
        params,
        body: Type.Object(
          {
            folders: Type.Array(
              Type.Object({ path: Path, digest: Digest, children: Type.Array(Type.Tuple([Name, Digest])) }, noExtraFields),
              { minItems: 1, maxItems: reconcileLimits.folders },
            ),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ list: Type.Array(Type.String()), enter: Type.Array(Type.String()) }) },
      },
    },
    async (request) => {
      const folders = request.body.folders as { path: string; digest: string; children: [string, string][] }[];
      if (folders.reduce((sum, { children }) => sum + children.length, 0) > reconcileLimits.children)
        throw problem('too_many', `Compare at most ${reconcileLimits.children} trees at once.`);
      return compareFolders(db, agentOf(request), request.params.session_id, folders);
    },
  );
  app.post(
    '/agents/:agent_id/reconcile/:session_id/buckets',
    {
      config,
      schema: {
        tags,
        summary: 'Compare the files of a large folder in buckets',
        params,
        body: Type.Object({ path: Path, digests: Type.Array(Digest, { minItems: 1, maxItems: reconcileLimits.buckets }) }, noExtraFields),
        response: { 200: Type.Object({ differing: Type.Array(Type.Integer()) }) },
      },
    },
    async (request) => {
      const { path, digests } = request.body;
      if ((digests.length & (digests.length - 1)) !== 0) throw problem('bad_request', 'The number of buckets must be a power of two.');
      return { differing: await compareBuckets(db, agentOf(request), request.params.session_id, path, digests) };
    },
  );
  app.post(
    '/agents/:agent_id/reconcile/:session_id/rows',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        summary: 'List all files of folders, or of some of their buckets, whose digests differ',
        params,
        body: Type.Object(
          {
            folders: Type.Array(
              Type.Object(
                {
                  path: Path,
                  buckets: Type.Optional(
                    Type.Object(
                      {
                        count: Type.Integer({ minimum: 1, maximum: reconcileLimits.buckets }),
                        which: Type.Array(Type.Integer({ minimum: 0, maximum: reconcileLimits.buckets }), {
                          maxItems: reconcileLimits.buckets,
                        }),
                      },
                      noExtraFields,
                    ),
                  ),
                  files: Type.Array(Type.Object({ name: Name }, { additionalProperties: true })),
                },
                noExtraFields,
              ),
              { minItems: 1, maxItems: reconcileLimits.folders },
            ),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ differing: Type.Integer(), refused: Type.Integer() }) },
      },
    },
    async (request) => {
      const { folders } = request.body;
      if (folders.length > 1 && folders.reduce((sum, { files }) => sum + files.length, 0) > reconcileLimits.files)
        throw problem('too_many', `List at most ${reconcileLimits.files} files at once.`);
      return applyFolders(db, agentOf(request), request.params.session_id, folders);
    },
  );
  app.post(
    '/agents/:agent_id/reconcile/:session_id/finish',
    {
      config,
      schema: {
        tags,
        summary: 'End a comparison',
        params,
        response: {
          200: Type.Object({
            status: Type.Enum(['reconciled']),
            upserted: Type.Integer(),
            tombstoned: Type.Integer(),
            trashed_conflicts: Type.Integer(),
            refused: Type.Integer(),
          }),
        },
      },
    },
    async (request) => finish(db, agentOf(request), request.params.session_id, actorOf(request)),
  );
}
