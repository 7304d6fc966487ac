import { Type } from 'typebox';
import { createShareMap } from '../../catalog/libraries/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound } from '../../platform/problem.ts';
import { abortJob } from '../../platform/queue/index.ts';
import { decodeCursor, encodeCursor, Id, NoContent, noExtraFields, nullable, pageQuery } from '../../platform/schemas.ts';
import { ExportOut, type ExportService, fileChoice, presentExport } from '../exports/index.ts';
import { createPathForms } from '../reports/index.ts';
import { runningProof, startProof } from './prove.ts';
import { type GroupPosition, groupCopies, type PlannedCopy, type PlannedGroup, planGroups } from './query.ts';
import { CopyOut, GroupKey, GroupOut, ListParams, PlanOut, Rules, Tier } from './schemas.ts';
import { cleanupScript } from './script.ts';
import { changeRules, keepCopy, openPlan, openReviewed, type PlanTotals, review, summarize } from './service.ts';
import { runningSimilar, startSimilar } from './similar/job.ts';
import { planSource } from './source.ts';
import { createTotalsCache } from './totals-cache.ts';

const tags = ['duplicates'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ key: GroupKey });

export function duplicateRoutes(app: App, deps: Dependencies, exports: ExportService): void {
  const cache: PlanTotals = createTotalsCache();
  planRoutes(app, deps, cache);
  groupRoutes(app, deps);
  resultRoutes(app, deps, exports, cache);
}

async function presentPlan({ db }: Dependencies, principal: Principal, cache: PlanTotals) {
  const scope = await openPlan({ db, principal }, 'view');
  const { plan, offline } = scope;
  const summary = await summarize(scope, cache);
  const comparing = await runningSimilar(db);
  return {
    number: plan.id,
    rules: plan.rules,
    decided: plan.rules.map((_, at) => summary.decided[at + 1] ?? 0),
    tiers: summary.tiers,
    frees: summary.tiers.proven.frees,
    kept: summary.kept,
    removed: summary.removed,
    annotated: summary.annotated,
    chosen: summary.decided[0] ?? 0,
    undecided: summary.decided[-1] ?? 0,
    offline: offline.filter((id) => scope.access.mayEnter(id)),
    digest: summary.digest,
    reviewed: plan.reviewed_digest === summary.digest,
    reviewed_at: plan.reviewed_at?.toISOString() ?? null,
    reviewed_by: plan.reviewed_by,
    proof: await runningProof(db, principal),
    // The job counts the photos of all libraries.
    comparing: comparing && (scope.access.unrestricted ? comparing : { ...comparing, progress: null }),
  };
}

function planRoutes(app: App, deps: Dependencies, cache: PlanTotals): void {
  const { db } = deps;
  app.get(
    '/duplicates/plan',
    {
      config: read,
      schema: {
        tags,
        summary: 'Get your cleanup plan for duplicate files',
        description: 'The service never deletes. A plan says which copies are kept; a script or list is for people to run themselves.',
        response: { 200: PlanOut },
      },
    },
    async (request) => presentPlan(deps, callerOf(request), cache),
  );
  app.put(
    '/duplicates/plan',
    {
      config: write,
      schema: {
        tags,
        summary: 'Change the rules of your cleanup plan',
        description: 'The first rule that distinguishes the copies of a group decides it.',
        body: Type.Object({ rules: Rules }, noExtraFields),
        response: { 200: PlanOut },
      },
    },
    async (request) => {
      await changeRules({ db, principal: callerOf(request) }, request.body.rules);
      return presentPlan(deps, callerOf(request), cache);
    },
  );
  app.post(
    '/duplicates/plan/review',
    {
      config: write,
      schema: {
        tags,
        summary: 'Confirm that you have reviewed your cleanup plan',
        body: Type.Object({ digest: Type.String({ maxLength: 64, pattern: '^[0-9a-f]*$' }) }, noExtraFields),
        response: { 200: PlanOut },
      },
    },
    async (request) => {
      await review({ db, principal: callerOf(request) }, cache, request.body.digest);
      return presentPlan(deps, callerOf(request), cache);
    },
  );
  app.post(
    '/duplicates/prove',
    {
      config: write,
      schema: {
        tags,
        summary: 'Read sampled copies in full to prove that they are equal',
        body: Type.Object({ key: Type.Optional(GroupKey) }, noExtraFields),
        response: { 202: Type.Object({ job_id: Id }) },
      },
    },
    async (request, reply) => reply.code(202).send({ job_id: await startProof(db, callerOf(request), request.body.key ?? null) }),
  );
  app.post(
    '/duplicates/similar',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Compare photos by how they look',
        description: 'Reads photos that were not compared before. The groups appear as tier similar and are never part of a script.',
        response: { 202: Type.Object({ job_id: Id }) },
      },
    },
    async (_request, reply) => reply.code(202).send({ job_id: await startSimilar(db) }),
  );
  app.delete(
    '/duplicates/prove',
    { config: write, schema: { tags, summary: 'Stop reading sampled copies', response: { 204: NoContent } } },
    async (request, reply) => {
      const proof = await runningProof(db, callerOf(request));
      if (!proof) throw notFound('proof');
      await abortJob(db, proof.job_id);
      return reply.code(204).send(null);
    },
  );
}

