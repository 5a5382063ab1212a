import { parseFieldPath, valueAt } from '@hone/call-queries';
import { type Conversation, lineOf, readConversation } from '@hone/calls';
import {
  canonicalText,
  type CorrectionUse,
  isJsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  parseRef,
  stringifyJson,
  type TrainingDataKind,
} from '@hone/contracts';

import { rewardOf, type RewardSettings } from '../rewards/reward-of.js';
import type { SkipReason } from '../skipped.js';
import type { SourceCall } from '../source/source-call.js';
import { digestOf } from './digest-of.js';
import { type Policy, readPolicy, readSample } from './sample.js';

export interface ReadingSettings extends RewardSettings {
  readonly kind: TrainingDataKind;
  readonly corrections: CorrectionUse;
  /** Null: any reward, or none, will do. */
  readonly minReward: number | null;
  /** `prompt`, `thread`, `none` or `attribute:<path>`. */
  readonly groupBy: string;
}

/** A call that may become a part of the data. */
export interface Candidate {
  readonly id: string;
  /** JSON text: a whole line, a trajectory of `rl`, an answer of `preference`. */
  readonly text: string;
  /** `preference`: the members of a line that say what is answered. Null: another kind. */
  readonly question: string | null;
  /** `preference`: the corrected answer. Null: there is none, or another kind. */
  readonly correction: string | null;
  /** `preference`: ids of the calls that the answer is better than, as people said. */
  readonly betterThan: readonly string[];
  /** Whether a correction stands in place of the answer. */
  readonly isCorrected: boolean;
  /** `distill`: name of the model that answered. Null: another kind, or the call names none. */
  readonly model: string | null;
  /** Digest of the messages and tools that the model was given. */
  readonly prompt: string;
  /** Digest of what is compared with each other. */
  readonly group: string;
  /** Null: not `rl`. */
  readonly policy: Policy | null;
  /** Of the answer; 0 but for `rl`. */
  readonly tokens: number;
  /** Null: there is none. */
  readonly reward: number | null;
}

/** Feedback that compares two calls. */
export const PREFERENCE_TYPE = 'hone.preference.1';

/** A line of trajectories has more levels around a message than one of fine-tuning. */
const MAX_LEVELS = 58;

/** What becomes of a call by itself, or why it is left out. */
export function readCandidate(call: SourceCall, settings: ReadingSettings): Candidate | SkipReason {
  if (call.hasFailed) return 'failed';
  if (!call.hasEnded) return 'unfinished';
  if (!call.values) return 'too_large';
  const attributes = parseJson(call.values.attributes);
  if (memberOf(attributes, 'content_logged') === false) return 'no_content';
  const inputs = parseJson(call.values.inputs);
  const output = parseJson(call.values.output);
  switch (settings.kind) {
    case 'rl':
      return readTrajectory(call, { inputs, output, attributes }, settings);
    case 'preference':
      return readAnswer(call, inputs, output, settings);
    case 'thumbs':
      return readThumb(call, inputs, output, settings);
    case 'sft':
    case 'distill':
    case 'best_of':
      return readExample(call, inputs, output, settings);
  }
}

const ALONE = {
  question: null,
  correction: null,
  betterThan: [],
  isCorrected: false,
  model: null,
  policy: null,
  tokens: 0,
};

function readExample(
  call: SourceCall,
  inputs: JsonValue,
  output: JsonValue,
  settings: ReadingSettings,
): Candidate | SkipReason {
  const { corrections, minReward, kind } = settings;
  const correction = corrections === 'ignore' || kind === 'best_of' ? undefined : correctionOf(call);
  if (correction === undefined && corrections === 'only') return 'no_correction';
  const conversation = readConversation(inputs, correction ?? output);
  if (!conversation) return 'no_conversation';
  const reward = kind === 'sft' && minReward === null ? null : rewardOf(call.judgements, settings);
  const isJudged = minReward !== null || kind === 'best_of';
  if (correction === undefined && isJudged && reward === null) return 'no_reward';
  if (correction === undefined && minReward !== null && (reward ?? 0) < minReward) return 'below_min_reward';
  const prompt = promptOf(conversation);
  const text = stringifyJson(lineOf(conversation));
  const model = kind === 'distill' ? modelOf(inputs, output) : null;
  return { ...ALONE, id: call.id, text, prompt, group: prompt, reward, model, isCorrected: correction !== undefined };
}

/** The model that answered, as usage names it. */
function modelOf(inputs: JsonValue, output: JsonValue): string | null {
  const names = [output, inputs].map((value) => memberOf(value, 'model'));
  return names.find((name) => typeof name === 'string') ?? null;
}

/** From this reward on an answer is liked. */
export const LIKED = 0.5;

