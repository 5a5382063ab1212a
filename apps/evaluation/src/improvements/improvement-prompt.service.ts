import type { Principal } from '@hone/auth';
import { isJsonObject, promptMessagesOf } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { PromptEditEndedError, PromptEditNotFoundError } from '../prompt-edits/prompt-edits.errors.js';
import { PromptEditsService } from '../prompt-edits/prompt-edits.service.js';
import { PromptNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { TraceClient } from '../services/trace-client.js';
import { StoredObjects } from '../stored-objects/stored-objects.service.js';
import { aliasOf, type CandidateRecord, type ImprovementEnd, type ImprovementRecord } from './improvement.record.js';
import { ImprovementSettings } from './improvement-settings.service.js';

const NAMED_VERSION = /\/object\/([^/:]+):([^/:]+)$/;

/** The edit of a prompt, as one more candidate: a model reads where the prompt failed, and writes it anew. */
@Injectable()
export class ImprovementPrompt {
  constructor(
    private readonly edits: PromptEditsService,
    private readonly objects: StoredObjects,
    private readonly trace: TraceClient,
    private readonly settings: ImprovementSettings,
  ) {}

  /** The version that a name means now: edits are stored as newer ones. @throws PromptNotFoundError */
  async versionOf(project: OwnProject, name: string): Promise<string> {
    const found = await this.objects.find(project, name);
    if (found === null || promptMessagesOf(found.value) === null) throw new PromptNotFoundError(name);
    return found.ref;
  }

  /** Within a transaction. @param model that answers with the prompt */
  async start(improvement: ImprovementRecord, owner: Principal, model: string, dataset: string): Promise<string> {
    const { settings, projectId, projectRowId } = improvement;
    const { metric, scale, lower_is_better } = await this.settings.gateOf(
      { id: projectId, rowId: projectRowId },
      settings,
    );
    const { scorers, parameters } = settings.evaluate;
    const made = await this.edits.create(owner, {
      ...{ project_id: projectId, prompt: settings.prompt as string, model, dataset, scorers, metric },
      ...{ scale: scale ?? null, lower_is_better: lower_is_better ?? null, parameters: parameters ?? null },
      ...{ reflection_model: settings.teacher ?? null, max_cost_usd: settings.max_cost_usd ?? null },
    });
    return made.id;
  }

  async progress(owner: Principal, id: string): Promise<Partial<CandidateRecord>> {
    const { status, best, error } = await this.edits.get(owner, id);
    if (status === 'running') return { state: 'training' };
    if (status !== 'done') return { state: 'failed', reason: `The edits ended as ${status}. ${error ?? ''}`.trim() };
    const prompt = best?.prompt ?? null;
    if (prompt === null)
      return { state: 'not_better', reason: 'No edit of the prompt was better on the rows it was tried on.' };
    return { state: 'trained', prompt };
  }

  /** It may have ended by itself. */
  async cancel(caller: Principal, { prompt_edit_id: id }: CandidateRecord): Promise<void> {
    try {
      if (id !== null) await this.edits.cancel(caller, id);
    } catch (error) {
      if (!(error instanceof PromptEditEndedError || error instanceof PromptEditNotFoundError)) throw error;
    }
  }

  /** Moves the alias of the prompt to its edit, unless it names another version than the one that was edited. */
  async promote({ keyId, projectId, settings }: ImprovementRecord, edited: string): Promise<ImprovementEnd> {
    const alias = aliasOf(settings);
    const [, objectId = '', digest = ''] = NAMED_VERSION.exec(edited) ?? [];
    const [, , original] = NAMED_VERSION.exec(settings.prompt as string) ?? [];
    const path = `/objs/${objectId}/aliases`;
    const query = `?project_id=${encodeURIComponent(projectId)}`;
    const { aliases } = await this.trace.ask(keyId, { method: 'GET', path: path + query });
    const list = Array.isArray(aliases) ? aliases.filter(isJsonObject) : [];
    const now = list.find((one) => one['alias'] === alias)?.['digest'];
    if (now !== undefined && now !== original && now !== digest)
      return {
        status: 'alias_moved',
        reason: `'${alias}' of the prompt names another version than the one that was edited.`,
      };
    const body = { project_id: projectId, digest, aliases: [alias] };
    await this.trace.ask(keyId, { method: 'PUT', path, body });
    return { status: 'promoted', reason: `The edited prompt is '${alias}' now; the model stays.` };
  }
}
