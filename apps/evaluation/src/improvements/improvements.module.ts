import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatesModule } from '../gates/gates.module.js';
import { PipelinesModule } from '../pipelines/pipelines.module.js';
import { PromptEditsModule } from '../prompt-edits/prompt-edits.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ServicesModule } from '../services/services.module.js';
import { StoredObjectsModule } from '../stored-objects/stored-objects.module.js';
import { ImprovementData } from './improvement-data.service.js';
import { ImprovementPrompt } from './improvement-prompt.service.js';
import { ImprovementSettings } from './improvement-settings.service.js';
import { ImprovementSteps } from './improvement-steps.service.js';
import { ImprovementWorker } from './improvement-worker.js';
import { ImprovementsController } from './improvements.controller.js';
import { ImprovementsRepository } from './improvements.repository.js';
import { ImprovementsService } from './improvements.service.js';

/** Attempts to make models better by their judged calls. */
@Module({
  imports: [
    AccessModule,
    QueueModule,
    GatesModule,
    RunsModule,
    PipelinesModule,
    PromptEditsModule,
    ScorersModule,
    ServicesModule,
    StoredObjectsModule,
  ],
  controllers: [ImprovementsController],
  providers: [
    ImprovementsService,
    ImprovementsRepository,
    ImprovementData,
    ImprovementPrompt,
    ImprovementSettings,
    ImprovementSteps,
    ImprovementWorker,
  ],
})
export class ImprovementsModule {}