function readThumb(
  call: SourceCall,
  inputs: JsonValue,
  output: JsonValue,
  settings: ReadingSettings,
): Candidate | SkipReason {
  const conversation = readConversation(inputs, output);
  if (!conversation) return 'no_conversation';
  const reward = rewardOf(call.judgements, settings);
  if (reward === null) return 'no_reward';
  const { messages, tools, answer } = conversation;
  const label = reward >= (settings.minReward ?? LIKED);
  const text = stringifyJson({ messages, ...(tools && { tools }), completion: answer, label });
  const prompt = promptOf(conversation);
  return { ...ALONE, id: call.id, text, prompt, group: prompt, reward };
}

/** An answer that is to be one side of pairs. */
function readAnswer(
  call: SourceCall,
  inputs: JsonValue,
  output: JsonValue,
  settings: ReadingSettings,
): Candidate | SkipReason {
  const conversation = readConversation(inputs, output);
  if (!conversation) return 'no_conversation';
  const { messages, tools, answer } = conversation;
  const corrected = settings.corrections === 'ignore' ? undefined : correctionOf(call);
  const better = corrected === undefined ? null : readConversation(inputs, corrected);
  if (better === null && settings.corrections === 'only') return 'no_correction';
  const prompt = promptOf(conversation);
  return {
    ...ALONE,
    id: call.id,
    text: stringifyJson(answer),
    question: stringifyJson({ messages, ...(tools && { tools }) }).slice(1, -1),
    correction: better && stringifyJson(better.answer),
    betterThan: settings.corrections === 'only' ? [] : betterThan(call),
    prompt,
    group: prompt,
    reward: settings.corrections === 'only' ? null : rewardOf(call.judgements, settings),
  };
}

/** Ids of calls whose answers people found worse. */
function betterThan({ judgements }: SourceCall): string[] {
  return judgements.flatMap(({ feedbackType, payload }) => {
    if (feedbackType !== PREFERENCE_TYPE || payload === null) return [];
    const rejected = memberOf(parseJson(payload), 'rejected');
    const ref = typeof rejected === 'string' ? parseRef(rejected) : undefined;
    return ref?.kind === 'call' ? [ref.callId] : [];
  });
}

/** The better answer; undefined: there is none. */
function correctionOf({ correction }: SourceCall): JsonValue | undefined {
  return correction === null ? undefined : memberOf(parseJson(correction), 'output');
}

interface CallValues {
  readonly inputs: JsonValue;
  readonly output: JsonValue;
  readonly attributes: JsonValue;
}

function readTrajectory(call: SourceCall, values: CallValues, settings: ReadingSettings): Candidate | SkipReason {
  const { inputs, output, attributes } = values;
  const conversation = readConversation(inputs, output, MAX_LEVELS);
  if (!conversation || !(conversation.tools ?? []).every(isJsonObject)) return 'no_conversation';
  const choices = memberOf(output, 'choices');
  if (!Array.isArray(choices)) return 'no_tokens';
  if (choices.length > 1) return 'several_choices';
  const reward = rewardOf(call.judgements, settings);
  if (reward === null) return 'no_reward';
  const sample = readSample(attributes);
  if (!sample) return 'no_tokens';
  const policy = readPolicy(attributes);
  if (!policy) return 'unknown_model';
  const prompt = promptOf(conversation);
  const group = groupOf(call, attributes, prompt, settings.groupBy);
  if (group === null) return 'no_group';
  const { answer, messages, tools } = conversation;
  const choice = { message: answer, finish_reason: memberOf(choices[0], 'finish_reason') ?? null, ...sample.fields };
  const trajectory = {
    messages_and_choices: [...messages, choice],
    ...(tools && { tools }),
    reward,
    initial_policy_version: policy.step,
    final_policy_version: policy.step,
    metadata: { call_id: call.id },
  };
  const text = stringifyJson(trajectory);
  return { ...ALONE, id: call.id, text, prompt, group, policy, tokens: sample.tokens, reward };
}

const promptOf = ({ messages, tools }: Conversation): string => digestOf(canonicalText({ messages, tools }));

const ATTRIBUTE = 'attribute:';

/** Null: it has nothing to be grouped by. */
function groupOf({ threadId }: SourceCall, attributes: JsonValue, prompt: string, groupBy: string): string | null {
  if (groupBy === 'prompt') return prompt;
  if (groupBy === 'none') return '';
  if (groupBy === 'thread') return threadId === null ? null : digestOf(threadId);
  const { column, path } = parseFieldPath(groupBy.slice(ATTRIBUTE.length));
  const value = valueAt(attributes, [column, ...path]) as JsonValue;
  return value === null ? null : digestOf(canonicalText(value));
}
