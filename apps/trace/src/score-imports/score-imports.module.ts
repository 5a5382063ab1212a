import { Module } from '@nestjs/common';

import { FeedbackModule } from '../feedback/feedback.module.js';
import { EarlyScores } from './early-scores.service.js';
import { LangfuseScoresController, ScoreImportsController } from './score-imports.controller.js';
import { ScoreImportsService } from './score-imports.service.js';
import { ScoreReader } from './score-reader.service.js';
import { ScoreTargetsRepository } from './score-targets.repository.js';
import { ScoreWriter } from './score-writer.service.js';
import { WaitingScoresRepository } from './waiting-scores.repository.js';
import { WaitingScoresJob } from './waiting-scores-job.js';

/** Scores of other tools as feedback. `forms`: how each tool says them. */
@Module({
  imports: [FeedbackModule],
  controllers: [ScoreImportsController, LangfuseScoresController],
  providers: [
    ScoreTargetsRepository,
    WaitingScoresRepository,
    ScoreReader,
    EarlyScores,
    ScoreWriter,
    ScoreImportsService,
    WaitingScoresJob,
  ],
})
export class ScoreImportsModule {}
