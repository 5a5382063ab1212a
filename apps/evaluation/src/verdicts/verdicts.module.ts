import { ValuesModule } from '@hone/calls';
import { FeedbackWriteRepository } from '@hone/feedback';
import { Module } from '@nestjs/common';

import { GatewayModule } from '../gateway/gateway.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ScoringsModule } from '../scorings/scorings.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { JudgeService } from './judge.service.js';
import { VerdictCostsJob } from './verdict-costs-job.js';
import { VerdictWorker } from './verdict-worker.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** The work of scorings: a row for each call, claimed, judged and settled once. */
@Module({
  imports: [GatewayModule, KindsModule, QueueModule, ScorersModule, ScoringsModule, TelemetryModule, ValuesModule],
  providers: [FeedbackWriteRepository, VerdictsRepository, JudgeService, VerdictWorker, VerdictCostsJob],
})
export class VerdictsModule {}
