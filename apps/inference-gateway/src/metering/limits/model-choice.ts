import type { Need } from './limits.js';
import type { SubjectAccount } from './subject-account.js';

/** Models of a request, by the ids of their routes. */
export interface ModelChoice {
  /** What the request needs of the models that may answer it. */
  readonly need: Need;
  /** What it would need of a model whose budget is used up, while others may answer. Null: all may. */
  readonly refused: Need | null;
}

/**
 * Leaves out the models whose own budgets are used up, after a grant call, as long as another one is left. If none is, the
 * request is one for the model that a retry may find free, else for the first: its budget refuses it.
 */
export function chooseModels(need: Need, accounts: readonly SubjectAccount[]): ModelChoice {
  const { models } = need;
  if (models === undefined || models.size < 2) return { need, refused: null };
  const free: [string, number][] = [];
  const reserved: [string, number][] = [];
  const spent: [string, number][] = [];
  for (const model of models) {
    const alone = needOf(need, [model]);
    const reasons = accounts.map((account) => account.refusingModels(alone));
    const kind = reasons.includes('spent') ? spent : reasons.includes('reserved') ? reserved : free;
    kind.push(model);
  }
  const [refused] = [...reserved, ...spent];
  if (refused === undefined) return { need, refused: null };
  if (free.length === 0) return { need: needOf(need, [refused]), refused: null };
  return { need: needOf(need, free), refused: needOf(need, [refused]) };
}

const needOf = (need: Need, models: readonly [string, number][]): Need => ({
  ...need,
  costNanoUsd: Math.max(...models.map(([, cost]) => cost)),
  models: new Map(models),
});
