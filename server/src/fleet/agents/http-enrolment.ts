import { Type } from 'typebox';
import { createLimiter, enrolmentSubjects } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { Problem, problem } from '../../platform/problem.ts';
import { Id, NoContent, noExtraFields } from '../../platform/schemas.ts';
import { bind, issueToken, register, removeToken } from './enrolment.ts';
import { agentOf } from './http-plane.ts';
import { type presentAgent, presentToken } from './present.ts';
import { rebind } from './rebind.ts';
import {
  AgentOut,
  BindIn,
  BoundOut,
  RebindIn,
  Registered,
  RegisterIn,
  RenewedOut,
  RenewIn,
  TokenIn,
  TokenIssued,
  TokenOut,
} from './schemas.ts';
import { renewCertificate } from './service.ts';
import { listTokens } from './token-store.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ agent_id: Id });
const maxListed = 500;

function keepUnapproved(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'agent_not_approved') return error;
  throw error;
}

export function enrolmentRoutes(
  app: App,
  deps: Dependencies,
  present: (agentId: string) => Promise<ReturnType<typeof presentAgent>>,
): void {
  const { db, settings, clock } = deps;
  const limiter = createLimiter(db, settings);

  app.get(
    '/agents/enrollment-tokens',
    {
      config: admin,
      schema: { tags, summary: 'List enrolment tokens, newest first', response: { 200: Type.Array(TokenOut, { maxItems: maxListed }) } },
    },
    async () => (await listTokens(db, maxListed)).map((row) => presentToken(row, clock.now())),
  );
  app.post(
    '/agents/enrollment-tokens',
    {
      config: admin,
      schema: { tags, summary: 'Issue a single-use enrolment token', body: TokenIn, response: { 201: TokenIssued } },
    },
    async (request, reply) => {
      const { token, token_hash, config_group_names, expires_at } = await issueToken(deps, request.body, actorOf(request));
      return reply.code(201).send({ token, token_hash, config_group_names, expires_at: expires_at.toISOString() });
    },
  );
  app.delete(
    '/agents/enrollment-tokens/:token_hash',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Delete an enrolment token',
        params: Type.Object({ token_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
        querystring: Type.Object({ force: Type.Optional(Type.Boolean()) }, noExtraFields),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await removeToken(db, request.params.token_hash, request.query.force ?? false, actorOf(request));
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/agents/register',
    {
      config: { scope: 'public' },
      schema: { tags, summary: 'Register a machine with an enrolment token', body: RegisterIn, response: { 201: Registered } },
    },
    async (request, reply) => {
      const attempt = await limiter.take(enrolmentSubjects(request.clientAddress));
      const registered = await attempt.settle(async () => {
        const answer = await register(deps, request.body, actorOf(request), request.publicHost);
        if (answer === null) throw problem('enrolment_refused');
        return answer;
      });
      return reply.code(201).send(registered);
    },
  );
  app.post(
    '/agents/:agent_id/certificate',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Bind the certificate of a registered agent, or have its key certified by the built-in authority',
        params,
        body: BindIn,
        response: { 200: BoundOut },
      },
    },
    async (request) => {
      const { agent_id } = request.params;
      const attempt = await limiter.take(enrolmentSubjects(request.clientAddress));
      // A machine that waits for approval has the right secret and asks again, so it must not lock its address.
      const certificate = await attempt.settle(() => bind(deps, agent_id, request.body, actorOf(request)).catch(keepUnapproved));
      if (certificate instanceof Problem) throw certificate;
      return { ...(await present(agent_id)), certificate_pem: certificate };
    },
  );
  app.post(
    '/agents/:agent_id/rebind',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Report a renewed certificate of the external authority',
        params,
        body: RebindIn,
        response: { 200: AgentOut },
      },
    },
    async (request) => {
      const { agent_id } = request.params;
      const attempt = await limiter.take(enrolmentSubjects(request.clientAddress));
      await attempt.settle(() => rebind(deps, agent_id, request.body, actorOf(request)));
      return present(agent_id);
    },
  );
  app.post(
    '/agents/:agent_id/certificate/renew',
    {
      config: { scope: 'agent', acceptExpired: true },
      schema: { tags, summary: 'Renew the certificate of the built-in authority', params, body: RenewIn, response: { 200: RenewedOut } },
    },
    async (request) => {
      const { pem, rootPem } = await renewCertificate(deps, agentOf(request), request.body, actorOf(request));
      return { certificate_pem: pem, root_pem: rootPem };
    },
  );
}
