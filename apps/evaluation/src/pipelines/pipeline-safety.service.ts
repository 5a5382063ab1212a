import type { Principal } from '@hone/auth';
import { parseFieldPath } from '@hone/call-queries';
import { PricesRepository } from '@hone/calls';
import type { GateSettingsDto } from '@hone/contracts';
import { annotationName } from '@hone/feedback';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { AnnotationFields } from '../labels/annotation-fields.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { TrainingClient } from '../services/training-client.js';
import { criteriaOf } from '../truth/criterion.js';
import { ReportsService } from '../truth/reports.service.js';

/** What it means that a judge is advisory, by the reason that its report gives. */
const ADVISORY: Readonly<Record<string, string>> = {
  no_labels: 'people have judged none of its calls',
  few_labels: 'people have judged fewer than 20 of its calls',
  nothing_passed: 'people passed none of its calls, so that nobody knows whether it would',
  nothing_failed: 'people failed none of its calls, so that nobody knows whether it would',
  no_pass_mark: 'its scale has no middle, so that nobody knows what passes',
  low_tpr: 'it passes less than 80 % of what people pass',
  low_tnr: 'it fails less than 80 % of what people fail',
};

/** What judges, and what decides. */
interface SafetySettings {
  readonly evaluate: { readonly scorers: readonly string[] };
  readonly gate: GateSettingsDto;
}

/** Says why something that promotes by itself could do harm. */
@Injectable()
export class PipelineSafety {
  constructor(
    private readonly scorers: ScorerReader,
    private readonly reports: ReportsService,
    private readonly prices: PricesRepository,
    private readonly training: TrainingClient,
    private readonly fields: AnnotationFields,
  ) {}

  /**
   * What is missing before a run may start, in sentences. Empty: nothing.
   *
   * @throws AccessDeniedError, ScorerNotFoundError, ScorerNotDefinedError
   */
  async missing(caller: Principal, project: OwnProject, settings: SafetySettings): Promise<string[]> {
    const scorers: Scorer[] = [];
    for (const name of settings.evaluate.scorers) scorers.push(await this.scorers.find(project, name));
    const missing = this.training.isThere ? [] : ['HONE_TRAINING_URL does not say where models are trained.'];
    const metric = meantBy(settings.gate.metric, scorers);
    if (metric === null)
      missing.push(`None of the scorers finds '${settings.gate.metric}', by which the gate decides.`);
    else missing.push(...(await this.missingOf(caller, project, settings, metric)));
    return [
      ...missing,
      ...(await this.missingField(project, settings)),
      ...(await this.undefinedGuards(project, settings, scorers)),
    ];
  }

  /** Of the scorer that decides. */
  private async missingOf(
    caller: Principal,
    project: OwnProject,
    { gate }: SafetySettings,
    { scorer, criterion }: MeantScore,
  ): Promise<string[]> {
    const { definition, objectId, digest } = scorer;
    if (definition.kind === 'check' || gate.fact || gate.accept_uncorrected) return [];
    if (!gate.truth)
      return [`'${objectId}' is a judge, and 'gate.truth' does not say where people's labels are that correct it.`];
    if (gate.label_share === 1) return [];
    const { advisory_reason: reason } = await this.reports.report(caller, {
      ...{ project_id: project.id, scorer: `${objectId}:${digest}`, criterion, truth: gate.truth },
    });
    return reason === null ? [] : [`'${objectId}' is advisory: ${ADVISORY[reason] ?? reason}.`];
  }

  /** People are asked by an annotation field, where their labels are annotations. */
  private async missingField(project: OwnProject, { gate }: SafetySettings): Promise<string[]> {
    const type = gate.truth?.feedback_type;
    const name = type && annotationName(type);
    if (!name) return [];
    try {
      await this.fields.refOf(project, type);
      return [];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return [`The project has no annotation field '${name}', by which people are asked.`];
    }
  }

  private async undefinedGuards(
    project: OwnProject,
    { gate }: SafetySettings,
    scorers: readonly Scorer[],
  ): Promise<string[]> {
    const named = [...Object.keys(gate.guards ?? {}), ...(gate.reward ? [gate.reward.metric] : [])];
    const missing = named
      .filter((name) => name.startsWith('scores.') && meantBy(name, scorers) === null)
      .map((name) => `None of the scorers finds '${name}', which guards.`);
    if (named.includes('cost_usd') && (await this.prices.list(project.rowId)).length === 0)
      missing.push("No model has a price in the project, so that the guard 'cost_usd' says nothing.");
    return missing;
  }
}

interface MeantScore {
  readonly scorer: Scorer;
  readonly criterion: string;
}

/** The scorer that finds a metric, and what it finds. Null: none does. */
function meantBy(metric: string, scorers: readonly Scorer[]): MeantScore | null {
  const [name, ...path] = parseFieldPath(metric).path;
  const scorer = scorers.find(({ objectId }) => objectId === name);
  const criterion = path.join('.');
  return scorer && criteriaOf(scorer.definition).some((one) => one.name === criterion) ? { scorer, criterion } : null;
}
