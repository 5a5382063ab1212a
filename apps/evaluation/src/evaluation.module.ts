import { AuthModule } from '@hone/auth';
import { type DynamicModule, Module } from '@nestjs/common';

import { BiasModule } from './bias/bias.module.js';
import { ComparisonsModule } from './comparisons/comparisons.module.js';
import type { EvaluationConfig } from './config/evaluation.config.js';
import { EvaluationConfigModule } from './config/evaluation-config.module.js';
import { GatesModule } from './gates/gates.module.js';
import { GradingModule } from './grading/grading.module.js';
import { ImprovementsModule } from './improvements/improvements.module.js';
import { LabelsModule } from './labels/labels.module.js';
import { MonitorsModule } from './monitors/monitors.module.js';
import { PipelinesModule } from './pipelines/pipelines.module.js';
import { PromptEditsModule } from './prompt-edits/prompt-edits.module.js';
import { RunsModule } from './runs/runs.module.js';
import { ScorerKindsModule } from './scorer-kinds/scorer-kinds.module.js';
import { ScorerLibraryModule } from './scorer-library/scorer-library.module.js';
import { ScorersModule } from './scorers/scorers.module.js';
import { ScoringsModule } from './scorings/scorings.module.js';
import { TruthModule } from './truth/truth.module.js';
import { VerdictsModule } from './verdicts/verdicts.module.js';

/**
 * The evaluation service. Its layers, top first; an import may only point down (lint):
 *
 * - scorer-kinds: what kinds of scorers there are -> access
 * - scorer-library: ready scorers -> access
 * - improvements: attempts to make a model better in every way that its judged calls allow -> pipelines, prompt-edits, gates, runs, truth, scorers, stored-objects, services, queue, access
 * - pipelines: loops that train, compare and promote by themselves -> gates, runs, labels, truth, scorers, services, queue, access
 * - prompt-edits: prompts that a model edits after reading where they failed -> runs, grading, truth, scorers, kinds, judged-calls, stored-objects, queue, gateway, telemetry, access
 * - gates: whether a candidate is better than the current model -> comparisons, labels, truth, scorers, judged-calls, queue, gateway, access
 * - runs: models and prompts that answer datasets, and are scored -> scorers, kinds, judged-calls, stored-objects, queue, gateway, telemetry, access
 * - grading: rewards of answers that nobody stores -> truth, scorers, kinds, judged-calls, gateway, access
 * - monitors: scorers that judge new calls -> scorings, scorers, kinds, judged-calls, access
 * - comparisons: evaluation runs beside each other -> truth, scorers, kinds, judged-calls, access
 * - bias: how judges may be biased -> labels, truth, scorings, scorers, kinds, judged-calls, access
 * - labels: labels that people are to give, and of which calls -> truth, scorers, judged-calls, stored-objects, access
 * - truth: how far judges can be trusted -> scorers, kinds, access
 * - verdicts: the work of scorings, and how it is settled -> scorings, scorers, kinds, judged-calls, queue, gateway, telemetry, access
 * - scorings: jobs that judge calls -> scorers, kinds, judged-calls, queue, access
 * - queue: jobs whose items are leased, and how scorers judge them -> scorers, kinds, stored-objects, gateway, telemetry, access
 * - scorers: scorers as they are stored, and tries of them -> kinds, judged-calls, stored-objects, gateway, access
 * - kinds: how each kind of scorers judges -> judged-calls, gateway, config
 * - judged-calls: calls as scorers see them
 * - stored-objects: objects, which the trace service keeps
 * - services: other services of Hone, which are asked in the name of a key -> gateway, config
 * - gateway: how models are asked -> telemetry, config
 * - telemetry: metrics of the service's own
 * - access: who is calling
 * - config: settings
 */
@Module({})
export class EvaluationModule {
  /** @param readConfig called while the application is made, so that what it throws is an error of the start */
  static forRoot(readConfig: () => EvaluationConfig): DynamicModule {
    return {
      module: EvaluationModule,
      imports: [
        AuthModule.forRoot(),
        EvaluationConfigModule.forRoot(readConfig),
        ScorerKindsModule,
        ScorerLibraryModule,
        ScorersModule,
        GradingModule,
        ScoringsModule,
        VerdictsModule,
        MonitorsModule,
        RunsModule,
        TruthModule,
        ComparisonsModule,
        LabelsModule,
        GatesModule,
        PipelinesModule,
        ImprovementsModule,
        PromptEditsModule,
        BiasModule,
      ],
    };
  }
}