function isPosition(value: unknown): value is GroupPosition {
  const { wasted, key } = (value ?? {}) as Partial<GroupPosition>;
  return Number.isSafeInteger(wasted) && typeof key === 'string' && /^[a-z0-9:]{1,100}$/.test(key);
}

function groupRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/duplicates/groups',
    {
      config: read,
      schema: {
        tags,
        summary: 'List groups of duplicate files with what your plan keeps, most waste first',
        querystring: Type.Object({ tier: Type.Optional(Tier), ...pageQuery() }, noExtraFields),
        response: { 200: Type.Object({ groups: Type.Array(GroupOut), next_cursor: nullable(Type.String()) }) },
      },
    },
    async (request) => {
      const { tier = null, limit = 50, cursor } = request.query;
      const scope = await openPlan({ db, principal: callerOf(request) }, 'view');
      const found = await planGroups(scope, { tier, after: decodeCursor(cursor, isPosition), limit: limit + 1 });
      const groups = found.slice(0, limit);
      const last = found.length > limit ? groups.at(-1) : undefined;
      return { groups: groups.map(presentGroup), next_cursor: last ? encodeCursor({ wasted: last.wasted, key: last.key }) : null };
    },
  );
  app.get(
    '/duplicates/groups/:key',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the copies of a group with what your plan does to each',
        params,
        querystring: Type.Object(
          {
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
            offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ copies: Type.Array(CopyOut), has_more: Type.Boolean() }) },
      },
    },
    async (request) => {
      const { limit = 100, offset = 0 } = request.query;
      const scope = await openPlan({ db, principal: callerOf(request) }, 'view');
      const found = await groupCopies(scope, request.params.key, { limit: limit + 1, offset });
      if (found.length === 0 || (offset === 0 && found.length < 2)) throw notFound('duplicate group');
      return { copies: found.slice(0, limit).map(presentCopy), has_more: found.length > limit };
    },
  );
  app.put(
    '/duplicates/groups/:key/keep',
    {
      config: write,
      schema: {
        tags,
        summary: 'Keep this copy of a group, whatever the rules say',
        params,
        body: Type.Object({ item_id: nullable(Id) }, noExtraFields),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await keepCopy({ db, principal: callerOf(request) }, request.params.key, request.body.item_id);
      return reply.code(204).send(null);
    },
  );
}

function resultRoutes(app: App, deps: Dependencies, exports: ExportService, cache: PlanTotals): void {
  const { db, clock } = deps;
  const shareMap = createShareMap(deps.settings.shareMapPath);
  app.get(
    '/duplicates/script',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Download a shell script that carries out your reviewed plan',
        description:
          'It moves files to a holding folder after it has compared each with its kept copy, and can undo that. Sampled copies and similar photos are not part of it.',
        querystring: Type.Object(
          {
            paths: Type.Optional(
              Type.Enum(['server', 'native'], {
                default: 'server',
                description: 'Paths as this server sees them, or as the owner of the files does.',
              }),
            ),
          },
          noExtraFields,
        ),
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const principal = callerOf(request);
      const scope = await openReviewed({ db, principal }, cache);
      const context = { ...deps, principal, shareMap: shareMap() };
      const source = await planSource(context, scope, 'remove');
      const files = (await source.total()) ?? 0;
      const now = clock.now();
      await recordEvent(db, {
        event_type: 'cleanup_script_downloaded',
        principal_id: principal.id,
        ip: request.clientAddress,
        details: { plan: scope.plan.id, files },
      });
      const { paths = 'server' } = request.query;
      const stream = cleanupScript(source, { plan: scope.plan.id, now, files, paths, forms: await createPathForms(db, context.shareMap) });
      return reply
        .headers({ 'content-type': 'text/x-shellscript', 'content-disposition': `attachment; filename="cleanup-plan-${scope.plan.id}.sh"` })
        .send(stream);
    },
  );
  app.post(
    '/duplicates/plan/export',
    {
      config: read,
      schema: {
        tags,
        summary: 'Export your plan as a list in the background',
        querystring: ListParams,
        response: { 202: ExportOut },
      },
    },
    async (request, reply) => {
      const { format = 'csv', gzip, bom } = request.query;
      const principal = callerOf(request);
      await openPlan({ db, principal }, 'download');
      const file = fileChoice({ format, gzip, bom });
      return reply
        .code(202)
        .send(presentExport(await exports.queue(principal, { source: { kind: 'duplicates' }, title: 'Cleanup plan', ...file })));
    },
  );
  app.get(
    '/duplicates/plan/list',
    {
      config: { ...read, raw: true },
      schema: {
        tags,
        summary: 'Download your plan as a list',
        querystring: ListParams,
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const { format = 'csv', gzip, bom } = request.query;
      const principal = callerOf(request);
      const source = await planSource({ ...deps, principal, shareMap: shareMap() }, await openPlan({ db, principal }, 'download'));
      const { headers, stream } = await exports.openFile(source, fileChoice({ format, gzip, bom }), principal, request.clientAddress);
      return reply.headers(headers).send(stream);
    },
  );
}

function presentGroup({ offline, decided, ...group }: PlannedGroup) {
  return { ...group, offline_copies: offline, decided_by: decided };
}

function presentCopy({ decided, mtime, ...copy }: PlannedCopy) {
  return { ...copy, mtime: new Date(mtime).toISOString(), decided_by: decided };
}
