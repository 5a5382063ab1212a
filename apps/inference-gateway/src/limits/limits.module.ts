import { Module } from '@nestjs/common';

import { LimitedSubjectsRepository } from './limited-subjects.repository.js';
import { LimitsController } from './limits.controller.js';
import { LimitsService } from './limits.service.js';

/** Reads and sets limits; `metering/limits` applies them to requests. */
@Module({ controllers: [LimitsController], providers: [LimitsService, LimitedSubjectsRepository] })
export class LimitsModule {}
