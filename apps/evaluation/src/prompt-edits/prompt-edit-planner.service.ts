import { parseFieldPath } from '@hone/call-queries';
import {
  isStorableJson,
  type JsonObject,
  parseRef,
  type PromptEditCreateDto,
  promptMessagesOf,
  stringifyJson,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { type Grader, Graders } from '../grading/graders.service.js';
import { drawOf, isDrawn } from '../judged-calls/draw.js';
import { Datasets } from '../runs/datasets.service.js';
import { PromptNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { refused } from '../runs/job-form.js';
import { type StoredObject, StoredObjects } from '../stored-objects/stored-objects.service.js';
import { criteriaOf } from '../truth/criterion.js';
import { editableTexts, MAX_TEXT } from './editing/prompt-texts.js';
import type { DecidingScore, PromptEditPlan } from './prompt-edit.record.js';

const MAX_ROWS = 100_000;
/** Characters of the messages with all that is no text of theirs. */
const MAX_MESSAGES = 262_144;
const DEFAULT_HOLDOUT = 0.5;
const MIN_PRACTICE = 3;
/** Shares of the answers for the first round of practice, and for each of the two that meet on the held-out rows. */
const PRACTICE_SHARE = 1 / 8;
const HELD_OUT_SHARE = 1 / 4;
const SCORES = 'scores';

/** Makes of a request what a job does: names become versions, and rows are shared out. */
@Injectable()
export class PromptEditPlanner {
  constructor(
    private readonly objects: StoredObjects,
    private readonly datasets: Datasets,
    private readonly graders: Graders,
  ) {}

  /** @throws ValidationError, DatasetNotFoundError, PromptNotFoundError, ScorerNotFoundError, ScorerNotDefinedError */
  async plan(project: OwnProject, body: PromptEditCreateDto, seed: number, most: number): Promise<PromptEditPlan> {
    const { prompt, messages } = await this.promptOf(project, body.prompt);
    const graders = await this.gradersOf(project, body.scorers);
    return {
      settings: body,
      prompt: { objectId: prompt.objectId, digest: prompt.digest },
      ...{ messages, model: body.model, reflectionModel: body.reflection_model ?? body.model },
      parameters: (body.parameters ?? {}) as JsonObject,
      scorers: graders.map(({ ref }) => versionOf(ref as string)),
      metric: decidingScore(body, graders),
      ...(await this.rowsOf(project, body, seed, most)),
    };
  }

  private async promptOf(project: OwnProject, name: string): Promise<{ prompt: StoredObject; messages: JsonObject[] }> {
    const prompt = await this.objects.find(project, name);
    const messages = prompt && (promptMessagesOf(prompt.value) as JsonObject[] | null);
    if (!prompt || !messages) throw new PromptNotFoundError(name);
    const texts = editableTexts(messages);
    if (texts.length === 0) throw refused('The prompt has no text that could be edited', 'prompt');
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (length > MAX_TEXT)
      throw refused(`The prompt has ${length} characters; at most ${MAX_TEXT} are edited`, 'prompt');
    if (stringifyJson(messages).length > MAX_MESSAGES || !isStorableJson(messages))
      throw refused('The prompt is too large, or has characters that cannot be stored', 'prompt');
    return { prompt, messages };
  }

  private async gradersOf(project: OwnProject, names: readonly string[]): Promise<Grader[]> {
    const graders = await this.graders.find(
      project,
      names.map((scorer) => ({ scorer })),
    );
    for (const [at, { scorerId, definition }] of graders.entries()) {
      if (graders.findIndex((other) => other.scorerId === scorerId) < at)
        throw refused(`Scorer '${scorerId}' should be named once`, 'scorers', at);
      if (definition.pairwise && (definition.pairwise.against ?? null) === null)
        throw refused(`Scorer '${scorerId}' compares answers with a baseline, which is not there`, 'scorers', at);
    }
    return graders;
  }

  /** A row is on the same side in each job of the same seed and share, whatever else the dataset has. */
  private async rowsOf(project: OwnProject, { dataset, holdout }: PromptEditCreateDto, seed: number, most: number) {
    const table = await this.datasets.tableOf(project, await this.datasets.find(project, dataset));
    if (table.count > MAX_ROWS)
      throw refused(`The dataset has ${table.count} rows; the limit is ${MAX_ROWS}`, 'dataset');
    const digests = await this.datasets.digestsOf(project, table.digest);
    const drawer = `prompt-edits.${seed}`;
    const side = (isHeldOut: boolean, room: number): string[] =>
      digests
        .filter((digest) => isDrawn(drawer, digest, holdout ?? DEFAULT_HOLDOUT) === isHeldOut)
        .map((digest) => ({ digest, draw: drawOf(`${drawer}.order`, digest) }))
        .sort((a, b) => a.draw - b.draw)
        .slice(0, room)
        .map(({ digest }) => digest);
    const practice = side(false, Math.max(MIN_PRACTICE, Math.floor(most * PRACTICE_SHARE)));
    const heldOut = side(true, Math.floor(most * HELD_OUT_SHARE));
    const missing = practice.length === 0 ? 'to practise on' : heldOut.length === 0 ? 'that are held out' : null;
    if (missing !== null)
      throw refused(
        `Of ${digests.length} different rows the draw leaves none ${missing}: add rows, or take another seed`,
        'dataset',
      );
    return { practice, heldOut };
  }
}

function decidingScore(body: PromptEditCreateDto, graders: readonly Grader[]): DecidingScore {
  const { column, path } = parseFieldPath(body.metric);
  const [scorer, ...rest] = path;
  const at = column === SCORES ? graders.findIndex(({ scorerId }) => scorerId === scorer) : -1;
  const criterion =
    at < 0 ? undefined : criteriaOf((graders[at] as Grader).definition).find(({ name }) => name === rest.join('.'));
  if (!criterion) {
    const known = graders.flatMap(({ scorerId, definition }) =>
      criteriaOf(definition).map(({ name }) => `${SCORES}.${scorerId}.${name}`),
    );
    throw refused(`Should be one of ${known.join(', ')}`, 'metric');
  }
  const scale = body.scale ?? (criterion.isTag ? [0, 1] : criterion.scale);
  if (!scale) throw refused('The score has no scale of its own: say the least and the largest', 'scale');
  const [least, largest] = scale as [number, number];
  if (least >= largest) throw refused('The least score should be below the largest', 'scale');
  const { name, isTag } = criterion;
  return { scorer: at + 1, name, isTag, scale: [least, largest], lowerIsBetter: body.lower_is_better ?? false };
}

function versionOf(ref: string): { objectId: string; digest: string } {
  const parsed = parseRef(ref);
  if (parsed?.kind !== 'object') throw new Error('A stored scorer has the ref of an object.');
  return { objectId: parsed.name, digest: parsed.digest };
}
