import type { ImproveDto } from '@hone/client';

/** What is filled in, as typed; '': the default. */
export interface ImproveDraft {
  readonly modelId: string;
  readonly scorers: readonly string[];
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
  ...{
    dataset: '',
    teacher: '',
    prompt: '',
    alias: '',
    trials: '',
    maxTokens: '',
    temperature: '',
    budget: '',
    minutes: '',
  },
};

/** What the interface takes. */
export function toImprovement(project_id: string, draft: ImproveDraft): ImproveDto {
  const max_tokens = toNumber(draft.maxTokens);
  const temperature = toNumber(draft.temperature);
  return {
    ...{ project_id, model_id: draft.modelId, alias: toText(draft.alias), teacher: toText(draft.teacher) },
    prompt: toText(draft.prompt),
    evaluate: {
      ...{ scorers: [...draft.scorers], dataset: toText(draft.dataset), trials: toNumber(draft.trials) },
      parameters: { ...(max_tokens !== null && { max_tokens }), ...(temperature !== null && { temperature }) },
    },
    ...{ max_cost_usd: toNumber(draft.budget), max_minutes: toNumber(draft.minutes) },
  };
}

/** What decides which methods are possible: only of that the interface is asked before the start. */
export const toProposal = (
  project_id: string,
  { modelId, scorers, dataset, teacher, prompt }: ImproveDraft,
): ImproveDto => ({
  ...toImprovement(project_id, { ...EMPTY_DRAFT, modelId, scorers, dataset, teacher, prompt }),
  dry_run: true,
});

const toNumber = (text: string): number | null => (text === '' ? null : Number(text));
const toText = (text: string): string | null => (text === '' ? null : text);
