import { parseFieldPath, valueAt } from '@hone/call-queries';
import { type Conversation, lineOf, readConversation } from '@hone/calls';
import {
  canonicalText,
  type CorrectionUse,
  isJsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  stringifyJson,
} from '@hone/contracts';

import { rewardOf, type RewardSettings } from '../rewards/reward-of.js';
import type { SkipReason } from '../skipped.js';
import type { SourceCall } from '../source/source-call.js';
import { digestOf } from './digest-of.js';
import { type Policy, readPolicy, readSample } from './sample.js';

export interface ReadingSettings extends RewardSettings {
  readonly kind: 'sft' | 'rl';
  readonly corrections: CorrectionUse;
  /** Null: any reward, or none, will do. */
  readonly minReward: number | null;
  /** `prompt`, `thread`, `none` or `attribute:<path>`. */
  readonly groupBy: string;
}

/** A call that may become a part of the data. */
export interface Candidate {
  readonly id: string;
  /** JSON text: a whole line of `sft`, a trajectory of `rl`. */
  readonly text: string;
  /** Digest of the messages and tools that the model was given. */
  readonly prompt: string;
  /** Digest of what is compared with each other. */
  readonly group: string;
  /** Null: `sft`. */
  readonly policy: Policy | null;
  /** Of the answer; 0 for `sft`. */
  readonly tokens: number;
  /** Null: `sft`. */
  readonly reward: number | null;
}

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
  return settings.kind === 'sft'
    ? readExample(call, inputs, output, settings)
    : readTrajectory(call, { inputs, output, attributes }, settings);
}

function readExample(
  call: SourceCall,
  inputs: JsonValue,
  output: JsonValue,
  settings: ReadingSettings,
): Candidate | SkipReason {
  const { corrections, minReward } = settings;
  const correction = corrections === 'ignore' ? undefined : correctionOf(call);
  if (correction === undefined && corrections === 'only') return 'no_correction';
  const conversation = readConversation(inputs, correction ?? output);
  if (!conversation) return 'no_conversation';
  if (correction === undefined && minReward !== null) {
    const reward = rewardOf(call.judgements, settings);
    if (reward === null) return 'no_reward';
    if (reward < minReward) return 'below_min_reward';
  }
  const prompt = promptOf(conversation);
  return {
    id: call.id,
    text: stringifyJson(lineOf(conversation)),
    prompt,
    group: prompt,
    policy: null,
    tokens: 0,
    reward: null,
  };
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
  return { id: call.id, text: stringifyJson(trajectory), prompt, group, policy, tokens: sample.tokens, reward };
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
