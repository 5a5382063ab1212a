import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { PromptNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { OwnObjects } from '../runs/own-objects.service.js';
import { StoredObjects } from '../stored-objects/stored-objects.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { withMessages } from './editing/prompt-texts.js';
import type { EditFound, PromptEditJob } from './prompt-edit.record.js';
import { type PromptEditEnd, PromptEditsRepository } from './prompt-edits.repository.js';
import { Search, type SearchStep } from './search/search.js';

/** Takes jobs from step to step, each in one transaction that locks the job: whoever goes on with it finds all of a step, or nothing. */
@Injectable()
export class SearchSteps {
  constructor(
    private readonly jobs: PromptEditsRepository,
    private readonly items: EditItemsRepository,
    private readonly objects: StoredObjects,
    private readonly own: OwnObjects,
    private readonly database: Database,
  ) {}

  /** @returns whether there may be more to do at once. @throws PromptNotFoundError, NameTakenError it cannot go on */
  async next(job: PromptEditJob): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.jobs.lockRunning(job.id))) return false;
      const step = new Search(job, await this.items.list([job.id])).next();
      await this.take(job, step);
      return step.do !== 'wait';
    });
  }

  /** @returns false: it has ended before */
  async end(id: string, end: PromptEditEnd): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.jobs.lockRunning(id))) return false;
      await this.jobs.end(id, end);
      await this.items.giveUp(id);
      return true;
    });
  }

  private async take(job: PromptEditJob, step: SearchStep): Promise<void> {
    switch (step.do) {
      case 'wait':
        return;
      case 'ask':
        return this.items.askRows(job, step.candidates, step.rows);
      case 'edit':
        return this.items.askEdit(job, step.candidate, step.parent);
      case 'fail':
        await this.end(job.id, { status: 'failed', error: step.error });
        return;
      case 'end': {
        const { best, isBetter } = step;
        const digest = best && isBetter ? await this.store(job, best.candidate) : null;
        await this.end(job.id, { status: 'done', best: best && { ...best, digest } });
      }
    }
  }

  /** Stores an edit as a version of the prompt. Labels stay where they are. @returns its digest */
  private async store(
    { id, projectId, projectRowId, plan, createdBy }: PromptEditJob,
    candidate: number,
  ): Promise<string> {
    const project = { id: projectId, rowId: projectRowId };
    const { objectId } = plan.prompt;
    const prompt = await this.objects.read(project, plan.prompt);
    if (prompt === null) throw new PromptNotFoundError(objectId);
    const { messages } = (await this.items.resultsOf<EditFound>({ id }, candidate, '')).get(0) as EditFound;
    const value = withMessages(prompt.value, messages ?? []);
    const { digest } = await this.own.store(
      { userId: createdBy },
      project,
      objectId,
      String(value['_class_name'] ?? 'none'),
      value,
    );
    return digest;
  }
}
