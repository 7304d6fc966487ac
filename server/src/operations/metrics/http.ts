import { createHash, timingSafeEqual } from 'node:crypto';
import { cachedFor } from '../../platform/cached-for.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { formatMetrics, metrics, startMetricsReport } from '../../platform/metrics/index.ts';
import { problem } from '../../platform/problem.ts';
import { readGauges } from './gauges.ts';

/** Queries run at most this often, however many programs ask. */
const cacheMs = 5000;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * `GET /metrics` in the text format of Prometheus. With SVC_METRICS_TOKEN the token is required, which may read nothing else; without it
 * the credential of an administrator.
 */
export function metricsRoutes(app: App, { db, database, settings, log }: Dependencies): void {
  const report = startMetricsReport({ db, pool: database.pool, log, metrics, role: 'app' });
  app.addHook('onClose', () => report.stop());
  app.addHook('onResponse', async (request, reply) => {
    const { url, config } = request.routeOptions;
    // Streams of events last for hours, which says nothing about the service.
    if (!url || config.raw) return;
    const route = { method: request.method, route: url };
    metrics.count('catalog_http_requests_total', { ...route, status: `${Math.floor(reply.statusCode / 100)}xx` });
    metrics.observe('catalog_http_request_seconds', reply.elapsedTime / 1000, route);
  });
  const gauges = cachedFor(cacheMs, () => readGauges({ db, settings }));
  const token = settings.metricsToken;
  app.get('/metrics', { config: token ? { scope: 'public' } : { scope: 'admin' } }, async (request, reply) => {
    if (token) {
      const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (given === undefined) throw problem('credentials_missing');
      if (!timingSafeEqual(digest(given), digest(token))) throw problem('credentials_bad');
    }
    const samples = [...(await gauges()), ...(await report.read())];
    return reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store').send(formatMetrics(samples));
  });
}
