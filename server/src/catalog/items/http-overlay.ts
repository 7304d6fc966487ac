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
        response: {
          200: Type.Object({
            results: Type.Record(Type.String(), BatchResult),
            unchanged: Type.Array(Type.String(), { description: 'Ids of items that already had these values.' }),
          }),
        },
      },
    },
    async (request) => {
      const entries = Object.entries(request.body);
      if (entries.length > maxBatch)
        throw problem('too_many', `The request has ${entries.length} items. Send at most ${maxBatch} at once.`);
      const visibility = await visibilityOf(db, callerOf(request));
      const results: Record<string, PatchResult> = {};
      const unchanged: string[] = [];
      for (const [id, patch] of entries) {
        const { result, changed } = await patchOne({ db, visibility, principal: callerOf(request) }, id, patch);
        results[id] = result;
        if (result === 'ok' && !changed) unchanged.push(id);
      }
      return { results, unchanged };
    },
  );
}

type PatchResult = string | { error: string; detail: string | unknown[] };

async function patchOne(
  { db, visibility, principal }: { db: Dependencies['db']; visibility: Visibility; principal: Principal },
  id: string,
  patch: unknown,
): Promise<{ result: PatchResult; changed: boolean }> {
  const failed = (result: PatchResult) => ({ result, changed: false });
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return failed('error: This is not an item id.');
  if (!patchCheck.Check(patch)) {
    const errors = patchCheck.Errors(patch).slice(0, 10);
    return failed({
      error: 'validation',
      detail: errors.map(({ instancePath, message }) => ({ loc: ['body', id, ...instancePath.split('/').slice(1)], msg: message })),
    });
  }
  try {
    return { result: 'ok', changed: await patchOverlay(db, visibility, principal, id, patch as OverlayPatch) };
  } catch (error) {
    if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
    return failed(
      error.code === 'validation_failed'
        ? { error: 'validation', detail: error.extras.errors ?? error.message }
        : `error: ${error.message}`,
    );
  }
}
