import type { PreferenceRole } from '../loss/index.js';
import type { LineResult } from './each-line.js';
import type { LineDropReason, PlannedSequence } from './plan.js';
import type { PreferenceLine } from './preference-line.js';
import { renderConversation, type RenderedConversation } from './sft-lines.js';
import type { SftPlanningContext } from './sft-sequence.js';

/** A line of preferences as it is trained. */
export interface RenderedPreference {
  /** Each with its role: a pair, or one answer. Empty: the line is left out. */
  readonly sequences: readonly PlannedSequence[];
  /** Why the line is left out; null: it is trained. */
  readonly dropped: LineDropReason | null;
}

/** Renders the conversations of a line; only the answers that it judges are trained. */
export function renderPreference(line: PreferenceLine, context: SftPlanningContext): LineResult<RenderedPreference> {
  const rendered: RenderedConversation[] = [];
  const sharing = sharingPrompt(line, context);
  for (const conversation of line.answers) {
    const result = renderConversation(conversation, 'all', sharing);
    if (typeof result === 'string' || 'wrong' in result) return result;
    rendered.push(result);
  }
  const sequences = rendered.flatMap(({ sequence }, at) =>
    sequence === null ? [] : [{ ...sequence, weight: line.weight, role: roleOf(line, at) }],
  );
  const dropped =
    rendered.find((one) => one.dropped !== null)?.dropped ?? (areEqual(sequences) ? 'equal_answers' : null);
  return dropped === null ? { sequences, dropped } : { sequences: [], dropped };
}

/** Encodes the prompt, which the answers of a line have in common, once. */
function sharingPrompt({ promptLength }: PreferenceLine, context: SftPlanningContext): SftPlanningContext {
  const { tokenizer } = context;
  let prompt: number[] | null = null;
  const encodeChat: typeof tokenizer.encodeChat = (messages, options) =>
    options.addGenerationPrompt && messages.length === promptLength
      ? (prompt ??= tokenizer.encodeChat(messages, options))
      : tokenizer.encodeChat(messages, options);
  return { ...context, tokenizer: { vocabSize: tokenizer.vocabSize, encodeChat } };
}

function roleOf({ label }: PreferenceLine, at: number): PreferenceRole {
  if (label === null) return at === 0 ? 'chosen' : 'rejected';
  return label ? 'desirable' : 'undesirable';
}

function areEqual([one, other]: readonly PlannedSequence[]): boolean {
  if (one === undefined || other === undefined) return false;
  return one.ids.length === other.ids.length && one.ids.every((id, at) => id === other.ids[at]);
}

/**
 * The prompt of one sequence with the answer of another: KTO estimates from such sequences how far the policy is from
 * its reference.
 *
 * @returns null: it is longer than the context
 */
export function toMismatched(
  prompt: PlannedSequence,
  answer: PlannedSequence,
  contextLength: number,
): PlannedSequence | null {
  const [end, start] = [prompt.mask.indexOf(1), answer.mask.indexOf(1)];
  const ids = [...prompt.ids.slice(0, end), ...answer.ids.slice(start)];
  if (ids.length > contextLength) return null;
  const mask = [...prompt.mask.slice(0, end), ...answer.mask.slice(start)];
  return { ids, mask, old: null, adv: null, weight: 1, role: 'mismatched' };
}
