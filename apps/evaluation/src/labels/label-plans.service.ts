import type { Principal } from '@hone/auth';
import type { LabelPlanDto, LabelPlanQueryDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { LabelledCallsReader } from '../truth/labelled-calls.reader.js';
import { planFigures } from './plan-figures.js';

/** How many labels make a mean known within a width. */
@Injectable()
export class LabelPlansService {
  constructor(private readonly reader: LabelledCallsReader) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, TooManyLabelsError, NoScaleError */
  async plan(caller: Principal, body: LabelPlanQueryDto): Promise<LabelPlanDto> {
    const opened = await this.reader.open(caller, body, 'reader');
    const { scorer, criterion, level } = opened;
    const calls = await this.reader.read(opened, body.label_source ?? null);
    return {
      ...{ scorer: scorer.ref, criterion: criterion.name, level, width: body.width },
      ...planFigures(calls, criterion, body.width, level),
    };
  }
}
