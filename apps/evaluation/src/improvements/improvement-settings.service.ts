import {
  type GateSettingsDto,
  type ImproveDto,
  type ImprovementMethod,
  isJsonObject,
  type JsonObject,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import { criteriaOf } from '../truth/criterion.js';

const DEFAULT_ALPHA = 0.05;

/** What settings of improvements mean. */
@Injectable()
export class ImprovementSettings {
  constructor(private readonly scorers: ScorerReader) {}

  /**
   * What decides.
   *
   * @param candidates that share its alpha (Bonferroni)
   * @throws ScorerNotFoundError, ScorerNotDefinedError
   */
  async gateOf(project: OwnProject, { gate, evaluate }: ImproveDto, candidates = 1): Promise<GateSettingsDto> {
    const alpha = (gate?.alpha ?? DEFAULT_ALPHA) / candidates;
    if (gate) return { ...gate, alpha };
    const { objectId, definition } = await this.scorers.find(project, evaluate.scorers[0] as string);
    const [criterion] = criteriaOf(definition);
    return { metric: `scores.${objectId}.${criterion?.name}`, alpha };
  }

  /** Settings of a method's training job. */
  configOf({ configs }: ImproveDto, method: ImprovementMethod): JsonObject {
    const config = (configs as JsonObject | null | undefined)?.[method];
    return isJsonObject(config) ? config : {};
  }
}
