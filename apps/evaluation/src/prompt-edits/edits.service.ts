import type { JsonObject } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import { GatewayRefusedError, GatewayUnavailableError } from '../gateway/gateway-session.js';
import { evaluationUser } from '../judged-calls/own-users.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import type { Finding } from '../queue/claim.record.js';
import { StoredRows } from '../runs/stored-rows.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { readEdit } from './editing/edit-answer.js';
import { LeakGuard } from './editing/leak-guard.js';
import { editableTexts } from './editing/prompt-texts.js';
import { type Failure, reflectionRequest, shownAnswer } from './editing/reflection-prompt.js';
import type { AnswerFound, EditFound, EditItemClaim, PromptEditJob, ScoreFound } from './prompt-edit.record.js';
import { Search } from './search/search.js';

interface Found extends Finding {
  readonly result: EditFound | null;
}

/** Has the reflection model edit prompts, and settles the edits. */
@Injectable()
export class EditsService {
  constructor(
    private readonly rows: StoredRows,
    private readonly gateway: GatewayClient,
    private readonly items: EditItemsRepository,
  ) {}

  /** @throws KeyEndedError, and nothing is settled; what the database throws */
  async edit(job: PromptEditJob, claim: EditItemClaim, signal: AbortSignal): Promise<void> {
    const found = await this.find(job, claim, signal);
    await this.items.settle(job, [{ ...toSettlement(claim, found), score: null, result: found.result }]);
  }

  private async find(job: PromptEditJob, claim: EditItemClaim, signal: AbortSignal): Promise<Found> {
    const known = await this.promptsOf(job);
    const parent = known.get(claim.parent as number) as JsonObject[];
    const failures = await this.failuresOf(job, claim);
    try {
      const body = { ...reflectionRequest(parent, failures, goalOf(job)), model: job.plan.reflectionModel };
      const { content, costNanoUsd } = await this.ask(job, claim, body, signal);
      return { ...(await this.read(job, content, [...known.values()], failures)), costNanoUsd };
    } catch (error) {
      const isRefused = error instanceof GatewayRefusedError;
      if (!isRefused && !(error instanceof GatewayUnavailableError)) throw error;
      const { code, message, mayHaveCost: isCostOpen } = error;
      const result = { messages: null, detail: `${code}: ${message}` };
      return { ...DONE, state: 'failed', code, isCostOpen, isTransient: !isRefused, result };
    }
  }

  private ask(job: PromptEditJob, claim: EditItemClaim, body: JsonObject, signal: AbortSignal) {
    return this.gateway.as(job.keyId, GATEWAY_PATIENCE_MS).chat(
      { ...body, seed: job.seed + claim.candidate },
      {
        requestId: `${requestIdOf(claim)}.0`,
        projectId: job.projectId,
        metadata: { user: evaluationUser(job.plan.prompt.objectId), 'hone.prompt_edit': job.id },
        signal,
      },
    );
  }

  private async read(
    job: PromptEditJob,
    answer: string,
    known: readonly JsonObject[][],
    failures: readonly Failure[],
  ): Promise<Found> {
    const original = job.plan.messages;
    const edit = readEdit(original, answer, new Set(known.map((messages) => JSON.stringify(messages))));
    if ('dropped' in edit) return { ...DONE, state: 'skipped', code: edit.dropped, result: edit };
    const guard = new LeakGuard(textsIn(original), textsIn(edit.messages));
    const detail = await this.leakOf(job, guard, failures);
    if (detail !== null) return { ...DONE, state: 'skipped', code: 'leak', result: { ...edit, detail } };
    return { ...DONE, result: { ...edit, detail: null } };
  }

  /** Null: it has copied nothing. */
  private async leakOf(
    { projectRowId, plan }: PromptEditJob,
    guard: LeakGuard,
    failures: readonly Failure[],
  ): Promise<string | null> {
    for (const failure of failures)
      if (failure.output !== null && (await guard.isLeakOf(shownAnswer(failure))))
        return 'It has eight words in a row of an answer that the original does not have.';
    for (const [name, digests] of Object.entries({ practice: plan.practice, 'held-out': plan.heldOut }))
      for (const digest of digests) {
        const row = await this.rows.find({ projectRowId }, digest);
        if (row !== null && (await guard.isLeakOf(row)))
          return `It has eight words in a row of a ${name} row that the original does not have.`;
      }
    return null;
  }

  /** Messages of the original and of all edits that were not dropped at once. */
  private async promptsOf({ id, plan }: PromptEditJob): Promise<Map<number, JsonObject[]>> {
    const edits = await this.items.edits([id]);
    const made = edits.flatMap(({ candidate, messages, detail }) =>
      messages !== null && detail === null ? [[candidate, messages] as const] : [],
    );
    return new Map([[0, plan.messages], ...made]);
  }

  /** Of the practice rows on which the edit is tried first, those on which its parent could be better. */
  private async failuresOf(job: PromptEditJob, { candidate, parent }: EditItemClaim): Promise<Failure[]> {
    const search = new Search(job, await this.items.list([job.id]));
    const from = parent as number;
    const failures: Failure[] = [];
    for (const digest of search.minibatch(candidate, from)) {
      const row = search.scores.isPerfect(from, digest) ? null : await this.rows.find(job, digest);
      if (row === null) continue;
      const results = await this.items.resultsOf<AnswerFound | ScoreFound>(job, from, digest);
      const found = job.plan.scorers.flatMap(({ objectId }, at) => {
        const one = results.get(at + 1) as ScoreFound | undefined;
        return one ? [[objectId, one] as const] : [];
      });
      const output = (results.get(0) as AnswerFound | undefined)?.output ?? null;
      failures.push({ row, output, score: search.scores.of(from, digest) ?? null, found });
    }
    return failures;
  }
}

const DONE = { state: 'done', code: null, costNanoUsd: 0, isCostOpen: false, isTransient: false } as const;

const textsIn = (messages: readonly JsonObject[]): string[] => editableTexts(messages).map(({ text }) => text);

function goalOf({ plan: { metric, settings } }: PromptEditJob): string {
  const [least, largest] = metric.scale;
  return `${settings.metric}, from ${least} to ${largest}: the ${metric.lowerIsBetter ? 'less' : 'more'}, the better.`;
}
