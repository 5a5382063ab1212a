import { CallTreeRepository, CallWriteRepository, toJsonDraft, ValueRepository } from '@hone/calls';
import type { JsonValue } from '@hone/contracts';
import { newId } from '@hone/database';

import type { TrainingApp } from '../training-app.fixture.js';

const START_MS = Date.UTC(2026, 10, 1);

/** What a call of a spec says; the rest is made up. */
export interface ACall {
  id?: string;
  prompt?: string;
  answer?: string;
  tokens?: { prompt: number[]; answer: number[]; logprobs?: number[] } | null;
  modelId?: string;
  step?: number;
  threadId?: string | null;
  exception?: string | null;
  isRunning?: boolean;
  inputs?: JsonValue;
  output?: JsonValue;
  attributes?: { [name: string]: JsonValue };
  /** 1 up, 0 down, null none. */
  thumb?: 0 | 1 | null;
  correction?: JsonValue;
}

/** What calls are stored with. */
type Target = Pick<TrainingApp, 'db' | 'sql' | 'writer'>;

/** Calls of the project `acme/p` with feedback, as the gateway and its clients would have stored them. */
export class SourceCalls {
  private count = 0;

  private constructor(
    private readonly app: Target,
    readonly projectRowId: string,
    readonly projectId: string,
  ) {}

  static async of(app: Target, projectId = 'acme/p'): Promise<SourceCalls> {
    const [entity, project] = projectId.split('/');
    const [row] = await app.sql<{ id: string }>(
      `SELECT p.id FROM projects p JOIN entities e ON e.id = p.entity_id WHERE e.name = $1 AND p.name = $2`,
      [entity, project],
    );
    return new SourceCalls(app, row?.id as string, projectId);
  }

  /** Stores calls, a second after each other; returns their ids. */
  async add(...calls: ACall[]): Promise<string[]> {
    const drafts = calls.map((call) => ({ call, draft: this.draftOf(call, this.count++) }));
    const { db } = this.app;
    await new CallWriteRepository(db, new ValueRepository(db), new CallTreeRepository(db)).save(
      drafts.map(({ draft }) => draft),
    );
    for (const { call, draft } of drafts) {
      if (call.thumb === 0 || call.thumb === 1) await this.react(draft.id, call.thumb === 1 ? '👍' : '👎');
      if (call.correction !== undefined) {
        await this.judge(draft.id, { feedbackType: 'hone.correction.1', payload: { output: call.correction } });
      }
    }
    return drafts.map(({ draft }) => draft.id);
  }

  react(callId: string, emoji: string): Promise<void> {
    return this.judge(callId, { feedbackType: 'hone.reaction.1', payload: { emoji, detoned: emoji } });
  }

  async judge(
    callId: string,
    more: {
      feedbackType: string;
      payload?: object;
      runnableRef?: string;
      scorerTags?: string[];
      scorerRatings?: Record<string, number>;
    },
  ): Promise<void> {
    const { payload = {}, feedbackType, runnableRef, scorerTags = [], scorerRatings = {} } = more;
    await this.app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, runnable_ref,
         payload_text, scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons,
         scorer_rating_confidences)
       VALUES ($1, $2, now(), $3, $4, $5, $6, $7, $8, '{}', '{}', $9, '{}', '{}')`,
      [
        ...[this.projectRowId, newId(), this.app.writer.id, feedbackType, `${this.projectId}/call/${callId}`],
        ...[runnableRef ?? null, JSON.stringify(payload), scorerTags, JSON.stringify(scorerRatings)],
      ],
    );
  }

  async delete(callId: string): Promise<void> {
    await this.app.sql('UPDATE calls SET deleted_at = now() WHERE project_id = $1 AND id = $2', [
      this.projectRowId,
      callId,
    ]);
  }

  private draftOf(call: ACall, index: number) {
    const startedAt = new Date(START_MS + index * 1_000);
    const { prompt = 'repeat: cat', answer = 'cat', tokens } = call;
    const logprobs = tokens?.logprobs ?? tokens?.answer.map(() => -0.5) ?? [];
    const kept: { [name: string]: JsonValue } = tokens
      ? { hone: { tokens: { prompt_token_ids: tokens.prompt, choices: [{ token_ids: tokens.answer, logprobs }] } } }
      : {};
    const policy: { [name: string]: JsonValue } = call.modelId ? { model_id: call.modelId, step: call.step ?? 0 } : {};
    const message = { role: 'assistant', content: answer };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    return {
      projectId: this.projectId,
      projectRowId: this.projectRowId,
      id: call.id ?? `call-${String(index).padStart(6, '0')}`,
      svcUserId: this.app.writer.id,
      start: {
        ...{ opName: `hone:///${this.projectId}/op/chat.completions:v0`, displayName: null, traceId: newId() },
        ...{
          parentId: null,
          threadId: call.threadId ?? null,
          turnId: null,
          runId: null,
          runStep: null,
          derived: null,
          startedAt,
        },
        attributes: toJsonDraft(call.attributes ?? { ...policy, ...kept }),
        inputs: toJsonDraft(call.inputs ?? { model: 'm', messages: [{ role: 'user', content: prompt }] }),
      },
      end: {
        endedAt: call.isRunning ? null : new Date(startedAt.getTime() + 500),
        exception: call.exception ?? null,
        output: toJsonDraft(call.output ?? { object: 'chat.completion', choices }),
        summary: toJsonDraft({}),
        ...{ hasDescendantError: false, displayName: null, runStepEnd: null, derived: null },
      },
    };
  }
}
