import type { ServerResponse } from 'node:http';

/** A scan that moves: four stages, each at its own pace. */
export function scanEvents(scan: string, library: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const total = 188_412;
  let hashed = 139_604;
  let id = 0;
  const tick = () => {
    hashed = Math.min(total, hashed + 240);
    const extracted = Math.round(hashed * 0.553);
    const data = {
      scan_id: scan,
      library_id: library,
      status: 'running',
      phase: 'hash',
      seen: total,
      elapsed: 600,
      estimate_seconds: Math.round((total - extracted) / 318),
      current_folder: 'Models/boats/tug/exports/2024-03/',
      stalled: false,
      stages: {
        walk: { done: total, total, state: 'done' },
        hash: { done: hashed, total, rate: 412_000_000, unit: 'bytes' },
        extract: { done: extracted, total, rate: 318, unit: 'files' },
        index: { done: Math.round(hashed * 0.53), total, rate: 2140, unit: 'docs' },
      },
    };
    id += 1;
    response.write(`id: ${id}\nevent: progress\ndata: ${JSON.stringify(data)}\n\n`);
  };
  tick();
  const timer = setInterval(tick, 1000);
  response.on('close', () => clearInterval(timer));
}
