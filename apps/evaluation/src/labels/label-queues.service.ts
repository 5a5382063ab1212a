import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Principal } from '@hone/auth';
import { callField, unknownFields } from '@hone/call-queries';
import { type LabelQueueCreateDto, type LabelQueueDto, valueIssue } from '@hone/contracts';
import { newId } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { drawOf } from '../judged-calls/draw.js';
import type { Criterion } from '../truth/criterion.js';
import { wereDrawn } from '../truth/label-chances.js';
import { labelOf } from '../truth/labelled-calls.js';
import { LabelledCallsReader, type OpenedCriterion } from '../truth/labelled-calls.reader.js';
import { AnnotationFields } from './annotation-fields.js';
import { type Candidate, CandidatesRepository } from './candidates.repository.js';
import { drawCalls } from './label-draw.js';
import { type DrawnQueue, itemsOf, recordedDraws, toLabelQueueDto } from './label-queue.mapper.js';
import { LabelQueuesRepository } from './label-queues.repository.js';
import { labelledCandidates } from './labelled-candidates.js';
import { NothingToDrawError } from './labels.errors.js';
import { labelsToAdd } from './queue-size.js';
import { sizeOfDraw } from './size-of-draw.js';

const MAX_CANDIDATES = 10_000;
const SEEDS = 2 ** 31;

/** Draws calls for labelling into annotation queues. */
@Injectable()
export class LabelQueuesService {
  constructor(
    private readonly reader: LabelledCallsReader,
    private readonly fields: AnnotationFields,
    private readonly candidates: CandidatesRepository,
    private readonly queues: LabelQueuesRepository,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   * @throws NoScaleError, NothingToDrawError, WidthOutOfReachError
   */
  async create(author: Principal, body: LabelQueueCreateDto): Promise<LabelQueueDto> {
    assertDrawable(body);
    const filter = body.call_ids ? { ...body.filter, call_ids: body.call_ids } : body.filter;
    const opened = await this.reader.open(author, { ...body, filter }, 'writer');
    const fieldRef = await this.fields.refOf(opened.project, body.truth.feedback_type);
    const limit = body.limit ?? MAX_CANDIDATES;
    const found = await this.candidates.find(opened.selection, opened.source, body.strata ?? null, limit);
    const { criterion } = opened;
    const split = splitByLabel(found, criterion, body);
    // Ten thousand calls take a while: others have their turn in between.
    await nextTurn();
    const size = body.size ?? (await sizeFor(body.width as number, body, found, split, opened));
    await nextTurn();
    const seed = body.seed ?? randomInt(SEEDS);
    const drawn = { ...drawCalls(split.open, criterion, size, seed), ...split, seed };
    await nextTurn();
    const { project, scorer } = opened;
    const draft = {
      ...{ id: newId(), projectRowId: project.rowId, fieldRef, feedbackType: body.truth.feedback_type },
      name: body.name ?? `Labels of ${scorer.objectId}: ${criterion.name}`,
      description: `Calls that were drawn so that ${scorer.objectId} can be corrected. Label all of them, each by itself.`,
      ...{ scorerId: scorer.objectId, scorerDigest: scorer.digest, criterion: criterion.name },
      ...{ seed: drawn.seed, createdBy: author.userId },
    };
    const items = await this.queues.create(draft, orderOf(drawn), recordedDraws(drawn));
    return {
      queue_id: draft.id,
      scorer: scorer.ref,
      criterion: criterion.name,
      items,
      ...toLabelQueueDto(drawn, body),
    };
  }
}

/** The size of a draw that reaches a half-width. @throws NoScaleError, NothingToDrawError, WidthOutOfReachError */
async function sizeFor(
  width: number,
  { truth }: LabelQueueCreateDto,
  found: readonly Candidate[],
  { open, isLabelled }: ReturnType<typeof splitByLabel>,
  { criterion, level }: OpenedCriterion,
): Promise<number> {
  const labelled = labelledCandidates(found, criterion, truth.map, null);
  await nextTurn();
  const labels = labelsToAdd(found, labelled, criterion, width, level);
  await nextTurn();
  return sizeOfDraw(open, isLabelled, criterion, labels);
}

/** Tells calls that may be drawn from those that people labelled outside of label queues. @throws NothingToDrawError */
function splitByLabel(found: readonly Candidate[], criterion: Criterion, { truth }: LabelQueueCreateDto) {
  const labelled = new Set(
    found.filter(({ label }) => label !== null && labelOf(label, criterion, truth.map) !== undefined),
  );
  const isLabelled = (call: Candidate): boolean => labelled.has(call);
  const isKnown = (call: Candidate): boolean => isLabelled(call) && !wereDrawn(call);
  const open = found.filter((call) => !isKnown(call));
  if (open.length === 0)
    throw new NothingToDrawError(
      found.length === 0 ? 'None of the calls is judged.' : 'People have labelled all of the calls.',
    );
  return { known: found.filter(isKnown), open, isLabelled };
}

/** @throws ValidationError */
function assertDrawable({ size, width, strata }: LabelQueueCreateDto): void {
  if ((typeof size === 'number') === (typeof width === 'number'))
    throw new ValidationError([valueIssue('Either size or width should be given', ['body', 'size'])]);
  if (typeof width === 'number' && typeof strata === 'string')
    throw new ValidationError([
      valueIssue('A width is of all calls: with strata size should say how many are drawn', ['body', 'strata']),
    ]);
  const issues = unknownFields(typeof strata === 'string' ? [strata] : [], callField, () => ['body', 'strata']);
  if (issues.length > 0) throw new ValidationError(issues);
}

/** The items by chance, so that those that people have done are like those that they have not. */
function orderOf(drawn: DrawnQueue): string[] {
  const places = new Map(itemsOf(drawn).map((id) => [id, drawOf(`${drawn.seed} order`, id)]));
  return [...places].sort(([, a], [, b]) => a - b).map(([id]) => id);
}
