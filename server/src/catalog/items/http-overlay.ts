import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { callerOf, statusOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { Problem, problem } from '../../platform/problem.ts';
import { Id } from '../../platform/schemas.ts';
import { createShareMap } from '../libraries/index.ts';
import { type OverlayPatch, patchOverlay } from './overlay.ts';
import { presentItem } from './present.ts';
import { ItemOut, ItemPatch } from './schemas.ts';
import { findItem } from './store.ts';

const tags = ['items'];
const maxBatch = 500;
const patchCheck = Compile(ItemPatch);

const BatchResult = Type.Union([
  Type.String(),
  Type.Object({ error: Type.String(), detail: Type.Union([Type.String(), Type.Array(Type.Unknown())]) }),
]);

export function itemOverlayRoutes(app: App, { db, settings }: Dependencies): void {
  const shareMap = createShareMap(settings.shareMapPath);

  app.patch(
    '/items/:item_id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Update tags, notes, title, year and identifiers of an item',
        params: Type.Object({ item_id: Id }),
        body: ItemPatch,
        response: { 200: ItemOut },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      await patchOverlay(db, visibility, callerOf(request), request.params.item_id, request.body as OverlayPatch);
      return presentItem(await findItem(db, visibility, request.params.item_id), visibility, shareMap());
    },
  );

  app.post(
    '/items/batch',
    {
      config: { scope: 'write' },
      bodyLimit: 16_777_216,
      schema: {
        tags,
        summary: 'Update up to 500 items, each independently',
        body: Type.Record(Type.String(), Type.Unknown(), { description: 'A map of item id to ItemPatch.' }),
        response: { 200: Type.Object({ results: Type.Record(Type.String(), BatchResult) }) },
      },
    },
    async (request) => {
      const entries = Object.entries(request.body);
      if (entries.length > maxBatch)
        throw problem('too_many', `The request has ${entries.length} items. Send at most ${maxBatch} at once.`);
      const visibility = await visibilityOf(db, callerOf(request));
      const results: Record<string, string | { error: string; detail: string | unknown[] }> = {};
      for (const [id, patch] of entries) results[id] = await patchOne({ db, visibility, principal: callerOf(request) }, id, patch);
      return { results };
    },
  );
}

async function patchOne(
  { db, visibility, principal }: { db: Dependencies['db']; visibility: Visibility; principal: Principal },
  id: string,
  patch: unknown,
): Promise<string | { error: string; detail: string | unknown[] }> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return 'error: This is not an item id.';
  if (!patchCheck.Check(patch)) {
    const errors = patchCheck.Errors(patch).slice(0, 10);
    return {
      error: 'validation',
      detail: errors.map(({ instancePath, message }) => ({ loc: ['body', id, ...instancePath.split('/').slice(1)], msg: message })),
    };
  }
  try {
    await patchOverlay(db, visibility, principal, id, patch as OverlayPatch);
    return 'ok';
  } catch (error) {
    if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
    return error.code === 'validation_failed'
      ? { error: 'validation', detail: error.extras.errors ?? error.message }
      : `error: ${error.message}`;
  }
}
