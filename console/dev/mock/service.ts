import type { ServerResponse } from 'node:http';
import { adminRoutes } from './admin-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { LIBRARIES, makeItems } from './data.ts';
import { MockProblem, type Routes } from './route.ts';
import { scanEvents } from './scan-events.ts';

/** The mock API over generated files. */
export function createMock(options: { items: number; mode: string }) {
  const items = makeItems(options.items);
  const state = { mode: options.mode, signedIn: false };
  const routes: Routes = { ...catalogRoutes(items), ...adminRoutes(state) };
  const compiled = Object.entries(routes).map(([key, run]) => {
    const [method, path] = key.split(' ') as [string, string];
    return { method, pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`), run };
  });
  return {
    handle(method: string, path: string, query: URLSearchParams, body: unknown): unknown {
      for (const route of compiled) {
        const match = route.method === method && route.pattern.exec(path);
        if (match)
          return route.run({
            params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([k, v]) => [k, decodeURIComponent(v)])),
            query,
            body,
          });
      }
      throw new MockProblem(404, 'not_found', `Not found: ${path}`);
    },
    stream(path: string, response: ServerResponse): boolean {
      const match = /^\/scans\/([^/]+)\/events$/.exec(path);
      if (!match) return false;
      scanEvents(match[1] ?? '', LIBRARIES[1].id, response);
      return true;
    },
  };
}
