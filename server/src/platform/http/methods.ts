/** Which methods the routes of a URL accept, for responses with status 405. */
interface MethodTable {
  /** A route pattern such as `/items/:item_id`, and its method or methods. */
  add(pattern: string, methods: string | readonly string[]): void;
  /** The methods in alphabetical order; empty when no route has this URL. */
  allowedAt(url: string): string[];
}

export function createMethodTable(): MethodTable {
  const known = new Map<string, { matches: RegExp; methods: Set<string> }>();
  return {
    add(pattern, methods) {
      // The catch-all routes of console and manual would match every URL.
      if (pattern.includes('*')) return;
      const entry = known.get(pattern) ?? { matches: toRegExp(pattern), methods: new Set<string>() };
      for (const method of [methods].flat()) entry.methods.add(method);
      known.set(pattern, entry);
    },
    allowedAt(url) {
      const path = url.split('?')[0] ?? '';
      const found = new Set<string>();
      for (const { matches, methods } of known.values()) if (matches.test(path)) for (const method of methods) found.add(method);
      return [...found].sort();
    },
  };
}

function toRegExp(pattern: string): RegExp {
  const segments = pattern
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}$`);
}
