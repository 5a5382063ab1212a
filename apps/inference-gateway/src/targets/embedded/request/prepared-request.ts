import type { ChatCompletionRequestDto } from '@hone/contracts';
import { endsInReasoning, type GenerationRequest, planTools, type ReasoningPlan, type ToolPlan } from '@hone/engine';

import type { ChatRequest } from '../../target.js';
import type { EmbeddedBase } from '../embedded-base.js';
import type { RawPrompt } from './completion-fields.js';
import { effectiveFields, usesFunctions } from './effective-fields.js';
import { encodePrompt, encodeRawPrompt } from './prompt.js';
import { RefusedRequest } from './request-issue.js';
import { answerLimit, isSeeded, toEnding, toSampling } from './sampling.js';
import { type LocatedConstraint, textConstraint } from './text-constraint.js';
import { unknownTokenIssues } from './token-ids.js';

/** A request in the form that the engine takes. */
export interface PreparedRequest {
  readonly fields: ChatCompletionRequestDto;
  readonly generation: GenerationRequest;
  /** Token limit of one choice. */
  readonly maxTokens: number;
  /** Null: the answer calls no tools. */
  readonly tools: ToolPlan | null;
  /** Null: the answer is text alone. */
  readonly reasoning: ReasoningPlan | null;
  /** The request has `functions`, so the answer has `function_call`. */
  readonly usesFunctions: boolean;
  /** Constraint of the answer's text; null: none. */
  readonly constraint: LocatedConstraint | null;
  /** What the answer does not do that was asked for. */
  readonly warnings: readonly string[];
}

/**
 * Prepares a validated request for the engine.
 *
 * @throws RefusedRequest the model cannot honour it
 */
export function prepareRequest(request: ChatRequest, base: EmbeddedBase): PreparedRequest {
  const fields = effectiveFields(request);
  const { config, contextLength } = base.info;
  const issues = unknownTokenIssues(fields, config.vocabSize);
  if (issues.length > 0) throw RefusedRequest.issues(...issues);
  const constraint = textConstraint(fields);
  const isRaw = request.endpoint === 'completions';
  const promptIds = isRaw ? encodeRawPrompt(request.fields['prompt'] as RawPrompt, base) : encodePrompt(fields, base);
  const generation = toGeneration(fields, promptIds, request, constraint);
  const maxTokens = Math.min(answerLimit(fields) ?? Infinity, contextLength - promptIds.length);
  const tools = planTools(fields, base.toolCallForm);
  const reasoning = isRaw ? null : planReasoning(base, generation);
  return {
    fields,
    generation,
    maxTokens,
    tools,
    reasoning,
    usesFunctions: usesFunctions(request.fields),
    constraint,
    warnings: [],
  };
}

/** A constraint applies from the first token on, so an answer under one is never the rest of the reasoning. */
function planReasoning(
  { reasoningForm: form, model }: EmbeddedBase,
  generation: GenerationRequest,
): ReasoningPlan | null {
  const { constraint, promptIds } = generation;
  return form && { form, isOpen: constraint === null && endsInReasoning(form, promptIds, model) };
}

function toGeneration(
  fields: ChatCompletionRequestDto,
  promptIds: readonly number[],
  { choices, keepsTokens }: ChatRequest,
  constraint: LocatedConstraint | null,
): GenerationRequest {
  return {
    promptIds,
    choices,
    maxTokens: answerLimit(fields),
    sampling: toSampling(fields),
    isReproducible: isSeeded(fields),
    ending: toEnding(fields),
    text: {
      skipSpecialTokens: fields.skip_special_tokens !== false,
      spacesBetweenSpecialTokens: fields.spaces_between_special_tokens !== false,
    },
    topLogProbabilities: fields.logprobs === true ? (fields.top_logprobs ?? 0) : keepsTokens ? 0 : null,
    promptLogProbabilities: fields.prompt_logprobs ?? null,
    constraint: constraint?.source ?? null,
    priority: fields.priority ?? 0,
    cacheSalt: fields.cache_salt ?? null,
  };
}
