import { openEvidenceKey } from '#app/features/evidence/evidence-key.server.ts';
import {
  listCheckpoints,
  listKeyChanges,
  readDealEvidence,
} from '#app/features/evidence/evidence-queries.server.ts';
import {
  findWitnessedSite,
  listConflicts,
  listWitnessedDays,
} from '#app/features/evidence/evidence-site-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { apiAnswer } from './answer-api.server.ts';
import { findAskedDeal, historyState } from './deal-answers.server.ts';

const mostCheckpoints = 100;

const checkpointsAnswer = apiAnswer(
  apiOperations.listCheckpoints,
  async ({ services: { db }, query }) => {
    const found = await listCheckpoints(db, query.from, mostCheckpoints + 1);
    return {
      ok: true,
      answer: {
        data: found.slice(0, mostCheckpoints),
        key_changes: await listKeyChanges(db),
        next_from: found[mostCheckpoints]?.day ?? null,
      },
    };
  },
);

const witnessedAnswer = apiAnswer(
  apiOperations.listWitnessedDays,
  async ({ services: { db }, query: { site, from } }) => {
    const siteId = await findWitnessedSite(db, site);
    if (siteId === null) return { ok: false, status: 404, detail: 'We do not witness this site.' };
    const days = await listWitnessedDays(db, { siteId, from, most: mostCheckpoints + 1 });
    const conflicts = await listConflicts(db, siteId, mostCheckpoints);
    return {
      ok: true,
      answer: {
        site,
        key: (await openEvidenceKey(db)).publicKey,
        data: days.slice(0, mostCheckpoints),
        conflicts: conflicts.map(({ foundAt, settledAt, ...conflict }) => ({
          ...conflict,
          found_at: foundAt.toISOString(),
          settled_at: settledAt?.toISOString() ?? null,
        })),
        key_changes: await listKeyChanges(db),
        next_from: days[mostCheckpoints]?.day ?? null,
      },
    };
  },
);

const dealEvidenceAnswer = apiAnswer(
  apiOperations.getDealEvidence,
  async ({ services: { db }, now, key }) => {
    const asked = await findAskedDeal(db, key, '/evidence');
    if (!asked.ok) return asked;
    const { id } = asked.deal;
    const state = historyState(asked.deal, now);
    const evidence =
      state === 'kept'
        ? await readDealEvidence(db, id)
        : {
            deal_id: id,
            state,
            is_complete: false,
            newest_price_at: null,
            entries: [],
            checkpoints: [],
            key_changes: [],
          };
    const entries = evidence.entries.map((entry) => ({ ...entry, path: [...entry.path] }));
    const checkpoints = evidence.checkpoints.map(({ cosignatures = [], ...signed }) => ({
      ...signed,
      cosignatures: [...cosignatures],
    }));
    const key_changes = [...evidence.key_changes];
    return { ok: true, answer: { ...evidence, entries, checkpoints, key_changes } };
  },
);

export const evidenceAnswers = [checkpointsAnswer, witnessedAnswer, dealEvidenceAnswer];
