import type { BaseModel } from '../../model/index.js';

/** How a model writes what it thinks before it answers: text between two markers, at the head of an answer. */
export interface ReasoningForm {
  readonly begin: string;
  readonly end: string;
}

/** The markers of DeepSeek R1, which Qwen, SmolLM and others took over. */
const THINK: ReasoningForm = { begin: '<think>', end: '</think>' };
/** The beginning marker and white space after it are a few tokens. */
const OPENING_TOKENS = 16;

/**
 * Reads from a model's chat template whether it was trained to think before it answers: such a template names the marker
 * that ends the reasoning, to leave the reasoning of earlier turns out or to write it back.
 *
 * @returns null: it does not, or its markers are control tokens, which are no part of an answer's text
 */
export function readReasoningForm({ chatTemplate, tokenizer }: BaseModel): ReasoningForm | null {
  if (!chatTemplate.source.template?.includes(THINK.end)) return null;
  const isControl = tokenizer.source.addedTokens.some(
    ({ content, special }) => special && (content === THINK.begin || content === THINK.end),
  );
  return isControl ? null : THINK;
}

/** Whether a prompt ends within the reasoning: some templates write the beginning marker themselves. */
export function endsInReasoning({ begin }: ReasoningForm, promptIds: readonly number[], model: BaseModel): boolean {
  return model.tokenizer.decode(promptIds.slice(-OPENING_TOKENS)).trimEnd().endsWith(begin);
}
