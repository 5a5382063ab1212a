import type { ImproveDto } from '@hone/client';

import { toInterfaceQuery } from '../../../shared/query/expression.js';
import { queryErrorOf } from '../../../shared/query/parse.js';

/** What is filled in, as typed; '': the default. */
export interface ImproveDraft {
  readonly modelId: string;
  readonly scorers: readonly string[];
  /** Query line of the calls that are learnt from. */
  readonly calls: string;
  readonly dataset: string;
  readonly teacher: string;
  readonly prompt: string;
  readonly alias: string;
  readonly trials: string;
  readonly maxTokens: string;
  readonly temperature: string;
  readonly budget: string;
  readonly minutes: string;
}

export const EMPTY_DRAFT: Omit<ImproveDraft, 'modelId' | 'scorers'> = {
  ...{ calls: '', dataset: '', teacher: '', prompt: '', alias: '' },
  ...{ trials: '', maxTokens: '', temperature: '', budget: '', minutes: '' },
};

/** What is missing before the interface can be asked what the calls allow, for people; null: nothing. */
export function missingOf({ modelId, scorers, calls }: ImproveDraft): string | null {
  if (modelId === '') return 'Choose a model, to see it.';
  if (scorers.length === 0) return 'Choose who judges the answers, to see it.';
  return queryErrorOf(calls) && 'The query of the calls has a mistake.';
}

/** What the interface takes. @throws QueryError the query line has a mistake */
export function toImprovement(project_id: string, draft: ImproveDraft): ImproveDto {
  const max_tokens = toNumber(draft.maxTokens);
  const temperature = toNumber(draft.temperature);
  return {
    ...{ project_id, model_id: draft.modelId, alias: toText(draft.alias), teacher: toText(draft.teacher) },
    ...{ prompt: toText(draft.prompt), data: toData(draft.calls) },
    evaluate: {
      ...{ scorers: [...draft.scorers], dataset: toText(draft.dataset), trials: toNumber(draft.trials) },
      parameters: { ...(max_tokens !== null && { max_tokens }), ...(temperature !== null && { temperature }) },
    },
    ...{ max_cost_usd: toNumber(draft.budget), max_minutes: toNumber(draft.minutes) },
  };
}

/** What decides which methods are possible: only of that the interface is asked before the start. @throws QueryError */
export const toProposal = (
  project_id: string,
  { modelId, scorers, calls, dataset, teacher, prompt }: ImproveDraft,
): ImproveDto => ({
  ...toImprovement(project_id, { ...EMPTY_DRAFT, modelId, scorers, calls, dataset, teacher, prompt }),
  dry_run: true,
});

function toData(calls: string): ImproveDto['data'] {
  const query = toInterfaceQuery(calls);
  return query && { source: { query } };
}

const toNumber = (text: string): number | null => (text === '' ? null : Number(text));
const toText = (text: string): string | null => (text === '' ? null : text);
