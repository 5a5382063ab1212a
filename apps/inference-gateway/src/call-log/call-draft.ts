import { draftOfText, type KeyedCall, toJsonDraft } from '@hone/calls';
import { type JsonValue, parseJson, toStorableText } from '@hone/contracts';

import type { KeptTokens } from '../shared/kept-tokens.js';
import { extractMedia } from './media.js';
import { type JournalledCall, SEPARATOR } from './call-entry.js';

const MAX_THREAD_LENGTH = 128;
/** Op of the calls, a part of their refs. */
const CHAT_OP = 'chat.completions:v0';

/** What a usage record in its journalled form says of the call. Absent: null, 0 or false. */
interface JournalledUsage {
  uid: string;
  rid: string;
  startedAt: string;
  keyId: string;
  userId: string;
  projectId: string;
  modelAsked: string;
  modelAnswered?: string;
  target?: string;
  checkpointId?: string;
  status: 'ok' | 'error' | 'aborted';
  errorCode?: string;
  attempts: unknown[];
  promptTokens?: number;
  cachedTokens?: number;
  completionTokens?: number;
  reasoningTokens?: number;
  isStream?: boolean;
  ttftMs?: number;
  durationMs: number;
}

/** A call, with the files that it names by refs. */
export interface LoggedCall extends KeyedCall {
  readonly files: readonly Buffer[];
}

/**
 * The call of a usage record.
 *
 * @param usage text of the record, as it is journalled
 * @param entry text of its {@link CallEntry}
 * @param refScheme of the op's ref
 */
export function toCall(usage: string, entry: string, refScheme: string): LoggedCall {
  const record = JSON.parse(usage) as JournalledUsage;
  const [inputs = '{}', output = 'null', factsText = '{}'] = entry.split(SEPARATOR);
  const facts = JSON.parse(factsText) as JournalledCall;
  const startedAt = new Date(record.startedAt);
  const refOf = (digest: string) => `${refScheme}:///${facts.projectId}/file/${digest}`;
  const [asked, answered] = [extractMedia(inputs, refOf), extractMedia(output, refOf)];
  return {
    uid: record.uid,
    files: [...asked.files, ...answered.files],
    draft: {
      projectId: facts.projectId,
      projectRowId: record.projectId,
      id: facts.id,
      svcUserId: record.userId,
      start: {
        opName: `${refScheme}:///${facts.projectId}/op/${CHAT_OP}`,
        displayName: null,
        traceId: facts.traceId ?? record.uid,
        parentId: facts.parentId ?? null,
        threadId: facts.threadId === undefined ? null : toStorableText(facts.threadId).slice(0, MAX_THREAD_LENGTH),
        turnId: null,
        startedAt,
        attributes: toJsonDraft(attributesOf(record, facts)),
        inputs: draftOfText(asked.json),
        runId: null,
        runStep: null,
      },
      end: {
        endedAt: new Date(startedAt.getTime() + record.durationMs),
        exception: record.status === 'aborted' ? 'aborted' : (record.errorCode ?? null),
        output: draftOfText(answered.json),
        summary: toJsonDraft(summaryOf(record)),
        hasDescendantError: false,
        displayName: null,
        runStepEnd: null,
      },
    },
  };
}

/** The same call, which says of its request and answer only that they are not there. */
export const withoutContent = ({ uid, draft }: LoggedCall): LoggedCall => ({
  uid,
  files: [],
  draft: {
    ...draft,
    start: draft.start && {
      ...draft.start,
      attributes: toJsonDraft({ content_logged: false }),
      inputs: toJsonDraft({}),
    },
    end: draft.end && { ...draft.end, output: toJsonDraft(null) },
  },
});

const attributesOf = (record: JournalledUsage, facts: JournalledCall): JsonValue => ({
  model: record.modelAnswered ?? record.modelAsked,
  route: record.modelAsked,
  ...(record.target !== undefined && { target: record.target }),
  ...(record.checkpointId !== undefined && { checkpoint: record.checkpointId }),
  attempts: record.attempts as JsonValue,
  key_id: record.keyId,
  request_id: record.rid,
  stream: record.isStream ?? false,
  ...(record.ttftMs !== undefined && { ttft_ms: record.ttftMs }),
  ...(facts.metadata !== undefined && { metadata: parseJson(facts.metadata) }),
  ...(facts.isWithoutContent && { content_logged: false }),
  ...checkpointOf(record, facts),
});

/** What the call can be learned from: the weights that answered and their tokens. Another model may have answered. */
function checkpointOf({ modelAnswered }: JournalledUsage, { checkpoint, tokens }: JournalledCall) {
  if (checkpoint === undefined || (modelAnswered !== undefined && modelAnswered !== checkpoint.name)) return null;
  const { modelId, step } = checkpoint;
  return { model_id: modelId, step, ...(tokens !== undefined && { hone: { tokens: tokensJson(tokens) } }) };
}

const tokensJson = ({ promptIds, choices }: KeptTokens): JsonValue => ({
  prompt_token_ids: [...promptIds],
  choices: choices.map(({ ids, logprobs }) => ({ token_ids: [...ids], logprobs: [...logprobs] })),
});

/** Usage under the name of the model, as the calls of SDKs have it. */
function summaryOf(record: JournalledUsage): JsonValue {
  const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = record;
  if (promptTokens + completionTokens === 0) return {};
  const usage = {
    requests: 1,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens > 0 && { cached_tokens: cachedTokens }),
    ...(reasoningTokens > 0 && { reasoning_tokens: reasoningTokens }),
  };
  return { usage: { [record.modelAnswered ?? record.modelAsked]: usage } };
}
