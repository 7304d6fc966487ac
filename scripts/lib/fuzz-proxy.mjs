import { createServer, request as sendRequest } from 'node:http';

/**
 * A proxy between the fuzzer and the service. It adds a credential that fits the operation and replaces it when a request has ended it, puts
 * ids that exist into half of the paths, so that requests reach more than "not found", and counts.
 */
export async function startFuzzProxy({ target, document, credentials, pools, onServerError, random = Math.random }) {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { 'x-scope': scope }]) => ({
      name: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      scope,
      matches: new RegExp(`^${template.replace(/\{[^}]*\}/g, '([^/]+)')}$`),
      parameters: [...template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name),
    })),
  );
  // A fixed path such as /items/unattached comes before /items/{item_id}.
  operations.sort((a, b) => a.parameters.length - b.parameters.length);
  const cases = new Map(operations.map(({ name }) => [name, 0]));
  const serverErrors = [];

  // The service decides how long a request may be.
  const server = createServer({ maxHeaderSize: 1 << 20 }, (incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on(
      'end',
      () =>
        void forward(incoming, Buffer.concat(chunks), outgoing).catch((error) => {
          onServerError({ status: 0, request: `${incoming.method} ${incoming.url}`, body: '', answer: String(error) });
          outgoing.destroy();
        }),
    );
  });

  async function forward(incoming, body, outgoing) {
    const [path, query] = incoming.url.split(/\?(.*)/s);
    const operation = operations.find((each) => each.method === incoming.method && each.matches.test(path));
    const url = `${operation ? withKnownIds(path, operation) : path}${query === undefined ? '' : `?${query}`}`;
    if (operation) cases.set(operation.name, cases.get(operation.name) + 1);
    let response = await send(incoming, url, body, await credentials.headersFor(operation?.scope));
    // The credential has ended, for example by signing out: the request is repeated with a new one.
    if (response.status === 401 && operation && operation.scope !== 'public') {
      await credentials.renew(operation.scope);
      response = await send(incoming, url, body, await credentials.headersFor(operation.scope));
    }
    if (response.status >= 500) {
      const error = { status: response.status, request: `${incoming.method} ${url}`, body: body.toString().slice(0, 500) };
      serverErrors.push(error);
      onServerError({ ...error, answer: response.body.toString().slice(0, 300) });
    }
    outgoing.writeHead(response.status, response.headers).end(response.body);
  }

  function withKnownIds(path, { parameters, matches }) {
    if (parameters.length === 0 || random() < 0.5) return path;
    const given = matches.exec(path).slice(1);
    return given.reduce((text, value, n) => {
      const pool = pools[parameters[n]] ?? [];
      return pool.length === 0 ? text : text.replace(`/${value}`, `/${pool[Math.floor(random() * pool.length)]}`);
    }, path);
  }

  function send(incoming, path, body, added) {
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    return new Promise((resolve, reject) => {
      const sent = sendRequest(`${target}`, { path, method: incoming.method, headers: { ...headers, ...added } }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          const { connection: _c, 'transfer-encoding': _t, ...shown } = answer.headers;
          resolve({ status: answer.statusCode, headers: shown, body: Buffer.concat(parts) });
        });
        answer.on('error', reject);
      });
      sent.setTimeout(60_000, () => sent.destroy(new Error('no answer within 60 s')));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cases,
    serverErrors,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
