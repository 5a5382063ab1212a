import type { GenerationRequest } from '../decode/batch/generation-request.js';
import type { BaseModel } from '../model/index.js';
import type { AnswerEvents } from './answer-event.js';
import { mergeAnswers } from './merge-answers.js';
import { plainAnswer } from './plain-answer.js';
import { type ReasoningPlan, splitReasoning } from './reasoning/split-reasoning.js';
import type { ToolPlan } from './tool-calls/tool-plan.js';
import type { Generate } from './tool-calls/tool-stages.js';
import { ToolTurn } from './tool-calls/tool-turn.js';

/** The part of a request that {@link generateAnswer} reads. */
export interface AnswerRequest {
  readonly generation: GenerationRequest;
  /** Token limit of one choice. */
  readonly maxTokens: number;
  /** Null: the answer calls no tools. */
  readonly tools: ToolPlan | null;
  /** Null: whatever the model thinks is text of the answer. */
  readonly reasoning: ReasoningPlan | null;
}

/** Generates all choices of one answer: text, with tools complete tool calls, and reasoning apart. */
export function generateAnswer(model: BaseModel, generate: Generate, request: AnswerRequest): AnswerEvents {
  const events = generateParts(model, generate, request);
  const { reasoning, generation } = request;
  return reasoning === null ? events : splitReasoning(events, reasoning, generation.topLogProbabilities !== null);
}

function generateParts(
  { tokenizer, config }: BaseModel,
  generate: Generate,
  { generation, maxTokens, tools }: AnswerRequest,
): AnswerEvents {
  if (tools === null) return plainAnswer(generate(generation), generation.topLogProbabilities !== null);
  const encode = (text: string) => tokenizer.encode(text);
  const options = { generate, request: generation, maxTokens, plan: tools, endIds: config.eosTokenIds, encode };
  return mergeAnswers(Array.from({ length: generation.choices }, (_, index) => new ToolTurn(options, index).run()));
}
