import { sendItemFile } from '../catalog/items/http-file.ts';
import { agentOf, agentRoutes } from '../fleet/agents/http.ts';
import { serveAgentTls } from '../fleet/agents/http-tls.ts';
import { reportAuthority } from '../fleet/authority/index.ts';
import { commandRoutes } from '../fleet/commands/http.ts';
import { agentCommandRoutes } from '../fleet/commands/http-agent.ts';
import { configRoutes } from '../fleet/config/http.ts';
import { monitorRoutes } from '../fleet/monitor/http.ts';
import { reconcileRoutes } from '../fleet/reconcile/http.ts';
import { releaseRoutes, updatesOf } from '../fleet/releases/http.ts';
import { distributionRoutes } from '../fleet/releases/http-dist.ts';
import { ensureReleaseKey } from '../fleet/releases/index.ts';
import { replicationRoutes } from '../fleet/replication/http.ts';
import { shareRoutes } from '../fleet/shares/http.ts';
import { thumbRoutes } from '../fleet/thumbs/http.ts';
import { stagingRoutes, transferRoutes } from '../fleet/transfers/http.ts';
import type { Dependencies } from '../platform/dependencies.ts';
import type { App } from '../platform/http/index.ts';
import { isEnabled } from '../settings/index.ts';

/** Routes of operators and agents, in a context of their own: they read signed bodies and answer 404 while agents are off. */
export async function fleetRoutes(app: App, deps: Dependencies): Promise<void> {
  agentRoutes(app, deps, (agents) => updatesOf(deps.db, agents));
  const caller = (request: object) => agentOf(request as Parameters<typeof agentOf>[0]);
  replicationRoutes(app, deps, caller);
  reconcileRoutes(app, deps, caller);
  configRoutes(app, deps, caller);
  commandRoutes(app, deps);
  agentCommandRoutes(app, deps, caller);
  transferRoutes(app, deps, sendItemFile);
  stagingRoutes(app, deps, caller);
  thumbRoutes(app, deps, caller);
  releaseRoutes(app, deps, caller);
  distributionRoutes(app, deps);
  shareRoutes(app, deps);
  monitorRoutes(app, deps);
  if (!isEnabled(deps.settings, 'SVC_AGENTS_ENABLED')) return;
  if (deps.settings.agentTlsPort !== undefined) serveAgentTls(app, deps, deps.settings.agentTlsPort);
  await ensureReleaseKey(deps.db, deps.settings);
  const message = await reportAuthority(deps.db, deps.settings);
  if (message) deps.log.error(message);
}
