import { type ChoiceTokens, readChoice, type ReadingRules } from './choice-tokens.js';
import type { Findings } from './findings.js';
import type { PlanLoc } from './plan.errors.js';
import type { DropReason } from './plan.js';
import { startsWith } from './rendered.js';
import { asMessage, type HistoryInput, isChoice, type TrajectoryInput } from './trajectory-input.js';

/** A sequence before its advantage is known. The three lists are equally long. */
export interface TokenSequence {
  readonly ids: number[];
  readonly mask: (0 | 1)[];
  /** NaN where unknown or not trained. */
  readonly old: number[];
}

export interface TrajectoryTokens {
  readonly sequences: readonly TokenSequence[];
  /** Why there is nothing to train; null when there is. */
  readonly reason: DropReason | null;
}

/** Turns the histories of a trajectory into sequences: as few as its prompts allow, each Choice trained once. */
export function readTrajectory(
  trajectory: TrajectoryInput,
  loc: PlanLoc,
  rules: ReadingRules,
  findings: Findings,
): TrajectoryTokens {
  const histories = [
    { history: trajectory as HistoryInput, at: loc },
    ...(trajectory.additional_histories ?? []).map((history, index) => ({
      history,
      at: [...loc, 'additional_histories', index],
    })),
  ];
  const choices = histories.map(({ history, at }) => readHistory(history, at, rules, findings));
  const sequences = choices.flatMap(joined).filter(({ mask }) => mask.includes(1));
  return { sequences, reason: sequences.length > 0 ? null : emptyReason(histories, choices) };
}

function readHistory(history: HistoryInput, loc: PlanLoc, rules: ReadingRules, findings: Findings): ChoiceTokens[] {
  const items = history.messages_and_choices ?? [];
  const messages = items.map(asMessage);
  return items.flatMap((item, index) => {
    if (!isChoice(item)) return [];
    const placed = {
      choice: item,
      loc: [...loc, 'messages_and_choices', index],
      before: messages.slice(0, index),
      tools: history.tools ?? undefined,
    };
    return readChoice(placed, rules, findings) ?? [];
  });
}

/** A prompt that goes on from the whole sequence so far extends it; any other one opens a new sequence. */
function joined(choices: readonly ChoiceTokens[]): TokenSequence[] {
  const sequences: TokenSequence[] = [];
  for (const { prompt, completion, logprobs } of choices) {
    let current = sequences.at(-1);
    if (!current || !startsWith(prompt, current.ids)) {
      current = { ids: [], mask: [], old: [] };
      sequences.push(current);
    }
    for (const id of prompt.slice(current.ids.length)) append(current, id, 0, NaN);
    for (const [at, id] of completion.entries()) append(current, id, 1, logprobs[at] as number);
  }
  return sequences;
}

function append(sequence: TokenSequence, id: number, trained: 0 | 1, logprob: number): void {
  // Nothing predicts the first token, so it cannot be trained whatever sampled it.
  const isTrained = trained === 1 && sequence.ids.length > 0;
  sequence.ids.push(id);
  sequence.mask.push(isTrained ? 1 : 0);
  sequence.old.push(isTrained ? logprob : NaN);
}

function emptyReason(histories: readonly { history: HistoryInput }[], choices: readonly ChoiceTokens[][]): DropReason {
  if (choices.flat().length > 0) return 'no_tokens';
  const hasChoice = histories.some(({ history }) => history.messages_and_choices?.some(isChoice));
  return hasChoice ? 'no_logprobs' : 'no_choice';
}
