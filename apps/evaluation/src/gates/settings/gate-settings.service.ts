import { parseFieldPath } from '@hone/call-queries';
import type { GateCreateDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../../access/evaluation-access.js';
import { ScorerReader } from '../../scorers/scorer-reader.service.js';
import { ScorerNotFoundError } from '../../scorers/scorers.errors.js';
import { criteriaOf } from '../../truth/criterion.js';
import type { GateSettings } from './gate-settings.js';

const DEFAULTS = {
  ...{ label_share: 0.25, min_gain: 0, alpha: 0.05, look_every: 25, max_pairs: 600, trials: 1, slice_margin: 0.1 },
} as const;
const UNIT = [0, 1];

/** Fills in what a request for a gate leaves open, so that its record says all that it was decided by. */
@Injectable()
export class GateSettingsReader {
  constructor(private readonly scorers: ScorerReader) {}

  async fill(project: OwnProject, body: GateCreateDto): Promise<GateSettings> {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => (value ?? null) !== null));
    const name = body.name ?? body.metric.slice(0, MAX_NAME);
    const scale = body.scale ?? (await this.scaleOf(project, body.metric)) ?? UNIT;
    return { ...DEFAULTS, ...(given as unknown as GateCreateDto), name, scale } as GateSettings;
  }

  /** As the scorer of the metric's name says. Null: there is none, or any number is of its scale. */
  private async scaleOf(project: OwnProject, metric: string): Promise<number[] | null> {
    const [scorer, ...criterion] = parseFieldPath(metric).path;
    if (scorer === undefined) return null;
    try {
      const { definition } = await this.scorers.findAny(project, scorer);
      const found = definition && criteriaOf(definition).find(({ name }) => name === criterion.join('.'));
      return found?.scale ? [...found.scale] : null;
    } catch (error) {
      if (error instanceof ScorerNotFoundError) return null;
      throw error;
    }
  }
}

const MAX_NAME = 128;
