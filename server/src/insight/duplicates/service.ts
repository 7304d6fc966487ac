import { hash } from 'node:crypto';
import { visibilityOf } from '../../people/access/index.ts';
import { type Ownership, ownedBy } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { settleDuplicates } from '../copies/index.ts';
import { accessToDownload, accessToView, type ReportContext } from '../reports/index.ts';
import { offlineLibraries } from './offline.ts';
import { groupCopies, type PlanScope, type Tier, tiers } from './query.ts';
import type { KeepRule } from './rules.ts';
import { adoptPlans, chooseCopy, forgetChoice, planOf, plansWithoutKey, setReviewed, setRules, storedPlan } from './store.ts';
import { planTotals, type TierTotals } from './totals.ts';
import type { TotalsCache } from './totals-cache.ts';

/** Batches of changes that a reader settles itself; a maintenance task settles the rest. */
const batchesOnRead = 2;
/** A script follows from the files as they are, so a review takes in more. */
const batchesOnReview = 20;

/** Whose plan it is. The plans of keys that were revoked since then become part of that of their account. */
async function planOwner(db: Db, principal: Principal): Promise<Ownership> {
  const ownership = ownedBy(principal);
  const { owner, key } = ownership;
  if (owner !== null && key === null && (await plansWithoutKey(db, owner))) await adoptPlans(db, owner);
  return ownership;
}

/** A plan under the rights of one caller. A script needs the right to download, because it consists of paths and hashes. */
export async function openPlan(
  { db, principal }: Pick<ReportContext, 'db' | 'principal'>,
  purpose: 'view' | 'download',
  batches = batchesOnRead,
): Promise<PlanScope> {
  const visibility = await visibilityOf(db, principal);
  const access = purpose === 'view' ? accessToView(visibility) : accessToDownload(visibility);
  await settleDuplicates(db, { batches });
  const seen = JSON.stringify([purpose, visibility.unrestricted, visibility.scope(), visibility.scope('download')]);
  return { db, access, plan: await planOf(db, await planOwner(db, principal)), offline: await offlineLibraries(db), seen };
}

export interface PlanSummary {
  digest: string;
  tiers: Record<Tier, { groups: number; frees: number; removed: number }>;
  kept: number;
  removed: number;
  annotated: number;
  /** How many proven and sampled groups each rule decided; 0 is a choice by hand, -1 the first path. */
  decided: Record<string, number>;
}

export type PlanTotals = TotalsCache<TierTotals[]>;

export async function summarize(scope: PlanScope, cache: PlanTotals): Promise<PlanSummary> {
  const { plan, offline, seen } = scope;
  const totals = await cache.get(scope.db, [plan.id, plan.rules, offline, seen], () => planTotals(scope));
  const of = (tier: Tier) => totals.find((each) => each.tier === tier);
  const decided: Record<string, number> = {};
  for (const { decided: counts } of totals)
    for (const [rule, groups] of Object.entries(counts)) decided[rule] = (decided[rule] ?? 0) + groups;
  const proven = of('proven');
  return {
    digest: hash('sha256', `${proven?.digest ?? ''} ${proven?.removed ?? 0}`).slice(0, 32),
    tiers: Object.fromEntries(
      tiers.map((tier) => [tier, { groups: of(tier)?.groups ?? 0, frees: of(tier)?.frees ?? 0, removed: of(tier)?.removed ?? 0 }]),
    ) as PlanSummary['tiers'],
    kept: proven?.kept ?? 0,
    removed: proven?.removed ?? 0,
    annotated: proven?.annotated ?? 0,
    decided,
  };
}

export async function changeRules({ db, principal }: Pick<ReportContext, 'db' | 'principal'>, rules: readonly KeepRule[]): Promise<void> {
  const plan = await storedPlan(db, await planOwner(db, principal));
  await setRules(db, plan.id, rules);
}

/** Keeps this copy of its group whatever the rules say; null leaves the group to the rules again. */
export async function keepCopy(context: Pick<ReportContext, 'db' | 'principal'>, key: string, itemId: string | null): Promise<void> {
  const plan = await storedPlan(context.db, await planOwner(context.db, context.principal));
  const scope = await openPlan(context, 'view');
  const copies = await groupCopies(scope, key, { limit: 10_000, offset: 0 });
  if (copies.length < 2) throw notFound('duplicate group');
  if (itemId === null) return forgetChoice(context.db, plan.id, key);
  if (!copies.some((copy) => copy.item_id === itemId)) throw notFound('copy');
  if (!(await chooseCopy(context.db, plan.id, key, itemId)))
    throw problem('too_many', 'You have decided too many groups by hand. Add a rule instead.');
}

/** Records that the caller has reviewed exactly this plan. */
export async function review(context: Pick<ReportContext, 'db' | 'principal'>, cache: PlanTotals, digest: string): Promise<void> {
  const plan = await storedPlan(context.db, await planOwner(context.db, context.principal));
  const summary = await summarize(await openPlan(context, 'view', batchesOnReview), cache);
  if (summary.digest !== digest)
    throw problem('plan_changed', 'Files or rules have changed since this plan was shown. Load it again, then review it.');
  await setReviewed(context.db, plan.id, digest, context.principal.name);
}

/** The plan for a script: it must be what was reviewed. */
export async function openReviewed(context: Pick<ReportContext, 'db' | 'principal'>, cache: PlanTotals): Promise<PlanScope> {
  const seen = await openPlan(context, 'view', batchesOnReview);
  if (seen.plan.reviewed_digest === null) throw problem('plan_not_reviewed');
  if ((await summarize(seen, cache)).digest !== seen.plan.reviewed_digest)
    throw problem('plan_changed', 'Files or rules have changed since the review. Review the plan again.');
  return openPlan(context, 'download');
}
