import {
  listCheckpoints,
  readDealEvidence,
} from '#app/features/evidence/evidence-queries.server.ts';
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
        next_from: found[mostCheckpoints]?.day ?? null,
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
          };
    const entries = evidence.entries.map((entry) => ({ ...entry, path: [...entry.path] }));
    return {
      ok: true,
      answer: { ...evidence, entries, checkpoints: [...evidence.checkpoints] },
    };
  },
);

export const evidenceAnswers = [checkpointsAnswer, dealEvidenceAnswer];
