import { EngineError } from '../errors.js';

/** Path into the submitted data: keys and positions, for example `['trajectory_groups', 0, 'trajectories', 1]`. */
export type PlanLoc = readonly (string | number)[];

/** A path into the input and what is wrong there, in a few words. */
export interface Finding {
  readonly loc: PlanLoc;
  readonly detail: string;
}

const MAX_LOCS = 20;

/** The input of a job cannot be planned, now or at a later try. */
export abstract class PlanError extends EngineError {
  /** Where it is wrong: the first 20 paths in the order of the input. */
  readonly locs: readonly PlanLoc[];

  protected constructor(
    code: string,
    message: string,
    /** What to do about it. */
    readonly hint: string,
    findings: readonly Finding[],
  ) {
    super(code, `${message}${described(findings)}.`);
    this.locs = findings.slice(0, MAX_LOCS).map(({ loc }) => loc);
  }

  /** The first path; empty when the input as a whole is meant. */
  get loc(): PlanLoc {
    return this.locs[0] ?? [];
  }
}

/** A Choice has another number of log-probabilities than of token ids. */
export class LogprobLengthMismatchError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Send token_ids and logprobs of a Choice as the server returned them, one logprob for each id.';
    super('data.logprob_length_mismatch', 'Logprobs and token ids differ in number', hint, findings);
  }
}

/** A token id is not an integer from 0 to the vocabulary size - 1. */
export class TokenOutOfVocabError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Token ids must come from the tokenizer of the base model that is trained.';
    super('data.token_out_of_vocab', "A token id is not in the base model's vocabulary", hint, findings);
  }
}

/** A log-probability is above 1e-3, not finite or not a number. */
export class LogprobInvalidError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Log-probabilities are natural logarithms: finite and not above 0.';
    super('data.logprob_invalid', 'A logprob is not a log-probability', hint, findings);
  }
}

/** A Choice has log-probabilities, and nothing says to which token ids they belong. */
export class TokenIdsMissingError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Ask the chat completion for return_token_ids, or for token texts of the form token_id:<id>.';
    super('data.token_ids_missing', 'A Choice has logprobs without token ids', hint, findings);
  }
}

/** The chat template of the base model refuses a conversation that has to be rendered. */
export class TemplateRefusedError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Ask the chat completion for return_token_ids: then nothing has to be rendered again.';
    super('data.template_refused', 'The chat template refuses the conversation', hint, findings);
  }
}

/** The rendered prompt of a conversation is not a prefix of the conversation rendered with its answer. */
export class TemplateNotPrefixError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint =
      "The base model's chat template rewrites earlier turns: send one line for each assistant turn, or set assistant_turns to last.";
    super(
      'data.template_not_prefix',
      'A rendered prompt is not the beginning of the whole conversation',
      hint,
      findings,
    );
  }
}

/** The chat template of the base model writes an answer that calls tools as if it called none. */
export class ToolCallsLostError extends PlanError {
  /** @param lackTools lines name no tools, without which templates leave calls out */
  constructor(findings: readonly Finding[], lackTools: boolean) {
    const hint = lackTools
      ? 'Add the functions that the conversation may call to the line, as tools.'
      : 'Write the call into content, in the form that the model should learn, or give the turn the weight 0.';
    super('data.tool_calls_lost', 'The chat template leaves tool calls out', hint, findings);
  }
}

/** Rewards are so large that their mean, deviation or advantages are no finite numbers. */
export class RewardOverflowError extends PlanError {
  constructor(findings: readonly Finding[]) {
    super('data.reward_overflow', 'Advantages overflow', 'Scale the rewards down.', findings);
  }
}

/** Trajectories differ in reward, but none of those has a token that can be trained; or no line of a file has one. */
export class NoTrainableTokensError extends PlanError {
  constructor(sentence: string, hint: string, findings: readonly Finding[]) {
    super('data.no_trainable_tokens', sentence, hint, findings);
  }
}

/** A line of the training file is not a conversation to learn from. */
export class BadLineError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Each line is {"messages":[...], "tools"?:[...]} and ends with an assistant message.';
    super('data.bad_line', 'A line of the training data is bad', hint, findings);
  }
}

/** A line is not a group of trajectories. */
export class BadGroupLineError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Each line is {"trajectories":[{"messages_and_choices":[...],"reward":1}, ...]}.';
    super('data.bad_line', 'A line of the training data is bad', hint, findings);
  }
}

/** A line asks a model nothing. */
export class BadPromptLineError extends PlanError {
  constructor(findings: readonly Finding[]) {
    const hint = 'Each line is {"messages":[...]} or {"prompt":"..."}, beside columns that scorers read.';
    super('data.bad_line', 'A line of the prompts is bad', hint, findings);
  }
}

/** A file of prompts has more of them than a job may. */
export class TooManyPromptsError extends PlanError {
  constructor(limit: number) {
    super('data.too_large', `There are more than ${limit} prompts`, 'Sample from them in several jobs.', []);
  }
}

/** A file of trajectory groups has more of them than a job may. */
export class TooManyTrajectoriesError extends PlanError {
  /** @param limit for example `4096 groups` */
  constructor(limit: string) {
    super('data.too_large', `The training data has more than ${limit}`, 'Train on it in several jobs.', []);
  }
}

/** The training file has no line that is not blank. */
export class EmptyDataError extends PlanError {
  constructor() {
    super('data.empty', 'The training data has no line', 'Write one conversation in each line.', []);
  }
}

/** Epochs of so many batches are more gradient steps than a job may have. */
export class TooManyStepsError extends PlanError {
  /** @param size name of the setting that makes steps larger */
  constructor(steps: number, maxSteps: number, size = 'batch_size') {
    const message = `The job would have ${steps} gradient steps, more than ${maxSteps}`;
    super('config.too_many_steps', message, `Set n_epochs lower, or ${size} higher.`, [
      { loc: ['config', 'n_epochs'], detail: '' },
    ]);
  }
}

/** Nothing is left for the validation loss, or for training. */
export class ValidationDataEmptyError extends PlanError {
  constructor(sentence: string) {
    const hint = 'Send more lines, or leave the validation out.';
    super('data.validation_empty', sentence, hint, []);
  }
}

/** A line is longer than any conversation: the file is probably not cut into lines. */
export class LineTooLongError extends PlanError {
  constructor(maxBytes: number) {
    const message = `A line of the training data has more than ${maxBytes} bytes`;
    super('data.too_large', message, 'Write one conversation in each line.', []);
  }
}

/** The list of learning rates does not have one entry for each gradient step. */
export class LearningRateListLengthError extends PlanError {
  constructor(entries: number, steps: number) {
    const message = `The list of learning rates has ${entries} entries for ${steps} gradient steps`;
    const hint = 'Give one learning rate for each batch of each epoch, or one number for all.';
    super('config.learning_rate_list_length', message, hint, [{ loc: ['config', 'learning_rate'], detail: '' }]);
  }
}

function described(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first?.detail) return '';
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `: ${first.detail} at ${pathText(first.loc)}${more}`;
}

/** `trajectory_groups[0].trajectories[1]`; `line 7` for a line. */
function pathText(loc: PlanLoc): string {
  if (loc[0] === 'line') return `line ${loc[1]}`;
  if (loc[0] === 'validation') return `line ${loc[2]} of the validation data`;
  return loc.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}
