import { Module } from '@nestjs/common';

import { TrainingAccess } from './training-access.js';

@Module({ providers: [TrainingAccess], exports: [TrainingAccess] })
export class AccessModule {}
